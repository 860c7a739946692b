package wave

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// arranged lays the files of a session out: the session's own line of messages,
// the lines of its subagents under the calls that started them, and what was taken
// back by a rewind where it stood.
func arranged(files session.Unit, given []*session.Entry) session.Arranged {
	u := &unit{files: files, last: map[int32]session.Pos{}, lines: map[int32]int{}, back: map[string]bool{}, wordless: map[int32]bool{}}
	u.out = session.Arranged{Leaf: session.NoPos, More: u.more, Files: files.Names}
	u.add(given)
	u.restore()
	u.attachAgents() // the call of one may be among what was taken back
	return u.out
}

// add takes in entries, in the order of positions.
func (u *unit) add(fresh []*session.Entry) {
	n := len(u.given) + len(fresh)
	u.given = append(slices.Grow(u.given, len(fresh)), fresh...)
	u.out.Parent = slices.Grow(u.out.Parent, len(fresh))[:n]
	u.out.Entries = slices.Grow(u.out.Entries, len(fresh))[:n]
	for p := n - len(fresh); p < n; p++ {
		u.take(session.Pos(p))
	}
}

// more takes in entries that came later, unless they decide anew on what hangs
// where: a file that begins, a call that an agent may be of, the first words of an
// agent, or what was taken back.
func (u *unit) more(fresh []*session.Entry) (g session.Growth, ok bool) {
	for _, e := range fresh {
		_, begun := u.last[e.Span.File]
		x := e.Extra.(*facts)
		switch {
		case !begun && e.Span.File != 0, u.back[e.ID], len(u.agents) > 0 && len(x.asked) > 0, u.wordless[e.Span.File] && x.words != "":
			return g, false
		}
	}
	first := len(u.given)
	u.moved = nil
	u.add(fresh)
	for _, p := range u.moved {
		if int(p) < first {
			g.Moved = append(g.Moved, session.Moved{Pos: p, Parent: u.out.Parent[p], Entry: u.out.Entries[p]})
		}
	}
	g.Entries, g.Parent, g.Leaf, g.Lines = u.out.Entries[first:], u.out.Parent[first:], u.out.Leaf, u.out.Lines
	return g, true
}

// unit is the files that are shown as one tree.
type unit struct {
	files  session.Unit
	given  []*session.Entry
	last   map[int32]session.Pos // by file, the entry that the next one goes on from
	lines  map[int32]int         // by file, its line in out
	agents []int32               // files of subagents, in the order of their first entries
	back   map[string]bool       // ids of what was taken back
	moved  []session.Pos         // entries that others changed
	out    session.Arranged

	wordless map[int32]bool // files of subagents without a prompt so far
}

func (u *unit) name(file int32) string {
	if int(file) < len(u.files.Names) {
		return u.files.Names[file]
	}
	return ""
}

func (u *unit) rewound(file int32) *session.Rewound {
	for i := range u.files.Rewound {
		if u.files.Rewound[i].File == file {
			return &u.files.Rewound[i]
		}
	}
	return nil
}

// take hangs an entry on the one before it in its file.
func (u *unit) take(p session.Pos) {
	e := u.given[p]
	file := e.Span.File
	before, begun := u.last[file]
	u.out.Parent[p] = session.NoPos
	if begun {
		u.out.Parent[p] = before
	}
	u.out.Entries[p] = u.renamed(e)
	replay := e.Has(session.FlagArtifact)
	if replay {
		u.keeps(before, begun, e)
	}
	if replay && begun {
		return
	}
	u.last[file] = p
	if !begun {
		u.lines[file] = len(u.out.Lines)
		u.out.Lines = append(u.out.Lines, session.DAGLine{Name: stem(u.name(file)), Session: stem(u.name(0)), At: session.NoPos, Leaf: session.NoPos})
		if isAgent(u.name(file)) && u.rewound(file) == nil {
			u.agents = append(u.agents, file)
		}
	}
	line := &u.out.Lines[u.lines[file]]
	line.Entries = append(line.Entries, p)
	if file == 0 {
		u.out.Leaf, line.Leaf = p, p
	}
}

// keeps tells a compaction from which message on it keeps the conversation: from
// the one it wrote again first.
func (u *unit) keeps(before session.Pos, begun bool, replay *session.Entry) {
	if !begun {
		return
	}
	pack := u.out.Entries[before]
	if pack.Kind != session.KindCompaction || pack.Target != "" {
		return
	}
	kept := *pack
	kept.Target = replay.Extra.(*facts).id
	u.out.Entries[before] = &kept
	u.moved = append(u.moved, before)
}

// renamed gives an entry without an id a name that no other file's has.
func (u *unit) renamed(e *session.Entry) *session.Entry {
	if x := e.Extra.(*facts); x.id != "" || e.Span.File == 0 {
		return e
	}
	own := *e
	own.ID = stem(u.name(e.Span.File)) + ":" + e.ID
	return &own
}

func stem(name string) string {
	_, base := cut(name)
	return strings.TrimSuffix(base, ".jsonl")
}
