package path

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
)

// copyPathEntry copies the entry at path[i] with what the tree knows about it.
func copyPathEntry(s view.Scene, path []session.Pos, i int, edits map[string]*contextEdit) pathEntry {
	t, p := s.Tree, path[i]
	e := pathEntry{Entry: *t.At(p), pos: p, index: i}
	if l, ok := t.Label(p); ok {
		e.label = view.OneLine(l.Text)
	}
	e.warning = view.OrphanWarning(t, p, &e.Entry)
	addThreadLinks(s, path, i, &e)
	e.edit = edits[e.ID]
	e.switcher = view.BranchSwitcher(s, p)
	switch e.Kind {
	case session.KindToolResult:
		if c, at := t.CallOf(p); at != session.NoPos {
			e.call = *c
		}
	case session.KindCompaction:
		e.tokensAfter = view.TokensAfterCompaction(t, p)
		e.coveredEntries = countCovered(t, path[:i], e.Target())
	case session.KindLabel, session.KindContextEdit, session.KindArchive, session.KindBranchSummary:
		resolveTarget(s, path, &e)
	}
	return e
}

// isPlain reports whether an entry shows nothing besides its own content: no label, note, or
// thread.
func (e *pathEntry) isPlain() bool {
	return e.label == "" && e.edit == nil && e.warning == "" && e.ownThread == nil && len(e.startedThreads) == 0
}

// resolveTarget sets the text and the link of the entry's target.
func resolveTarget(s view.Scene, path []session.Pos, e *pathEntry) {
	p := s.Tree.FindID(e.Target())
	if p == session.NoPos {
		return
	}
	on := slices.Contains(path, p)
	e.targetHref = s.EntryHref(e.Target(), on)
	if e.Kind != session.KindBranchSummary {
		e.targetText = rowtext.Cut(view.EntryText(s.Tree, p), 80)
	} else if head, entries, ok := view.AbandonedBranch(s.Tree, e.pos, p); ok {
		e.targetText, e.coveredEntries = rowtext.Cut(view.BranchTitle(s.Tree, head), 80), entries
	}
}

// countCovered returns the number of entries that a compaction replaces: those on the path
// before it, up to the first one kept.
func countCovered(t *session.Tree, before []session.Pos, kept string) int {
	if p := t.FindID(kept); p != session.NoPos {
		if i := slices.Index(before, p); i >= 0 {
			return i
		}
	}
	return len(before)
}
