package pi

import (
	"path"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// NoteNotAttached is the code of notes about sub-agents that no call is known of.
const NoteNotAttached = "not-attached"

// arranged attaches the files of sub-agents to the calls that started them. In each
// file entries hang as they were recorded; those of agents get names of their own, since
// ids are unique within one file only.
func arranged(unit session.Unit, given []*session.Entry) session.Arranged {
	c := &arrangement{unit: unit, files: map[int32]*fileTree{}, byName: map[string]*fileTree{}}
	c.out.Leaf, c.out.Recorded, c.out.Files = session.NoPos, true, unit.Names
	c.add(given)
	c.attach()
	c.noted = c.notes()
	c.out.Notes = c.noted
	c.out.More = c.more
	return c.out
}

// notes tells where the tree differs from what was recorded.
func (c *arrangement) notes() (notes []session.Note) {
	for _, f := range c.sorted {
		for _, n := range f.tree.Differences() {
			if f.name != "" {
				n.Entry = c.nameIn(f, n.Entry)
			}
			notes = append(notes, n)
		}
		if f.name == "" || len(f.at) == 0 || f.up != session.NoPos {
			continue
		}
		e := c.out.Entries[f.at[f.tree.Roots()[0]]]
		notes = append(notes, session.Note{Code: NoteNotAttached, File: int(e.Span.File), Line: int(e.Span.Line), Entry: e.ID,
			Text: "Parent unknown: no call in this session started the sub-agent " + path.Base(f.name) + ". It is shown as a root."})
	}
	return notes
}

// more takes in entries that came later, unless they change what older ones hang on.
func (c *arrangement) more(fresh []*session.Entry) (g session.Growth, ok bool) {
	first := len(c.out.Entries)
	c.changed = map[session.Pos]bool{}
	if slices.ContainsFunc(fresh, c.unknown) || c.add(fresh) {
		return g, false
	}
	if c.tells(fresh, first) {
		for _, f := range c.attach() {
			c.changed[f.at[f.tree.Roots()[0]]] = true
		}
	}
	if !slices.Equal(c.notes(), c.noted) {
		return g, false
	}
	for p := range c.changed {
		if int(p) < first {
			g.Moved = append(g.Moved, session.Moved{Pos: p, Parent: c.out.Parent[p], Entry: c.out.Entries[p]})
		}
	}
	g.Entries, g.Parent, g.Leaf, g.Lines = c.out.Entries[first:], c.out.Parent[first:], c.out.Leaf, c.out.Lines
	return g, true
}

// unknown reports whether an entry is of a file whose name is not known yet, or of the
// session itself and called as those of agents are: theirs may have to be called otherwise.
func (c *arrangement) unknown(e *session.Entry) bool {
	return int(e.Span.File) >= len(c.unit.Names) || e.Span.File == 0 && strings.Contains(e.ID, ":")
}

// tells reports whether one of the new entries says something of agents, or begins one.
func (c *arrangement) tells(fresh []*session.Entry, first int) bool {
	return slices.ContainsFunc(fresh, func(e *session.Entry) bool {
		_, says := e.Extra.(*spawned)
		f := c.files[e.Span.File]
		return says || f.name != "" && int(f.at[0]) >= first
	})
}
