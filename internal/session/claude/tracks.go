package claude

import (
	"cmp"
	"slices"
	"strings"
)

// track is one DAG-line: the trunk of a session, a branch in it, or an agent.
type track struct {
	name   string
	parent string // name of the line it hangs on, "" for a root
	at     int32  // the entry it hangs on, or none
	branch bool
	ids    []int32

	segments []int // that it is joined of, in order
}

// arrangement is what became of a graph: every node stands on exactly one line
// or is folded under its recorded parent.
type arrangement struct {
	*graph
	tracks  []track // in order of discovery
	trackOf []int32
	rung    []rungID       // folded nodes: the rung that folded them; 0 = on a line
	named   map[string]int // tracks by name
	rings   []int32        // entries whose line hung on one below it
}

// fork is one decision of the ladder.
type fork struct {
	at   int32
	rung rungID
	set  bool // rung 1 set structural children aside before
	left int  // children that remained after rung 1
}

// segment is a stretch of a line; a line may have several.
type segment struct {
	name string
	ids  []int32
}

// arrange builds the lines of all sessions.
func arrange(g *graph) *arrangement {
	a, _ := walked(g)
	return a
}

// walked is arrange, and what is needed to go on from there.
func walked(g *graph) (*arrangement, *walker) {
	a := &arrangement{graph: g, trackOf: make([]int32, len(g.nodes)), rung: make([]rungID, len(g.nodes)), named: map[string]int{}}
	for i := range a.trackOf {
		a.trackOf[i] = none
	}
	w := newWalker(a)
	for _, members := range g.bySession() {
		w.session(members)
	}
	for i := range w.segments {
		a.join(w.segments, i)
	}
	for k := range a.tracks {
		a.lengthen(w.segments, k)
	}
	a.attach()
	return a, w
}

// bySession groups nodes by the session that owns them, in order of appearance.
func (g *graph) bySession() [][]int32 {
	groups := make([][]int32, len(g.owners))
	for i, k := range g.owner {
		groups[k] = append(groups[k], int32(i))
	}
	return groups
}

// join makes a segment part of the line that it names.
func (a *arrangement) join(segments []segment, i int) (k int) {
	name := segments[i].name
	k, ok := a.named[name]
	if !ok {
		k = len(a.tracks)
		a.named[name] = k
		a.tracks = append(a.tracks, track{name: name, at: none, branch: strings.Contains(name, "@")})
	}
	a.tracks[k].segments = append(a.tracks[k].segments, i)
	return k
}

// lengthen lays the segments of a line one after the other, by the time of their
// first entry.
func (a *arrangement) lengthen(segments []segment, k int) {
	t := &a.tracks[k]
	first := func(i int) string { return a.nodes[segments[i].ids[0]].stamp }
	slices.SortStableFunc(t.segments, func(x, y int) int { return cmp.Compare(first(x), first(y)) })
	t.ids = t.ids[:0]
	for _, i := range t.segments {
		t.ids = append(t.ids, segments[i].ids...)
	}
	for _, p := range t.ids {
		a.trackOf[p] = int32(k)
	}
}

// attach hangs every line on the entry that its first entry names as parent. A
// parent that is folded stays the attachment; the line's parent is then the one
// of the nearest entry above that is on a line.
func (a *arrangement) attach() {
	for i := range a.tracks {
		l := &a.tracks[i]
		l.at, l.parent = a.parent[l.ids[0]], ""
		for p := l.at; p != none; p = a.parent[p] {
			if k := a.trackOf[p]; k != none && k != int32(i) {
				l.parent = a.tracks[k].name
				break
			}
		}
		if l.parent == "" {
			l.at = none
		}
	}
}

// parents answers the arranged parent of every node: the one before it on its
// line, the line's attachment, or for what is folded the recorded one. Lines of
// several sessions may hang on one another in a ring, because a line is joined of
// what several roots gave; the ring is cut where the earliest of them begins.
func (a *arrangement) parents() []int32 {
	up := slices.Clone(a.parent)
	for i := range a.tracks {
		l := &a.tracks[i]
		up[l.ids[0]] = l.at
		for k := 1; k < len(l.ids); k++ {
			up[l.ids[k]] = l.ids[k-1]
		}
	}
	eachCycle(up, func(at int32) {
		first := none
		for p := at; ; {
			if k := a.trackOf[p]; k != none && a.tracks[k].ids[0] == p && (first == none || a.nodes[p].stamp < a.nodes[first].stamp) {
				first = p
			}
			if p = up[p]; p == at {
				break
			}
		}
		up[first] = none
		a.rings = append(a.rings, first)
	})
	return up
}

// eachCycle calls cut with an entry of every chain of parents that leads back to
// itself; cut must end that. What was proven to end is not walked twice.
func eachCycle(up []int32, cut func(at int32)) {
	const proven = int32(-1)
	met := make([]int32, len(up)) // 0 = not met, proven, or the walk that met it
	for i := range up {
		walk, at := int32(i)+1, int32(i)
		for at != none && met[at] == 0 {
			met[at] = walk
			at = up[at]
		}
		cycle := at != none && met[at] == walk
		for p := int32(i); p != none && met[p] == walk; p = up[p] {
			met[p] = proven
		}
		if cycle {
			cut(at)
		}
	}
}
