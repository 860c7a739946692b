package claude

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

// arrangeGroup arranges all entries of a file group into threads. given is in the order in which
// the entries were read.
func arrangeGroup(files session.FileGroup, given []*session.Entry) session.Arrangement {
	u := newFileGroup(files, given)
	w := dag.NewThreads(dag.NewGraph(u.graphNodes()))
	l := newArrangement(u, w)
	out := l.buildResult()
	out.Context = buildContext
	if !u.whole && len(w.RingCuts)+len(w.Graph.CycleRoots) == 0 { // where to cut a ring depends on every line
		out.Extend = l.extend
	}
	return out
}

func newFileGroup(files session.FileGroup, given []*session.Entry) *fileGroup {
	u := &fileGroup{files: files.Names, whole: files.WholeDir, entries: given}
	if l, ok := files.Extra.(*agentLinks); ok && l != nil {
		u.agentStarts, u.purposes = &l.starts, l.purposes
	}
	return u
}

// graphNodes returns the lines that have a uuid, in load order, with each agent in its own thread.
func (u *fileGroup) graphNodes() []*dag.Node {
	u.order = u.loadOrder()
	var in []*dag.Node
	for _, i := range u.order {
		if x := u.factsAt(i); x.hasID {
			in = append(in, &x.Node)
			u.entryIndex = append(u.entryIndex, i)
		}
	}
	in, u.agents = dag.AnchorAgents(in, u.agentStarts)
	return in
}

// fileGroup is the entries of the files that are shown as one tree.
type fileGroup struct {
	files       []string
	whole       bool
	agentStarts *dag.AgentStarts  // what companion files record about the start of agents, nil if nothing is known
	purposes    map[string]string // agent -> its purpose
	entries     []*session.Entry
	order       []int // indexes into entries, in load order
	entryIndex  []int // by index into the graph's input, index into entries
	ranks       map[int32]*fileRank
	agents      dag.AgentLayout
}

// fileRank is a file's place in load order.
type fileRank struct {
	rank         int
	forked       bool
	earliestOwn  string // the earliest time of an entry that no other file holds
	hasShared    bool   // it holds an entry that other files hold too
	sharesAnswer bool   // an answer is among these
}

func (u *fileGroup) factsAt(i int) *facts { return u.entries[i].Extra.(*facts) }

func (u *fileGroup) fileName(file int32) string {
	if int(file) < len(u.files) {
		return u.files[file]
	}
	return ""
}

// firstEntryFlags returns flags for the first entries of agents and of sessions that continue others.
func (u *fileGroup) firstEntryFlags(ts *dag.Threads) map[int32]session.Flags {
	marks := map[int32]session.Flags{}
	for k := range ts.List {
		t := &ts.List[k]
		switch first := t.Nodes[0]; {
		case strings.Contains(ts.Graph.Nodes[first].Session, dag.AgentMark):
			if !t.Branch {
				marks[first] = session.FlagAgent
			}
		case !t.Branch && t.At != dag.NoNode:
			marks[first] = session.FlagSession
		}
	}
	return marks
}

// qualifiedID returns the id of an entry without a uuid, made of its file and line.
func (u *fileGroup) qualifiedID(e *session.Entry) string {
	if e.Span.File == 0 && !u.whole {
		return e.ID
	}
	return sessionStem(u.fileName(e.Span.File)) + ":" + e.ID
}

// mainFile returns the file of the main session or, of a directory, the one with the newest line.
func (u *fileGroup) mainFile() (file int32) {
	if !u.whole {
		return 0
	}
	newest := ""
	for i := range u.entries {
		if x := u.factsAt(i); x.hasID && !x.Sidechain && x.Stamp > newest {
			newest, file = x.Stamp, u.entries[i].Span.File
		}
	}
	return file
}

func sessionStem(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			name = name[i+1:]
			break
		}
	}
	if i := len(name) - len(".jsonl"); i > 0 && name[i:] == ".jsonl" {
		return name[:i]
	}
	return name
}
