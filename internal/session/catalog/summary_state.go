package catalog

import (
	"iter"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/bools"
	"sessiontree/internal/session/store"
)

// isRenamed reports whether an addition may rename the session.
func (it *listedSession) isRenamed(a *store.Addition) bool {
	return it.State.IsArranged && (a.Name != "" || a.UserTitled) && a.Name != it.Summary.Name
}

// applyAddition returns the item after an addition. ok is false unless every added
// entry continues the one before and only changes sums. Other changes (a branch, a new
// name, another model) are rare enough to read the file again.
func (it *listedSession) applyAddition(a *store.Addition) (*listedSession, bool) {
	if len(a.Entries) > 0 && it.State.CannotAppend && !it.State.IsArranged || a.Headers > 0 || it.isRenamed(a) {
		return nil, false
	}
	if a.Format != nil && a.Format.Name != it.Summary.Format { // the first lines did not tell it
		return nil, false
	}
	next, err := it.inMemory()
	if err != nil {
		return nil, false // the session file has it, too
	}
	next.State.Changes = it.State.Changes.clone()
	next.State.Labels = slices.Clone(it.State.Labels)
	track := *it.Summary.Activity
	next.Summary.Activity = &track
	for i := range a.Entries {
		if !next.addPlainEntry(&a.Entries[i], &a.Format.Activity) {
			return nil, false
		}
	}
	next.Checkpoint = a.Checkpoint
	next.Spend = next.Spend.Extend(a.Entries)
	next.State.IsInexact = next.State.IsInexact || next.State.ArrangesAlways && len(a.Entries) > 0
	next.Summary.Labels, next.Summary.LabelTexts = len(next.State.Labels), next.State.labelTexts()
	g := &next.State
	if len(a.Entries) > 0 {
		g.HasDeadEnd = g.NewestOnPath != session.NoTime && g.NewestElsewhere > g.NewestOnPath
	}
	if !a.Unchanged {
		g.HasTornLine = a.Torn
		next.Summary.Notes += len(a.Notes) + bools.ToInt(g.HasTornLine) - bools.ToInt(it.State.HasTornLine) + bools.ToInt(g.HasDeadEnd) - bools.ToInt(it.State.HasDeadEnd)
	}
	next.finishSummary()
	return next, true
}

// addPlainEntry adds an entry below the leaf. It returns false if the entry changes
// more than sums.
func (it *listedSession) addPlainEntry(e *session.Entry, rules *session.ActivityRules) bool {
	s := &it.Summary
	if it.State.IsArranged {
		return it.addArrangedEntry(e, rules)
	}
	if !e.HasFlag(session.FlagHasParent) || e.Parent != s.Leaf || e.ID == s.Leaf || !it.State.isPlainAddition(e) {
		return false
	}
	switch e.Kind {
	case session.KindName, session.KindArchive, session.KindReset:
		return false
	case session.KindModel:
		if !e.HasFlag(session.FlagSecondary) {
			return false
		}
	case session.KindAssistant:
		if e.ModelID() != s.Model && (e.ModelID() == "" || e.ModelID() != it.State.LastModel) {
			return false
		}
		it.State.LastModel = e.ModelID()
	case session.KindUser:
		if s.FirstMessage == "" && e.HasFlag(session.FlagText) {
			return false
		}
	case session.KindLabel:
		if !it.updateLabel(e) {
			return false
		}
	}
	if !e.Kind.IsBookkeeping() && !it.State.HasConversation {
		return false
	}
	if !e.Kind.IsBookkeeping() {
		it.State.NewestOnPath = max(it.State.NewestOnPath, e.Time)
	}
	s.Activity.Add(e, rules)
	it.countEntry(e)
	it.State.IDs.addID(e.ID)
	s.Entries++
	it.State.Lines++
	s.Leaf = e.ID
	return true
}

// addArrangedEntry adds an entry to a session whose parents the format decides. It
// returns false for a prompt that does not continue the leaf, because that makes a
// branch.
func (it *listedSession) addArrangedEntry(e *session.Entry, rules *session.ActivityRules) bool {
	s := &it.Summary
	back := e.Kind == session.KindUser && e.Parent != s.Leaf
	first := e.Kind == session.KindUser && s.FirstMessage == "" && e.HasFlag(session.FlagText)
	if back || first || e.Kind == session.KindCompaction || !it.State.isPlainAddition(e) {
		return false
	}
	it.countEntry(e)
	it.State.Lines++
	if !e.HasFlag(session.FlagMetadata) {
		s.Entries++
	}
	switch e.Kind {
	case session.KindAssistant:
		s.Model, s.Leaf = e.ModelID(), e.ID
	case session.KindUser, session.KindToolResult:
		s.Leaf = e.ID
	}
	s.Activity.Add(e, rules)
	return true
}

// isPlainAddition reports whether e has a new id, no entry references it, and it cannot
// end a branch on purpose, which would remove the note about a dead end.
func (g *summaryState) isPlainAddition(e *session.Entry) bool {
	if _, awaited := slices.BinarySearch(g.AwaitedIDs, session.HashParts(e.ID)); awaited || g.IDs.mayContain(e.ID) {
		return false
	}
	moves := e.Kind == session.KindBranchSummary || e.Kind == session.KindLabel || e.HasFlag(session.FlagBranchMark)
	return !moves || g.NewestElsewhere <= g.NewestOnPath
}

// updateLabel updates the label of an entry that had one before. For other entries it
// returns false, because it is unknown whether they exist.
func (it *listedSession) updateLabel(e *session.Entry) bool {
	i := slices.IndexFunc(it.State.Labels, func(l session.LabelAnnotation) bool { return l.Target == e.Target() })
	if i < 0 {
		return false
	}
	if e.Preview == "" {
		it.State.Labels = slices.Delete(it.State.Labels, i, i+1)
	} else {
		it.State.Labels[i].Text = e.Preview
	}
	return true
}

// labelTexts returns the texts of the labels in the file.
func (g *summaryState) labelTexts() []string {
	var texts []string
	for _, l := range g.Labels {
		texts = append(texts, l.Text)
	}
	return sortedTexts(slices.Values(texts))
}

// sortedTexts returns texts in order, each once.
func sortedTexts(texts iter.Seq[string]) []string { return slices.Compact(slices.Sorted(texts)) }
