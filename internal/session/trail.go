package session

import (
	"slices"
	"sort"
)

// Trail is a path with facts about its entries. The trail of the leaf is extended while
// the session grows, so that an append does not walk the path. A Trail is immutable.
type Trail struct {
	Path        []Pos // root first
	State       PathState
	Prompts     []int32 // indexes of prompts in Path
	Compactions []int32 // and of compactions
	Failures    []int32 // and of failed tool calls
	Edits       []Pos   // context edits
	Changed     Pos     // the last result that changed a file, else NoPos

	unordered bool // an entry of Path precedes one that is above it in the tree
	activity  activity
}

// Trail returns the trail of the path to leaf.
func (t *Tree) Trail(leaf Pos) *Trail {
	if leaf != NoPos && leaf == t.leaf {
		return t.leafTrail()
	}
	return t.walkTrail(leaf)
}

func (t *Tree) walkTrail(leaf Pos) *Trail {
	return Trail{State: newPathState(), Changed: NoPos}.extendedBy(t, t.Path(leaf))
}

// leafTrail returns the trail of the leaf. The tree must have one.
func (t *Tree) leafTrail() *Trail {
	if known := t.trail.Load(); known != nil {
		return known
	}
	t.LeafPath() // by which it is extended
	known := t.walkTrail(t.leaf)
	known.activity = activity{file: t.entries[t.leaf].Span.File, here: NoTime, there: NoTime, at: NoPos}
	known.activity.addEntries(t, 0)
	t.trail.Store(known)
	return known
}

// extendTrail extends the trail of the leaf by the new entries. The new leaf is the old
// one or below it.
func (b *treeBuilder) extendTrail() {
	t := b.tree
	known := t.trail.Load()
	if known == nil {
		return
	}
	if t.entries[t.leaf].Span.File != known.activity.file {
		t.trail.Store(nil)
		return
	}
	var more []Pos
	for p := t.leaf; p != known.Path[len(known.Path)-1]; p = t.parent[p] {
		more = append(more, p)
	}
	slices.Reverse(more)
	next := known.extendedBy(t, more)
	next.activity.addEntries(t, b.first)
	t.trail.Store(next)
}

// extendedBy returns r extended by entries of the tree. It shares the slices of r, so a
// trail may be extended only once.
func (r Trail) extendedBy(t *Tree, more []Pos) *Trail {
	for _, p := range more {
		e, at := t.entries[p], int32(len(r.Path))
		r.unordered = r.unordered || at > 0 && r.Path[at-1] > p
		r.Path = append(r.Path, p)
		r.State.addEntry(e, &t.header.Rules)
		if t.traits[p].HasAny(TraitFailed) {
			r.Failures = append(r.Failures, at)
		}
		switch {
		case e.Kind == KindUser:
			r.Prompts = append(r.Prompts, at)
		case e.Kind == KindCompaction:
			r.Compactions = append(r.Compactions, at)
		case e.Kind == KindContextEdit:
			r.Edits = append(r.Edits, p)
		case e.ChangesFile():
			r.Changed = p
		}
	}
	return &r
}

// Index returns the index of p in Path, or -1.
func (r *Trail) Index(p Pos) int {
	if r.unordered {
		return slices.Index(r.Path, p)
	}
	if i, found := slices.BinarySearch(r.Path, p); found {
		return i
	}
	return -1
}

// FirstOffLeafPath returns the index in Path of the first entry that is not on the path to
// the leaf of the tree, or len(Path).
func (r *Trail) FirstOffLeafPath(t *Tree) int {
	if t.leaf == NoPos {
		return 0
	}
	onPath := t.LeafPath()
	return sort.Search(len(r.Path), func(i int) bool { return !onPath.Has(r.Path[i]) })
}

// Forks returns the indexes in Path of entries with siblings, in order.
func (r *Trail) Forks(t *Tree) (forks []int32) {
	if len(r.Path) == 0 {
		return nil
	}
	if len(t.roots) > 1 {
		forks = append(forks, 0)
	}
	if r.unordered {
		for i, p := range r.Path[:len(r.Path)-1] {
			if t.childIndex.forks[p] != nil {
				forks = append(forks, int32(i+1))
			}
		}
		return forks
	}
	for p := range t.childIndex.forks {
		if i := r.Index(p); i >= 0 && i+1 < len(r.Path) {
			forks = append(forks, int32(i+1))
		}
	}
	slices.Sort(forks)
	return forks
}

// activity is the time of the last conversation in the leaf's file.
type activity struct {
	file        int32
	here, there int64 // on the path to the leaf, and elsewhere; or NoTime
	at          Pos   // the entry of there, else NoPos
}

// addEntries adds the entries of the tree from position first on.
func (a *activity) addEntries(t *Tree, first Pos) {
	path := t.LeafPath()
	for p := first; p < Pos(len(t.entries)); p++ {
		e := t.entries[p]
		switch {
		case e.Kind.IsBookkeeping() || e.Time == NoTime || e.Span.File != a.file:
		case path.Has(p):
			a.here = max(a.here, e.Time)
		case e.Time > a.there:
			a.there, a.at = e.Time, p
		}
	}
}
