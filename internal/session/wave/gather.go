package wave

import (
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const agentPrefix = "subagent-"

// isAgent reports whether a file is a subagent's, by its path with slashes.
func isAgent(name string) bool {
	_, base := cut(name)
	id, ok := strings.CutPrefix(base, agentPrefix)
	return ok && isID(strings.TrimSuffix(id, ".jsonl")) && strings.HasSuffix(id, ".jsonl")
}

// part reports whether a file is a subagent's: it is no session of its own.
func part(name string) bool { return isAgent(name) }

// isMain reports whether a file is a session by Wave's grammar of names.
func isMain(name string) bool {
	return strings.HasSuffix(name, ".jsonl") && isID(strings.TrimSuffix(name, ".jsonl"))
}

// gather lists the files of a session in a project directory: its own, and those
// of its subagents. Wave records nowhere which session a subagent is of, so that
// time decides, and where several sessions ran at once the words by which it was
// asked.
func gather(dir fs.FS, names []string) (session.Unit, error) {
	top, err := fs.ReadDir(dir, ".")
	if err != nil {
		return session.Unit{}, err
	}
	var mains, agents []string
	for _, e := range top {
		switch {
		case e.IsDir():
		case isAgent(e.Name()):
			agents = append(agents, e.Name())
		case isMain(e.Name()) || slices.Contains(names, e.Name()):
			mains = append(mains, e.Name())
		}
	}
	if len(names) == 0 {
		return session.Unit{Names: slices.Concat(mains, agents), Whole: true}, nil
	}
	unit := session.Unit{Names: slices.Clone(names)}
	if len(agents) == 0 {
		return unit, nil
	}
	g := &gathering{dir: dir}
	for _, name := range mains {
		g.mains = append(g.mains, mainFile{name, g.head(name)})
	}
	for _, name := range agents {
		if slices.Contains(names, g.owner(name)) {
			unit.Names = append(unit.Names, name)
		}
	}
	unit.Unsettled = len(mains) > 1 // whose an agent is shows when sessions go on
	return unit, nil
}

// gathering is one search for the files of a session.
type gathering struct {
	dir   fs.FS
	mains []mainFile
}

// mainFile is the file of a session.
type mainFile struct {
	name string
	*head
}

// owner returns the session that a subagent is shown with: of those that ran when
// it began the one that asked for it, else the one that began last.
func (g *gathering) owner(agent string) string {
	a := g.head(agent)
	var before, running []mainFile
	for _, m := range g.mains {
		if later(m.begun, a.begun) {
			continue
		}
		before = append(before, m)
		if !later(a.begun, m.ended) {
			running = append(running, m)
		}
	}
	if len(running) > 1 {
		for _, m := range running {
			if slices.ContainsFunc(g.spawnPrompts(m.name), func(prompt string) bool { return alike(prompt, a.said) }) {
				return m.name
			}
		}
	}
	for _, all := range [][]mainFile{running, before, g.mains} { // it may not be written yet that the session went on
		if len(all) > 0 {
			return latest(all)
		}
	}
	return ""
}

// latest returns the session that began last. A file that does not say when may hold no
// session: Wave empties it on a rewind to the first message.
func latest(all []mainFile) string {
	last := all[0]
	for _, m := range all[1:] {
		if last.begun == unknown || m.begun != unknown && m.begun >= last.begun {
			last = m
		}
	}
	return last.name
}

// head is what the start of a file says, and its end by its time.
type head struct {
	begun, ended int64  // ms, or unknown
	said         string // the first prompt of a subagent, in one line
}

// unknown is later than any time.
const unknown = math.MaxInt64

// headSizes are how much of a file's start is read, the second where the first does
// not hold a prompt.
var headSizes = []int{4 << 10, 64 << 10}

func (g *gathering) head(name string) *head {
	return session.ReadCached(g.dir, name, "head", func(f fs.File, _ any) any { return readHead(f, isAgent(name)) }).(*head)
}

// readHead reads the start of a file; nil is one that has just been deleted.
func readHead(f fs.File, agent bool) *head {
	h := &head{begun: unknown, ended: unknown}
	if f == nil {
		return h
	}
	if info, err := f.Stat(); err == nil {
		h.ended = info.ModTime().UnixMilli()
	}
	var text []byte
	for _, size := range headSizes {
		from := len(text)
		text = append(text, make([]byte, size-from)...)
		n, _ := io.ReadFull(f, text[from:]) // what cannot be read says nothing
		text = text[:from+n]
		if h.read(text) || len(text) < size {
			break
		}
	}
	if !agent {
		h.said = "" // of these many files only the times are wanted
	}
	return h
}

// read takes in the lines at the start of a file up to the first prompt, and
// reports whether that is among them.
func (h *head) read(text []byte) bool {
	var l line
	for found := range jsonl.Lines(text) {
		if l.read(found.Data) != nil {
			continue
		}
		for _, t := range []int64{when(l.created), when(l.time)} {
			if t != session.NoTime {
				h.begun = min(h.begun, t)
			}
		}
		if l.role.Is("user") && !l.meta {
			h.said = foldSpace(string(jsonl.AppendText(nil, l.asked(), maxAsked)))
		}
		if h.said != "" {
			return true
		}
	}
	return false
}
