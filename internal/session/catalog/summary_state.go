package catalog

import (
	"hash/fnv"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// summaryState is the state with which a summary can be updated from appended entries,
// without the tree.
type summaryState struct {
	HeaderTime      int64  // time of the header, ms or NoTime
	NewestMessage   int64  // time of the newest user or assistant message in ms, 0 for none
	LastModel       string // model of the last answer on the path, "" if the model was changed after it
	HasConversation bool   // the lane of the leaf has more than bookkeeping since the last fork
	CannotAppend    bool   // an entry below the leaf is not plain growth: the leaf has children, or there is none
	HasTornLine     bool   // there is a note about an unfinished last line
	Labeled         []string
	UserTitled      bool // the user set or cleared the name
	Copied          int  // entries that were copied from another session
	Lines           int  // number of entries, metadata included
	// IsArranged: the format decides the parents, which appended lines alone do not
	// tell. Continuations are counted, and the leaf is the last message.
	IsArranged bool
	Lanes      []laneBranch

	// AwaitedIDs are the ids of entries that would change more than sums, as sorted
	// hashes: missing ids that others reference, and repeated ones. IDs are the
	// existing ones.
	AwaitedIDs []uint64
	IDs        idFilter

	// Time of the newest conversation on the path to the leaf and elsewhere, ms or
	// NoTime. HasDeadEnd is set if there is a note about newer conversation elsewhere.
	NewestOnPath, NewestElsewhere int64
	HasDeadEnd                    bool
}

func newSummaryState(t *session.Tree, labels []session.LabelInfo) summaryState {
	leaf := t.Leaf()
	g := summaryState{HeaderTime: t.Header().Time, UserTitled: t.Header().UserTitled, HasConversation: laneHasConversation(t), LastModel: lastAnswerModel(t), NewestOnPath: session.NoTime, NewestElsewhere: session.NoTime}
	g.CannotAppend = leaf == session.NoPos || len(t.Children(leaf)) > 0
	for _, l := range labels {
		g.Labeled = append(g.Labeled, t.At(l.Target).ID)
	}
	g.collectAwaited(t)
	g.IDs = newIDFilter(t.Len())
	for p := range session.Pos(t.Len()) {
		g.IDs.addID(t.At(p).ID)
	}
	onPath := make([]bool, t.Len())
	for p := leaf; p != session.NoPos; p = t.Parent(p) {
		onPath[p] = true
	}
	for i, on := range onPath {
		switch e := t.At(session.Pos(i)); {
		case e.Kind.IsBookkeeping():
		case on:
			g.NewestOnPath = max(g.NewestOnPath, e.Time)
		default:
			g.NewestElsewhere = max(g.NewestElsewhere, e.Time)
		}
	}
	return g
}

// collectAwaited sets AwaitedIDs and HasDeadEnd.
func (g *summaryState) collectAwaited(t *session.Tree) {
	missing := func(id string) {
		if t.FindID(id) == session.NoPos {
			g.AwaitedIDs = append(g.AwaitedIDs, hashEntryID(id))
		}
	}
	for p := range session.Pos(t.Len()) {
		e := t.At(p)
		if e.HasFlag(session.FlagHasParent) {
			missing(e.Parent)
		}
		if e.Kind == session.KindLabel || e.Kind == session.KindArchive {
			missing(e.Target())
		}
	}
	for _, n := range t.Notes() {
		switch n.Code {
		case session.NoteDuplicateID:
			g.AwaitedIDs = append(g.AwaitedIDs, hashEntryID(n.Entry))
		case session.NoteDeadEnd:
			g.HasDeadEnd = true
		}
	}
	slices.Sort(g.AwaitedIDs)
	g.AwaitedIDs = slices.Compact(g.AwaitedIDs)
}

// hashEntryID returns a hash that is the same in every run, because the cache stores
// it. A collision only costs a reading of the file.
func hashEntryID(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

// laneHasConversation reports whether the lane of the leaf has more than bookkeeping
// since it left another lane: then it is counted as a branch already.
func laneHasConversation(t *session.Tree) bool {
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		if !t.At(p).Kind.IsBookkeeping() {
			return true
		}
		up := t.Parent(p)
		if up == session.NoPos && len(t.Roots()) > 1 || up != session.NoPos && len(t.Children(up)) > 1 {
			return false
		}
	}
	return false
}

// lastAnswerModel returns the model of the last answer on the path to the leaf, "" if
// the model was changed after it.
func lastAnswerModel(t *session.Tree) string {
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		switch e := t.At(p); {
		case e.Kind == session.KindAssistant:
			return e.Name
		case e.Kind == session.KindModel && !e.HasFlag(session.FlagSecondary):
			return ""
		}
	}
	return ""
}

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
	next := *it
	next.State.Labeled = slices.Clone(it.State.Labeled)
	next.State.IDs.Bits = slices.Clone(it.State.IDs.Bits)
	for i := range a.Entries {
		if !next.addPlainEntry(&a.Entries[i]) {
			return nil, false
		}
	}
	next.Checkpoint = a.Checkpoint
	next.Summary.Labels = len(next.State.Labeled)
	g := &next.State
	if len(a.Entries) > 0 {
		g.HasDeadEnd = g.NewestOnPath != session.NoTime && g.NewestElsewhere > g.NewestOnPath
	}
	if !a.Unchanged {
		g.HasTornLine = a.Torn
		next.Summary.Notes += len(a.Notes) + boolToInt(g.HasTornLine) - boolToInt(it.State.HasTornLine) + boolToInt(g.HasDeadEnd) - boolToInt(it.State.HasDeadEnd)
	}
	next.finishSummary()
	return &next, true
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// addPlainEntry adds an entry below the leaf. It returns false if the entry changes
// more than sums.
func (it *listedSession) addPlainEntry(e *session.Entry) bool {
	s := &it.Summary
	if it.State.IsArranged {
		return it.addArrangedEntry(e)
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
		if e.Name != s.Model && e.Name != it.State.LastModel {
			return false
		}
		it.State.LastModel = e.Name
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
func (it *listedSession) addArrangedEntry(e *session.Entry) bool {
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
		s.Model, s.Leaf = e.Name, e.ID
	case session.KindUser, session.KindToolResult:
		s.Leaf = e.ID
	}
	return true
}

// isPlainAddition reports whether e has a new id, no entry references it, and it cannot
// end a branch on purpose, which would remove the note about a dead end.
func (g *summaryState) isPlainAddition(e *session.Entry) bool {
	if _, awaited := slices.BinarySearch(g.AwaitedIDs, hashEntryID(e.ID)); awaited || g.IDs.mayContain(e.ID) {
		return false
	}
	moves := e.Kind == session.KindBranchSummary || e.Kind == session.KindLabel || e.HasFlag(session.FlagBranchMark)
	return !moves || g.NewestElsewhere <= g.NewestOnPath
}

// updateLabel updates the label of an entry that had one before. For other entries it
// returns false, because it is unknown whether they exist.
func (it *listedSession) updateLabel(e *session.Entry) bool {
	i := slices.Index(it.State.Labeled, e.Target())
	if i < 0 {
		return false
	}
	if e.Preview == "" {
		it.State.Labeled = slices.Delete(it.State.Labeled, i, i+1)
	}
	return true
}
