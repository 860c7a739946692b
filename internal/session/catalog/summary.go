package catalog

import (
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// maxPromptRunes is how many runes of the first prompt a list shows.
const maxPromptRunes = 200

// newListedSession returns the item of a session that was read in full.
func newListedSession(f store.File, s *store.ReadSummary) *listedSession {
	t, h := s.Tree, s.Tree.Header()
	name, labels := t.RecordedNameAndLabels()
	it := &listedSession{Checkpoint: s.Checkpoint, State: newSummaryState(t, labels)}
	sum := &it.Summary
	*sum = Summary{
		Key: store.DeriveKey(s.Format.Name, h.ID, f.Path), Format: s.Format.Name, Path: f.Path, Root: f.Root,
		ID: h.ID, Cwd: h.Cwd, Name: name, Parent: h.Parent, FirstMessage: truncatePrompt(s.Prompt),
		Entries: t.EntryCount(), Agents: t.AgentCount(), Labels: len(labels), Model: t.ContextState(t.Leaf()).Model, Notes: len(t.Notes()),
	}
	if leaf := t.Leaf(); leaf != session.NoPos {
		sum.Leaf = t.At(leaf).ID
	}
	if h.CwdGuessed || h.CwdInferred {
		it.CwdGuessed, sum.Cwd = true, cwdFromPath(s.Format, f.Path)
	}
	sum.Orphaned = s.Orphaned
	it.State.IsArranged = s.Format.Related != nil
	if s.Torn {
		sum.Notes++
		it.State.HasTornLine = true
	}
	for p := range t.Len() {
		it.countEntry(t.At(session.Pos(p)))
	}
	it.State.Lines = t.Len()
	branches := listBranches(t)
	sum.Branches = len(branches)
	it.State.Lanes = packLanes(branches)
	it.finishSummary()
	return it
}

// countEntry adds an entry to the counts.
func (it *listedSession) countEntry(e *session.Entry) {
	if e.HasFlag(session.FlagMetadata) {
		return
	}
	if e.Copied {
		it.State.Copied++
		return
	}
	it.Summary.Cost += e.Cost()
	if e.HasFlag(session.FlagArtifact) || e.HasFlag(session.FlagCommand) { // recorded a second time or by mistake; of the prompt line
		return
	}
	switch e.Kind {
	case session.KindUser, session.KindAssistant:
		if e.MessageTime != session.NoTime {
			it.State.NewestMessage = max(it.State.NewestMessage, e.MessageTime)
		}
		it.Summary.Messages++
	case session.KindToolResult, session.KindShell, session.KindSystem, session.KindMessage:
		it.Summary.Messages++
	}
}

// finishSummary sets the fields that depend on others.
func (it *listedSession) finishSummary() {
	s, g := &it.Summary, &it.State
	s.Size, s.FileTime = it.Checkpoint.Size, time.Unix(0, it.Checkpoint.Mtime)
	s.Created, s.Modified = s.FileTime, s.FileTime
	if g.HeaderTime != session.NoTime {
		s.Created, s.Modified = time.UnixMilli(g.HeaderTime), time.UnixMilli(g.HeaderTime)
	}
	if g.NewestMessage > 0 {
		s.Modified = time.UnixMilli(g.NewestMessage)
	}
	s.Shape = scaleShape(g.Lanes, g.Lines)
}

// truncatePrompt returns the first maxPromptRunes runes of a prompt as one line.
func truncatePrompt(s string) string {
	const most = 16 * maxPromptRunes // in bytes; some may be white space
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), most)], "")), " ")
	n := 0
	for i := range s {
		if n++; n > maxPromptRunes {
			return s[:i] + "…"
		}
	}
	return s
}
