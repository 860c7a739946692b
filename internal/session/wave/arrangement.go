package wave

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// arrangeSession arranges the files of a session: the session's own thread, the threads of
// subagents below the calls that started them, and retracted lines where they were recorded.
func arrangeSession(files session.FileGroup, given []*session.Entry) session.Arrangement {
	u := &arrangement{files: files, lastInFile: map[int32]session.Pos{}, threadOf: map[int32]int{}, retractedIDs: map[string]bool{}, withoutPrompt: map[int32]bool{}}
	u.out = session.Arrangement{Leaf: session.NoPos, Extend: u.extend, Files: files.Names}
	u.addEntries(given)
	u.attachRetracted()
	u.attachAgents() // an agent's call may be among the retracted lines
	return u.out
}

// addEntries adds entries, in the order of positions.
func (u *arrangement) addEntries(fresh []*session.Entry) {
	n := len(u.entries) + len(fresh)
	u.entries = append(slices.Grow(u.entries, len(fresh)), fresh...)
	u.out.Parent = slices.Grow(u.out.Parent, len(fresh))[:n]
	u.out.Entries = slices.Grow(u.out.Entries, len(fresh))[:n]
	for p := n - len(fresh); p < n; p++ {
		u.appendEntry(session.Pos(p))
	}
}

// extend adds entries that were read later. ok is false if they may change the parents of earlier
// entries: the first entry of a file, a call that may have started an agent, the prompt of an
// agent, or a retracted entry.
func (u *arrangement) extend(fresh []*session.Entry) (g session.ArrangementDelta, ok bool) {
	for _, e := range fresh {
		_, begun := u.lastInFile[e.Span.File]
		x := e.Extra.(*facts)
		switch {
		case !begun && e.Span.File != 0, u.retractedIDs[e.ID], len(u.agents) > 0 && len(x.spawnRequests) > 0, u.withoutPrompt[e.Span.File] && x.prompt != "":
			return g, false
		}
	}
	first := len(u.entries)
	u.moved = nil
	u.addEntries(fresh)
	for _, p := range u.moved {
		if int(p) < first {
			g.Moved = append(g.Moved, session.MovedEntry{Pos: p, Parent: u.out.Parent[p], Entry: u.out.Entries[p]})
		}
	}
	g.Entries, g.Parent, g.Leaf, g.Threads = u.out.Entries[first:], u.out.Parent[first:], u.out.Leaf, u.out.Threads
	return g, true
}

// arrangement is the arranged tree of a file group.
type arrangement struct {
	files        session.FileGroup
	entries      []*session.Entry
	lastInFile   map[int32]session.Pos // by file, the parent of its next entry
	threadOf     map[int32]int         // by file, the index of its thread in out.Threads
	agents       []int32               // files of subagents, in the order of their first entries
	retractedIDs map[string]bool       // ids of retracted entries, and of the missing entries before them
	moved        []session.Pos         // earlier entries that changed
	out          session.Arrangement

	withoutPrompt map[int32]bool // files of subagents without a prompt so far
}

func (u *arrangement) fileName(file int32) string {
	if int(file) < len(u.files.Names) {
		return u.files.Names[file]
	}
	return ""
}

func (u *arrangement) retractedLines(file int32) *session.RetractedLines {
	for i := range u.files.Retracted {
		if u.files.Retracted[i].File == file {
			return &u.files.Retracted[i]
		}
	}
	return nil
}

// appendEntry makes an entry a child of the one before it in its file.
func (u *arrangement) appendEntry(p session.Pos) {
	e := u.entries[p]
	file := e.Span.File
	before, begun := u.lastInFile[file]
	u.out.Parent[p] = session.NoPos
	if begun {
		u.out.Parent[p] = before
	}
	u.out.Entries[p] = u.withFileID(e)
	replay := e.HasFlag(session.FlagArtifact)
	if replay {
		u.setFirstKept(before, begun, e)
	}
	if replay && begun {
		return
	}
	u.lastInFile[file] = p
	if !begun {
		u.threadOf[file] = len(u.out.Threads)
		u.out.Threads = append(u.out.Threads, session.Thread{Name: fileStem(u.fileName(file)), Session: fileStem(u.fileName(0)), At: session.NoPos, Leaf: session.NoPos})
		if isSubagentFile(u.fileName(file)) && u.retractedLines(file) == nil {
			u.agents = append(u.agents, file)
		}
	}
	line := &u.out.Threads[u.threadOf[file]]
	line.Entries = append(line.Entries, p)
	if file == 0 {
		u.out.Leaf, line.Leaf = p, p
	}
}

// setFirstKept sets the first entry that a compaction keeps: the first one that it recorded again.
func (u *arrangement) setFirstKept(before session.Pos, begun bool, replay *session.Entry) {
	if !begun {
		return
	}
	pack := u.out.Entries[before]
	if pack.Kind != session.KindCompaction || pack.FirstKeptID() != "" {
		return
	}
	kept := *pack
	kept.OwnDetails().Target = replay.Extra.(*facts).id
	u.out.Entries[before] = &kept
	u.moved = append(u.moved, before)
}

// withFileID gives an entry without an id one that is unique among all files.
func (u *arrangement) withFileID(e *session.Entry) *session.Entry {
	if x := e.Extra.(*facts); x.id != "" || e.Span.File == 0 {
		return e
	}
	own := *e
	own.ID = fileStem(u.fileName(e.Span.File)) + ":" + e.ID
	return &own
}

func fileStem(name string) string {
	_, base := splitPath(name)
	return strings.TrimSuffix(base, ".jsonl")
}
