package wave

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// NoteNotAttached is the code of notes about subagents that no call is known of.
const NoteNotAttached = "not-attached"

// arranged lays the files of a session out: the session's own line of messages,
// the lines of its subagents under the calls that started them, and what was taken
// back by a rewind where it stood.
func arranged(files session.Unit, given []*session.Entry) session.Arranged {
	u := &unit{files: files, last: map[int32]session.Pos{}, lines: map[int32]int{}, back: map[string]bool{}}
	u.out = session.Arranged{Leaf: session.NoPos, More: u.more}
	u.add(given)
	u.attach()
	u.restore()
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
// where: a file that begins, a call that an agent may be of, or what was taken back.
func (u *unit) more(fresh []*session.Entry) (g session.Growth, ok bool) {
	for _, e := range fresh {
		_, begun := u.last[e.Span.File]
		switch {
		case !begun && e.Span.File != 0, u.back[e.ID], len(u.agents) > 0 && len(e.Extra.(*facts).asked) > 0:
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
	own    []session.Pos         // the entries that are no replays and of the session itself
	agents []int32               // files of subagents, in the order of their first entries
	back   map[string]bool       // ids of what was taken back
	moved  []session.Pos         // entries that others changed
	out    session.Arranged
}

// beside reports whether a file is none of the session's own.
func (u *unit) beside(file int32) bool { return u.rewound(file) != nil || isAgent(u.name(file)) }

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
	if !u.beside(file) {
		u.own = append(u.own, p)
		if file == 0 {
			u.out.Leaf, line.Leaf = p, p
		}
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

// attach hangs each subagent on the call that was made with its first words.
func (u *unit) attach() {
	used := map[session.Pos]int{} // calls of an entry that have their agent
	for _, file := range u.agents {
		line := &u.out.Lines[u.lines[file]]
		first := line.Entries[0]
		begins := *u.out.Entries[first]
		begins.Flags |= session.FlagAgent
		if at, title := u.caller(u.said(line), begins.Time, used); at != session.NoPos {
			line.At, line.Parent, line.Title = at, stem(u.name(0)), title
			u.out.Parent[first] = at
		} else {
			u.out.Notes = append(u.out.Notes, session.Note{Code: NoteNotAttached, File: int(file), Line: int(begins.Span.Line), Entry: begins.ID,
				Text: "Not attached: no call in this session asked for what this subagent was asked. It is shown as a root."})
		}
		u.out.Entries[first] = &begins
	}
}

// said is what a subagent was asked: its first prompt.
func (u *unit) said(line *session.DAGLine) string {
	for _, p := range line.Entries {
		if x := u.given[p].Extra.(*facts); x.words != "" {
			return x.words
		}
	}
	return ""
}

// caller finds the call that began an agent: the first one with its words, of
// those that have no agent yet, and that is not younger than it.
func (u *unit) caller(said string, begun int64, used map[session.Pos]int) (at session.Pos, title string) {
	for _, p := range u.own {
		e := u.given[p]
		asked := e.Extra.(*facts).asked
		if used[p] >= len(asked) || later(e.Time, begun) {
			continue
		}
		for i := range asked {
			if alike(asked[i].prompt, said) {
				used[p]++
				return p, asked[i].title
			}
		}
	}
	return session.NoPos, ""
}

// later reports whether a is surely after b. Times are of two writers.
func later(a, b int64) bool {
	const slack = 2000 // ms
	return a != session.NoTime && b != session.NoTime && a > b+slack
}

// alike reports whether an agent that was asked one thing may have begun with the
// other: the same words, or one within the other.
func alike(asked, said string) bool {
	a, b := strings.Join(strings.Fields(asked), " "), strings.Join(strings.Fields(said), " ")
	if a == "" || b == "" {
		return false
	}
	const enough = 20 // bytes that are no chance
	return a == b || len(a) >= enough && strings.Contains(b, a) || len(b) >= enough && strings.Contains(a, b)
}

// restore hangs what was taken back on the entry that it stood behind.
func (u *unit) restore() {
	if len(u.files.Rewound) == 0 {
		return
	}
	at := make(map[string]session.Pos, len(u.given))
	for p, e := range u.out.Entries {
		if _, ok := at[e.ID]; !ok && u.rewound(e.Span.File) == nil {
			at[e.ID] = session.Pos(p)
		}
	}
	for i := range u.files.Rewound {
		u.hangRewound(&u.files.Rewound[i], at)
	}
}

func (u *unit) hangRewound(r *session.Rewound, at map[string]session.Pos) {
	for p, e := range u.out.Entries {
		if e.Span.File != r.File {
			continue
		}
		own := *e
		if u.out.Parent[p] == session.NoPos {
			own.Flags |= session.FlagRewound
			if up, ok := at[r.After]; ok {
				u.out.Parent[p] = up
			}
		}
		for base := own.ID; ; own.ID += "~" {
			if _, taken := at[own.ID]; !taken {
				break
			} else if own.ID == base {
				own.Flags |= session.FlagArtifact
				own.Status = "written again since"
			}
		}
		at[own.ID] = session.Pos(p)
		u.back[e.ID] = true
		u.out.Entries[p] = &own
	}
	if k, ok := u.lines[r.File]; ok {
		line := &u.out.Lines[k]
		line.At, line.Parent, line.Branch = u.out.Parent[line.Entries[0]], stem(u.name(0)), true
	}
}

func stem(name string) string {
	_, base := cut(name)
	return strings.TrimSuffix(base, ".jsonl")
}
