package catalog

import (
	"hash/fnv"
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
	Fork    bool   // one more entry below the leaf is no plain growth: it has children, or there is none
	Torn    bool   // there is a note about an unfinished last line
	Labeled []string
	Titled  bool // the user gave the name, or took it away
	Copied  int  // entries that were copied from another session
	Lines   int  // entries, metadata included
	// Free: lines hang where the format decides, which an addition alone does not tell.
	// What goes on is counted, and the leaf is the last that was said.
	Free  bool
	Lanes []branch

	// Awaited are the ids whose coming changes more than sums, as hashes in order:
	// those that others name and that are missing, and those that stood twice. IDs
	// are those there are.
	Awaited []uint64
	IDs     idFilter

	// The newest conversation on the path to the leaf and beside it, ms or NoTime;
	// Dead says that there is a note because it went on there.
	Here, There int64
	Dead        bool
}

func growthOf(t *session.Tree, labels []session.LabelInfo) growth {
	leaf := t.Leaf()
	g := growth{Begun: t.Header().Time, Titled: t.Header().Titled, Talk: talks(t), Answer: lastAnswer(t), Here: session.NoTime, There: session.NoTime}
	g.Fork = leaf == session.NoPos || len(t.Children(leaf)) > 0
	for _, l := range labels {
		g.Labeled = append(g.Labeled, t.At(l.Target).ID)
	}
	g.await(t)
	g.IDs = newIDFilter(t.Len())
	for p := range session.Pos(t.Len()) {
		g.IDs.add(t.At(p).ID)
	}
	onPath := make([]bool, t.Len())
	for p := leaf; p != session.NoPos; p = t.Parent(p) {
		onPath[p] = true
	}
	for i, on := range onPath {
		switch e := t.At(session.Pos(i)); {
		case e.Kind.Bookkeeping():
		case on:
			g.Here = max(g.Here, e.Time)
		default:
			g.There = max(g.There, e.Time)
		}
	}
	return g
}

// await collects the ids whose coming changes more than sums.
func (g *growth) await(t *session.Tree) {
	missing := func(id string) {
		if t.Find(id) == session.NoPos {
			g.Awaited = append(g.Awaited, hash(id))
		}
	}
	for p := range session.Pos(t.Len()) {
		e := t.At(p)
		if e.Has(session.FlagHasParent) {
			missing(e.Parent)
		}
		if e.Kind == session.KindLabel || e.Kind == session.KindArchive {
			missing(e.Target)
		}
	}
	for _, n := range t.Notes() {
		switch n.Code {
		case session.NoteDuplicateID:
			g.Awaited = append(g.Awaited, hash(n.Entry))
		case session.NoteDeadEnd:
			g.Dead = true
		}
	}
	slices.Sort(g.Awaited)
	g.Awaited = slices.Compact(g.Awaited)
}

// hash is the same in every run: the cache keeps it. Two ids of one hash cost a
// reading, no more.
func hash(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
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

// renamed reports whether an addition may name the session otherwise.
func (it *item) renamed(a *store.Addition) bool {
	return it.Growth.Free && (a.Name != "" || a.Titled) && a.Name != it.Summary.Name
}

// grow answers the item after an addition, when every entry added goes on from
// the one before and changes nothing but sums. Anything else (a branch, a new
// name, another model) happens by a reader's or an agent's decision, seldom
// enough to read the file again.
func (it *item) grow(a *store.Addition) (*item, bool) {
	if len(a.Entries) > 0 && it.Growth.Fork && !it.Growth.Free || a.Headers > 0 || it.renamed(a) {
		return nil, false
	}
	next := *it
	next.Growth.Labeled = slices.Clone(it.Growth.Labeled)
	next.Growth.IDs.Bits = slices.Clone(it.Growth.IDs.Bits)
	for i := range a.Entries {
		if !next.append(&a.Entries[i]) {
			return nil, false
		}
	}
	next.Mark = a.Mark
	next.Summary.Labels = len(next.Growth.Labeled)
	g := &next.Growth
	if len(a.Entries) > 0 {
		g.Dead = g.Here != session.NoTime && g.There > g.Here
	}
	if !a.Same {
		g.Torn = a.Torn
		next.Summary.Notes += len(a.Notes) + count(g.Torn) - count(it.Growth.Torn) + count(g.Dead) - count(it.Growth.Dead)
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
	if it.Growth.Free {
		return it.goesOn(e)
	}
	if !e.Has(session.FlagHasParent) || e.Parent != s.Leaf || e.ID == s.Leaf || !it.Growth.plain(e) {
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
	if !e.Kind.Bookkeeping() {
		it.Growth.Here = max(it.Growth.Here, e.Time)
	}
	it.add(e)
	it.Growth.IDs.add(e.ID)
	s.Entries++
	it.Growth.Lines++
	s.Leaf = e.ID
	return true
}

// goesOn adds an entry to a session whose lines hang where the format decides. A
// prompt that hangs elsewhere goes back, and makes a branch.
func (it *item) goesOn(e *session.Entry) bool {
	s := &it.Summary
	back := e.Kind == session.KindUser && e.Parent != s.Leaf
	first := e.Kind == session.KindUser && s.FirstMessage == "" && e.Has(session.FlagText)
	if back || first || e.Kind == session.KindCompaction || !it.Growth.plain(e) {
		return false
	}
	it.add(e)
	it.Growth.Lines++
	if !e.Has(session.FlagMetadata) {
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

// plain reports whether nothing waits for e, its id is new, and whether it is none of those that
// may end a branch on purpose, which makes a dead end none.
func (g *growth) plain(e *session.Entry) bool {
	if _, awaited := slices.BinarySearch(g.Awaited, hash(e.ID)); awaited || g.IDs.has(e.ID) {
		return false
	}
	moves := e.Kind == session.KindBranchSummary || e.Kind == session.KindLabel || e.Has(session.FlagBranchMark)
	return !moves || g.There <= g.Here
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
