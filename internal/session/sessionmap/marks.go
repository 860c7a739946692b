package sessionmap

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// addMarks adds the marks of all lines, and the bars and the tokens of the first.
func (b *builder) addMarks() {
	t := b.tree
	bars := map[int]*Bar{}
	taken := map[lineMark]bool{}
	for p := range session.Pos(t.Len()) {
		e, line := t.At(p), b.lineOf[b.branchOf[p]]
		if e.HasFlag(session.FlagMetadata) || e.HasFlag(session.FlagArtifact) {
			continue
		}
		if line == 0 {
			b.countCalls(e, p, bars)
			b.addContext(p)
		}
		if kind, ok := markOf(e); ok {
			b.addMark(line, Mark{kind, b.places[p], p}, taken)
		}
	}
	for _, l := range t.Labels() {
		b.addMark(b.lineOf[b.branchOf[l.Target]], Mark{Label, b.places[l.Target], l.Target}, taken)
	}
	b.thinMarks()
	for _, bar := range bars {
		b.result.Bars = append(b.result.Bars, *bar)
	}
	slices.SortFunc(b.result.Bars, func(x, y Bar) int { return cmp.Compare(x.X, y.X) })
	slices.SortStableFunc(b.result.Context, func(x, y Point) int { return cmp.Compare(x.X, y.X) })
}

// maxMarks is how many marks a map has at most. Each is a link in the page.
const maxMarks = 3000

// thinMarks leaves out marks if there are too many: of each line, an equal share.
func (b *builder) thinMarks() {
	all := 0
	for i := range b.result.Branches {
		all += len(b.result.Branches[i].Marks)
	}
	if all <= maxMarks {
		return
	}
	each := (all + maxMarks - 1) / maxMarks
	for i := range b.result.Branches {
		l := &b.result.Branches[i]
		kept := l.Marks[:0]
		for n := 0; n < len(l.Marks); n += each {
			kept = append(kept, l.Marks[n])
		}
		l.Marks = kept
	}
}

// lineMark is a place on a line where a mark of a kind is drawn.
type lineMark struct {
	line, place int
	kind        MarkKind
}

// markOf returns the mark of an entry.
func markOf(e *session.Entry) (kind MarkKind, ok bool) {
	_, failed := e.CountCalls()
	switch {
	case e.Kind == session.KindUser:
		return Prompt, true
	case failed > 0:
		return Failure, true
	case e.Kind == session.KindCompaction:
		return Compaction, true
	}
	return 0, false
}

// addMark adds a mark to a line of a single branch, unless there is one of its kind at nearly
// the same place.
func (b *builder) addMark(line int, m Mark, taken map[lineMark]bool) {
	l := &b.result.Branches[line]
	if line > 0 { // a sub-agent's first entry may be older than the one that it is attached to
		m.X = max(m.X, l.X0)
	}
	key := lineMark{line, int(m.X / minDistance), m.Kind}
	if l.Merged > 0 || taken[key] {
		return
	}
	taken[key] = true
	l.Marks = append(l.Marks, m)
}

// countCalls counts the finished tool calls of an entry in a bar.
func (b *builder) countCalls(e *session.Entry, p session.Pos, bars map[int]*Bar) {
	finished, failed := e.CountCalls()
	if finished == 0 {
		return
	}
	at := int(b.places[p] / BarWidth)
	if bars[at] == nil {
		bars[at] = &Bar{X: float64(at * BarWidth)}
	}
	bars[at].Calls += finished
	bars[at].Failed += failed
}

// addContext adds the tokens that an answer on the path to the leaf read, unless the point
// before is at nearly the same place and was not followed by a compaction.
func (b *builder) addContext(p session.Pos) {
	q := b.costs.Request(p)
	if q == nil || q.InputTokens() == 0 || !b.onPath.Has(p) {
		return
	}
	points := b.result.Context
	next := Point{b.places[p], q.InputTokens()}
	if n := len(points); n > 0 && next.X-points[n-1].X < 2 && next.X >= points[n-1].X && next.Tokens >= points[n-1].Tokens/2 {
		points[n-1] = next
		return
	}
	b.result.Context = append(points, next)
}
