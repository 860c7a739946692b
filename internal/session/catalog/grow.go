package catalog

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// growth is what must be known of a session, beside its summary, to sum it up
// anew when its file has grown, without its tree.
type growth struct {
	Begun   int64  // the header's time, ms or NoTime
	Newest  int64  // of the messages by user and model, ms; 0 none
	Answer  string // model of the last answer on the path when no change of model came after it
	Talk    bool   // the lane with the leaf holds more than bookkeeping since the last fork
	Odd     bool   // one more entry may change more than sums
	Torn    bool   // there is a note about an unfinished last line
	Labeled []string
	Lanes   []branch
}

func growthOf(t *session.Tree) growth {
	g := growth{Begun: t.Header().Time, Talk: talks(t), Answer: lastAnswer(t), Odd: odd(t)}
	for _, l := range t.Labels() {
		g.Labeled = append(g.Labeled, t.At(l.Target).ID)
	}
	return g
}

// talks reports whether the lane that ends in the leaf holds more than
// bookkeeping since it left another: then it counts as a branch already.
func talks(t *session.Tree) bool {
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		if !t.At(p).Kind.Bookkeeping() {
			return true
		}
		up := t.Parent(p)
		if up == session.NoPos && len(t.Roots()) > 1 || up != session.NoPos && len(t.Children(up)) > 1 {
			return false
		}
	}
	return false
}

// lastAnswer is the model of the last answer on the path to the leaf, "" when
// the model was changed since.
func lastAnswer(t *session.Tree) string {
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		switch e := t.At(p); {
		case e.Kind == session.KindAssistant:
			return e.Name
		case e.Kind == session.KindModel && !e.Has(session.FlagSecondary):
			return ""
		}
	}
	return ""
}

// odd reports whether one more entry below the leaf may change what is known of
// others: some wait for a parent or a target, an id stands twice, the leaf has
// children already, or newer conversation on another branch makes it a dead end.
func odd(t *session.Tree) bool {
	leaf := t.Leaf()
	if leaf == session.NoPos || len(t.Children(leaf)) > 0 {
		return true
	}
	for _, n := range t.Notes() {
		switch n.Code {
		case session.NoteOrphan, session.NoteCycle, session.NoteDuplicateID, session.NoteDeadEnd:
			return true
		}
	}
	onPath := make([]bool, t.Len())
	for p := leaf; p != session.NoPos; p = t.Parent(p) {
		onPath[p] = true
	}
	here, there := session.NoTime, session.NoTime
	for i, on := range onPath {
		switch e := t.At(session.Pos(i)); {
		case e.Target != "" && (e.Kind == session.KindLabel || e.Kind == session.KindArchive) && t.Find(e.Target) == session.NoPos:
			return true
		case e.Kind.Bookkeeping():
		case on:
			here = max(here, e.Time)
		default:
			there = max(there, e.Time)
		}
	}
	return there > here
}

// grow answers the item after an addition, when every entry added goes on from
// the one before and changes nothing but sums. Anything else (a branch, a new
// name, another model) happens by a reader's or an agent's decision, seldom
// enough to read the file again.
func (it *item) grow(a *store.Addition) (*item, bool) {
	if len(a.Entries) > 0 && it.Growth.Odd || a.Headers > 0 {
		return nil, false
	}
	next := *it
	next.Growth.Labeled = slices.Clone(it.Growth.Labeled)
	for i := range a.Entries {
		if !next.append(&a.Entries[i]) {
			return nil, false
		}
	}
	next.Mark = a.Mark
	next.Summary.Labels = len(next.Growth.Labeled)
	if !a.Same {
		next.Summary.Notes += len(a.Notes) + count(a.Torn) - count(it.Growth.Torn)
		next.Growth.Torn = a.Torn
	}
	next.finish()
	return &next, true
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// append adds an entry below the leaf. It answers false when the sums do not
// suffice for it.
func (it *item) append(e *session.Entry) bool {
	s := &it.Summary
	if !e.Has(session.FlagHasParent) || e.Parent != s.Leaf || e.ID == s.Leaf {
		return false
	}
	switch e.Kind {
	case session.KindName, session.KindArchive, session.KindReset:
		return false
	case session.KindModel:
		if !e.Has(session.FlagSecondary) {
			return false
		}
	case session.KindAssistant:
		if e.Name != s.Model && e.Name != it.Growth.Answer {
			return false
		}
		it.Growth.Answer = e.Name
	case session.KindUser:
		if s.FirstMessage == "" && e.Has(session.FlagText) {
			return false
		}
	case session.KindLabel:
		if !it.label(e) {
			return false
		}
	}
	if !e.Kind.Bookkeeping() && !it.Growth.Talk {
		return false
	}
	it.add(e)
	s.Entries++
	s.Leaf = e.ID
	return true
}

// label takes in a label on an entry that had one before. Of others it is not
// known here whether they exist.
func (it *item) label(e *session.Entry) bool {
	i := slices.Index(it.Growth.Labeled, e.Target)
	if i < 0 {
		return false
	}
	if e.Preview == "" {
		it.Growth.Labeled = slices.Delete(it.Growth.Labeled, i, i+1)
	}
	return true
}
