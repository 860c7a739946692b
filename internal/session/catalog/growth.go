package catalog

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/lanes"
)

// summaryState is the state with which a summary can be updated from appended entries,
// without the tree.
type summaryState struct {
	HeaderTime    int64                     // time of the header, ms or NoTime
	NewestMessage int64                     // time of the newest user or assistant message in ms, 0 for none
	LastModel     string                    // model of the last answer on the path, "" if the model was changed after it
	Labels        []session.LabelAnnotation // in the file, without times
	Copied        int                       // entries that were copied from another session
	Lines         int                       // number of entries, metadata included
	Lanes         []lanes.Branch
	Changes       fileChanges

	// AwaitedIDs are the ids of entries that would change more than sums, as sorted
	// hashes: missing ids that others reference, and repeated ones. IDs are the
	// existing ones.
	AwaitedIDs []uint64
	IDs        idFilter

	// Time of the newest conversation on the path to the leaf and elsewhere, ms or
	// NoTime. HasDeadEnd is set if there is a note about newer conversation elsewhere.
	NewestOnPath, NewestElsewhere int64
	HasDeadEnd                    bool

	HasConversation bool // the lane of the leaf has more than bookkeeping since the last fork
	CannotAppend    bool // an entry below the leaf is not plain growth: the leaf has children, or there is none
	HasTornLine     bool // there is a note about an unfinished last line
	UserTitled      bool // the user set or cleared the name
	// IsArranged: the format decides the parents, which appended lines alone do not
	// tell. Continuations are counted, and the leaf is the last message.
	IsArranged bool
	// IsInexact: entries were added to a session whose format arranges every file, so that
	// what depends on parents may differ from a reading of the whole file.
	IsInexact      bool
	ArrangesAlways bool
}

func newSummaryState(t *session.Tree, labels []session.LabelInfo) summaryState {
	leaf := t.Leaf()
	g := summaryState{HeaderTime: t.Header().Time, UserTitled: t.Header().UserTitled, HasConversation: laneHasConversation(t), LastModel: lastAnswerModel(t), NewestOnPath: session.NoTime, NewestElsewhere: session.NoTime}
	g.CannotAppend = leaf == session.NoPos || len(t.Children(leaf)) > 0
	for _, l := range labels {
		g.Labels = append(g.Labels, session.LabelAnnotation{Target: strings.Clone(t.At(l.Target).ID), Text: strings.Clone(l.Text)})
	}
	g.collectAwaited(t)
	g.IDs = newIDFilter(t.Len())
	g.IDs.Room -= t.Len()
	for p := range session.Pos(t.Len()) {
		g.IDs.setBits(session.HashParts(t.At(p).ID))
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
			g.AwaitedIDs = append(g.AwaitedIDs, session.HashParts(id))
		}
	}
	for p := range session.Pos(t.Len()) {
		e := t.At(p)
		if up := t.Parent(p); e.HasFlag(session.FlagHasParent) && (up == session.NoPos || t.At(up).ID != e.Parent) {
			missing(e.Parent)
		}
		if e.Kind == session.KindLabel || e.Kind == session.KindArchive {
			missing(e.Target())
		}
	}
	for _, n := range t.Notes() {
		switch n.Code {
		case session.NoteDuplicateID:
			g.AwaitedIDs = append(g.AwaitedIDs, session.HashParts(n.Entry))
		case session.NoteDeadEnd:
			g.HasDeadEnd = true
		}
	}
	slices.Sort(g.AwaitedIDs)
	g.AwaitedIDs = slices.Compact(g.AwaitedIDs)
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
			return e.ModelID()
		case e.Kind == session.KindModel && !e.HasFlag(session.FlagSecondary):
			return ""
		}
	}
	return ""
}
