package pi

import (
	"path"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// NoteNotAttached is the code of notes about sub-agents whose call is unknown.
const NoteNotAttached = "not-attached"

// arrangeAgents attaches the files of sub-agents to the calls that started them. Within a file
// entries keep their recorded parents. Entries of agents get new ids, because ids are unique within
// one file only.
func arrangeAgents(unit session.FileGroup, given []*session.Entry) session.Arrangement {
	c := &arrangement{group: unit, files: map[int32]*fileTree{}, byName: map[string]*fileTree{}}
	c.out.Leaf, c.out.KeepsRecordedParents, c.out.Files = session.NoPos, true, unit.Names
	c.addEntries(given)
	c.attachAgents()
	c.reportedNotes = c.treeNotes()
	c.out.Notes = c.reportedNotes
	c.out.Extend = c.extend
	return c.out
}

// treeNotes returns notes about where the tree differs from the recorded lines.
func (c *arrangement) treeNotes() (notes []session.Note) {
	for _, f := range c.sorted {
		for _, n := range f.tree.StructureNotes() {
			if f.name != "" {
				n.Entry = c.agentEntryID(f, n.Entry)
			}
			notes = append(notes, n)
		}
		if f.name == "" || len(f.sessionPos) == 0 || f.attachedTo != session.NoPos {
			continue
		}
		e := c.out.Entries[f.sessionPos[f.tree.Roots()[0]]]
		notes = append(notes, session.Note{Code: NoteNotAttached, File: int(e.Span.File), Line: int(e.Span.Line), Entry: e.ID,
			Text: "Parent unknown: no call in this session started the sub-agent " + path.Base(f.name) + ". It is shown as a root."})
	}
	return notes
}

// extend adds entries that were read later. ok is false if they change the parent of earlier
// entries.
func (c *arrangement) extend(fresh []*session.Entry) (g session.ArrangementDelta, ok bool) {
	first := len(c.out.Entries)
	c.changed = map[session.Pos]bool{}
	if slices.ContainsFunc(fresh, c.needsRebuild) || c.addEntries(fresh) {
		return g, false
	}
	if c.concernsAgents(fresh, first) {
		for _, f := range c.attachAgents() {
			c.changed[f.sessionPos[f.tree.Roots()[0]]] = true
		}
	}
	if !slices.Equal(c.treeNotes(), c.reportedNotes) {
		return g, false
	}
	for p := range c.changed {
		if int(p) < first {
			g.Moved = append(g.Moved, session.MovedEntry{Pos: p, Parent: c.out.Parent[p], Entry: c.out.Entries[p]})
		}
	}
	g.Entries, g.Parent, g.Leaf, g.Threads = c.out.Entries[first:], c.out.Parent[first:], c.out.Leaf, c.out.Threads
	return g, true
}

// needsRebuild reports whether an entry is of a file that is not in the group, or of the session's
// own file with an id like those of agents' entries, so that theirs may have to change.
func (c *arrangement) needsRebuild(e *session.Entry) bool {
	return int(e.Span.File) >= len(c.group.Names) || e.Span.File == 0 && strings.Contains(e.ID, ":")
}

// concernsAgents reports whether one of the new entries names agents or is an agent's first.
func (c *arrangement) concernsAgents(fresh []*session.Entry, first int) bool {
	return slices.ContainsFunc(fresh, func(e *session.Entry) bool {
		_, says := e.Extra.(*spawnFacts)
		f := c.files[e.Span.File]
		return says || f.name != "" && int(f.sessionPos[0]) >= first
	})
}
