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
	g := &gathering{dir: dir, heads: map[string]*head{}, asks: map[string][]ask{}}
	var agents []string
	for _, e := range top {
		switch {
		case e.IsDir():
		case isAgent(e.Name()):
			agents = append(agents, e.Name())
		case isMain(e.Name()) || slices.Contains(names, e.Name()):
			g.mains = append(g.mains, e.Name())
		}
	}
	if len(names) == 0 {
		return session.Unit{Names: slices.Concat(g.mains, agents), Whole: true}, nil
	}
	unit := session.Unit{Names: slices.Clone(names)}
	for _, name := range agents {
		if slices.Contains(names, g.owner(name)) {
			unit.Names = append(unit.Names, name)
		}
	}
	return unit, nil
}

// gathering remembers what was read while the files of a session are looked for.
type gathering struct {
	dir   fs.FS
	mains []string
	heads map[string]*head
	asks  map[string][]ask
}

// head is what the start of a file says, and its end by its time.
type head struct {
	begun, ended int64 // ms
	said         string
}

// owner is the session that a subagent is shown with: of those that ran when it
// began the one that asked for it, else the one that began last.
func (g *gathering) owner(agent string) string {
	a := g.head(agent)
	running := slices.DeleteFunc(slices.Clone(g.mains), func(name string) bool {
		h := g.head(name)
		return later(h.begun, a.begun) || later(a.begun, h.ended)
	})
	if len(running) == 0 { // it is not written yet that the session went on
		running = slices.DeleteFunc(slices.Clone(g.mains), func(name string) bool { return later(g.head(name).begun, a.begun) })
		if len(running) == 0 {
			running = g.mains
		}
		return g.latest(running)
	}
	if len(running) > 1 {
		for _, name := range running {
			if slices.ContainsFunc(g.asked(name), func(k ask) bool { return alike(foldSpace(k.prompt), a.said) }) {
				return name
			}
		}
	}
	return g.latest(running)
}

// latest is the session that began last; "" of none.
func (g *gathering) latest(names []string) (last string) {
	for _, name := range names {
		if last == "" || g.head(name).begun >= g.head(last).begun {
			last = name
		}
	}
	return last
}

const headSize = 64 << 10

func (g *gathering) head(name string) *head {
	if h, ok := g.heads[name]; ok {
		return h
	}
	h := &head{begun: math.MaxInt64, ended: math.MaxInt64}
	g.heads[name] = h
	f, err := g.dir.Open(name)
	if err != nil {
		return h // it has just been deleted
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		h.ended = info.ModTime().UnixMilli()
	}
	text := make([]byte, headSize)
	n, _ := io.ReadFull(f, text)
	var l line
	for found := range jsonl.Lines(text[:n]) {
		if l.read(found.Data) != nil {
			continue
		}
		for _, t := range []int64{when(l.created), when(l.time)} {
			if t != session.NoTime {
				h.begun = min(h.begun, t)
			}
		}
		if h.said == "" && l.role.Is("user") && !l.meta {
			h.said = foldSpace(string(jsonl.AppendText(nil, l.asked(), maxAsked)))
		}
		if h.said != "" {
			break
		}
	}
	return h
}

// maxAsks is how long a session's file may be to be read for its calls.
const maxAsks = 64 << 20

// asked lists the calls of agents in a session's file.
func (g *gathering) asked(name string) []ask {
	if asks, ok := g.asks[name]; ok {
		return asks
	}
	g.asks[name] = nil
	f, err := g.dir.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxAsks))
	if err != nil {
		return nil
	}
	for found := range jsonl.Lines(text) {
		r, err := scan(found.Data, "")
		if x, ok := r.Extra.(*facts); err == nil && ok {
			g.asks[name] = append(g.asks[name], x.asked...)
		}
	}
	return g.asks[name]
}
