package catalog

import (
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// promptLen is how much of the first prompt a list shows, in runes.
const promptLen = 200

// newItem sums up a session that was read whole.
func newItem(f store.File, s *store.Survey) *item {
	t, h := s.Tree, s.Tree.Header()
	name, labels := t.Recorded()
	it := &item{Mark: s.Mark, Growth: growthOf(t, labels)}
	sum := &it.Summary
	*sum = Summary{
		Key: store.Key(s.Format.Name, h.ID, f.Path), Format: s.Format.Name, Path: f.Path, Root: f.Root,
		ID: h.ID, Cwd: h.Cwd, Name: name, Parent: h.Parent, FirstMessage: cut(s.Prompt),
		Entries: t.Count(), Agents: t.Agents(), Labels: len(labels), Model: t.ContextState(t.Leaf()).Model, Notes: len(t.Notes()),
	}
	if leaf := t.Leaf(); leaf != session.NoPos {
		sum.Leaf = t.At(leaf).ID
	}
	if h.Guessed || h.Shared {
		it.CwdGuessed, sum.Cwd = true, guessedCwd(s.Format, f.Path)
	}
	sum.Lost = s.Lost
	it.Growth.Free = s.Format.Kin != nil
	if s.Torn {
		sum.Notes++
		it.Growth.Torn = true
	}
	for p := range t.Len() {
		it.add(t.At(session.Pos(p)))
	}
	it.Growth.Lines = t.Len()
	branches := branchesOf(t)
	sum.Branches = len(branches)
	it.Growth.Lanes = pack(branches)
	it.finish()
	return it
}

// add counts one entry.
func (it *item) add(e *session.Entry) {
	if e.Has(session.FlagMetadata) {
		return
	}
	if e.Copied {
		it.Growth.Copied++
		return
	}
	it.Summary.Cost += e.Cost
	if e.Has(session.FlagArtifact) || e.Has(session.FlagCommand) { // recorded a second time or by mistake; of the prompt line
		return
	}
	switch e.Kind {
	case session.KindUser, session.KindAssistant:
		if e.Stamp != session.NoTime {
			it.Growth.Newest = max(it.Growth.Newest, e.Stamp)
		}
		it.Summary.Messages++
	case session.KindToolResult, session.KindShell, session.KindSystem, session.KindMessage:
		it.Summary.Messages++
	}
}

// finish sets what follows from the rest.
func (it *item) finish() {
	s, g := &it.Summary, &it.Growth
	s.Size, s.FileTime = it.Mark.Size, time.Unix(0, it.Mark.Mtime)
	s.Created, s.Modified = s.FileTime, s.FileTime
	if g.Begun != session.NoTime {
		s.Created, s.Modified = time.UnixMilli(g.Begun), time.UnixMilli(g.Begun)
	}
	if g.Newest > 0 {
		s.Modified = time.UnixMilli(g.Newest)
	}
	s.Shape = shape(g.Lanes, g.Lines)
}

// cut makes one line of at most promptLen runes of a prompt.
func cut(s string) string {
	const most = 16 * promptLen // bytes; white space may take some of them
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), most)], "")), " ")
	n := 0
	for i := range s {
		if n++; n > promptLen {
			return s[:i] + "…"
		}
	}
	return s
}
