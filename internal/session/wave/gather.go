package wave

import (
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/rowtext"
)

const agentPrefix = "subagent-"

// isSubagentFile reports whether a path, with slashes, names a subagent's file.
func isSubagentFile(name string) bool {
	_, base := splitPath(name)
	id, ok := strings.CutPrefix(base, agentPrefix)
	return ok && isSessionID(strings.TrimSuffix(id, ".jsonl")) && strings.HasSuffix(id, ".jsonl")
}

// isMemberFile reports whether a file is a subagent's and thus no session of its own.
func isMemberFile(name string) bool { return isSubagentFile(name) }

// isSessionFile reports whether the name of a file is that of a session.
func isSessionFile(name string) bool {
	return strings.HasSuffix(name, ".jsonl") && isSessionID(strings.TrimSuffix(name, ".jsonl"))
}

// gatherSessionFiles lists the files of a session in a project directory: its own and those of its
// subagents. Wave does not record which session a subagent belongs to. The times decide or, if
// several sessions ran at once, the prompt.
func gatherSessionFiles(dir fs.FS, names []string) (session.FileGroup, error) {
	top, err := fs.ReadDir(dir, ".")
	if err != nil {
		return session.FileGroup{}, err
	}
	mains, agents := sortFiles(top, names)
	if len(names) == 0 {
		return session.FileGroup{Names: slices.Concat(mains, agents), WholeDir: true}, nil
	}
	unit := session.FileGroup{Names: slices.Clone(names)}
	if len(agents) == 0 {
		return unit, nil
	}
	g := newSessionFileGatherer(dir, mains)
	for _, name := range agents {
		if slices.Contains(names, g.findOwner(name)) {
			unit.Names = append(unit.Names, name)
		}
	}
	unit.DependsOnContent = len(mains) > 1 // the owner of an agent may change as sessions grow
	return unit, nil
}

// sortFiles returns the session files among the entries of a directory, with those in names,
// and the files of subagents.
func sortFiles(top []fs.DirEntry, names []string) (mains, agents []string) {
	for _, e := range top {
		switch {
		case e.IsDir():
		case isSubagentFile(e.Name()):
			agents = append(agents, e.Name())
		case isSessionFile(e.Name()) || slices.Contains(names, e.Name()):
			mains = append(mains, e.Name())
		}
	}
	return mains, agents
}

// findOwners returns the session file that each subagent in dir is shown with, "" if there is
// none.
func findOwners(dir fs.FS) map[string]string {
	top, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil
	}
	mains, agents := sortFiles(top, nil)
	g := newSessionFileGatherer(dir, mains)
	owners := make(map[string]string, len(agents))
	for _, name := range agents {
		owners[name] = g.findOwner(name)
	}
	return owners
}

// sessionFileGatherer searches for the files of a session.
type sessionFileGatherer struct {
	dir      fs.FS
	sessions []sessionFile
	prompts  map[string][]string // of agents, by the name of the session file
}

// newSessionFileGatherer returns a gatherer that knows the sessions of a directory.
func newSessionFileGatherer(dir fs.FS, mains []string) *sessionFileGatherer {
	g := &sessionFileGatherer{dir: dir, prompts: map[string][]string{}}
	for _, name := range mains {
		g.sessions = append(g.sessions, sessionFile{name, g.readHeadCached(name)})
	}
	return g
}

// sessionFile is the file of a session.
type sessionFile struct {
	name string
	*fileHead
}

// findOwner returns the session that a subagent is shown in: of those that ran when it began the
// one that called it, else the one that began last.
func (g *sessionFileGatherer) findOwner(agent string) string {
	a := g.readHeadCached(agent)
	var before, running []sessionFile
	for _, m := range g.sessions {
		if isSurelyLater(m.begun, a.begun) {
			continue
		}
		before = append(before, m)
		if !isSurelyLater(a.begun, m.ended) {
			running = append(running, m)
		}
	}
	if len(running) > 1 {
		for _, m := range running {
			if slices.ContainsFunc(g.spawnPrompts(m.name), func(prompt string) bool { return samePrompt(prompt, a.prompt) }) {
				return m.name
			}
		}
	}
	for _, all := range [][]sessionFile{running, before, g.sessions} { // the session may have continued without having written it yet
		if len(all) > 0 {
			return latestSession(all)
		}
	}
	return ""
}

// latestSession returns the session that began last. A file without a time may hold no session,
// because Wave empties a file on a rewind to the first message.
func latestSession(all []sessionFile) string {
	last := all[0]
	for _, m := range all[1:] {
		if last.begun == unknownTime || m.begun != unknownTime && m.begun >= last.begun {
			last = m
		}
	}
	return last.name
}

// fileHead is what the start of a file records, and its end by the modification time.
type fileHead struct {
	begun, ended int64  // milliseconds, or unknownTime
	prompt       string // the first prompt of a subagent, on one line
}

// unknownTime is later than any time.
const unknownTime = math.MaxInt64

// headSizes are the sizes of the start of a file to read. The second is for files whose prompt is
// not within the first.
var headSizes = []int{4 << 10, 64 << 10}

func (g *sessionFileGatherer) readHeadCached(name string) *fileHead {
	return session.ReadCached(g.dir, name, "head", func(f fs.File, _ any) any { return readFileHead(f, isSubagentFile(name)) }).(*fileHead)
}

// readFileHead reads the start of a file. f is nil if the file has just been deleted.
func readFileHead(f fs.File, agent bool) *fileHead {
	h := &fileHead{begun: unknownTime, ended: unknownTime}
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
		n, _ := io.ReadFull(f, text[from:]) // a read error counts as the end
		text = text[:from+n]
		if h.readHeadLines(text) || len(text) < size {
			break
		}
	}
	if !agent {
		h.prompt = "" // only the times of these many files are needed
	}
	return h
}

// readHeadLines reads lines up to the first prompt and reports whether there is one.
func (h *fileHead) readHeadLines(text []byte) bool {
	var l line
	for found := range jsonl.Lines(text) {
		if l.readLine(found.Data) != nil {
			continue
		}
		for _, t := range []int64{parseTime(l.created), parseTime(l.time)} {
			if t != session.NoTime {
				h.begun = min(h.begun, t)
			}
		}
		if l.role.Is("user") && !l.meta {
			h.prompt = rowtext.OneLine(string(jsonl.AppendText(nil, l.promptText(), maxPrompt)))
		}
		if h.prompt != "" {
			return true
		}
	}
	return false
}
