package tree

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

const (
	maxTicks      = 300 // limits the marks on the ruler
	maxFoundTicks = 150 // limits those of hits, and of failed calls
)

// rulerMark is a place on the path and the kind of mark there.
type rulerMark struct {
	at    int
	class string // see components.Tick
}

// buildTicks marks forks, labels, compactions and prompts along the path. If there are too
// many, it thins out the prompts first.
func buildTicks(s view.Scene, trail *session.Trail) []components.Tick {
	rare := thinMarks(rareMarks(s.Tree, trail), maxTicks)
	found := append(thinMarks(failureMarks(trail), maxFoundTicks), thinMarks(hitMarks(s, trail), maxFoundTicks)...)
	marks := make([]rulerMark, 0, maxTicks)
	for _, at := range thinMarks(trail.Prompts, maxTicks-len(rare)) {
		marks = append(marks, rulerMark{int(at), "prompt"})
	}
	marks = append(append(marks, rare...), found...)
	ticks := make([]components.Tick, len(marks))
	for i, m := range marks {
		ticks[i] = buildTick(s, m, trail.Path)
	}
	return ticks
}

// rareMarks lists labels, forks and compactions in the order of the path. It looks at
// them alone: a path may have a hundred thousand entries.
func rareMarks(t *session.Tree, trail *session.Trail) (rare []rulerMark) {
	for _, l := range t.Labels() {
		if at := trail.Index(l.Target); at >= 0 {
			rare = append(rare, rulerMark{at, "label"})
		}
	}
	for _, at := range trail.Forks(t) {
		if len(t.Subtrees().SiblingBranches(trail.Path[at])) > 1 {
			rare = append(rare, rulerMark{int(at), "fork"})
		}
	}
	for _, at := range trail.Compactions {
		rare = append(rare, rulerMark{int(at), "compaction"})
	}
	slices.SortStableFunc(rare, func(a, b rulerMark) int { return cmp.Compare(a.at, b.at) })
	return rare
}

func failureMarks(trail *session.Trail) []rulerMark {
	marks := make([]rulerMark, len(trail.Failures))
	for i, at := range trail.Failures {
		marks[i] = rulerMark{int(at), "failed"}
	}
	return marks
}

// hitMarks lists the entries of the path that match the query.
func hitMarks(s view.Scene, trail *session.Trail) (marks []rulerMark) {
	if s.View.MatchesEntry == nil {
		return nil
	}
	for at, p := range trail.Path {
		if s.View.MatchesEntry(p) {
			marks = append(marks, rulerMark{at, "hit"})
		}
	}
	return marks
}

func buildTick(s view.Scene, m rulerMark, path []session.Pos) components.Tick {
	e := s.Tree.At(path[m.at])
	t := components.Tick{Y: m.at * 1000 / len(path), Class: m.class, Href: s.EntryHref(e.ID, true)}
	switch m.class {
	case "prompt":
		t.Title = view.OneLine(rowtext.Cut(e.Preview, 60))
	case "fork":
		t.Title = "Fork"
	case "hit":
		t.Title = "Hit"
	case "failed":
		t.Title = "Failed tool call"
	case "compaction":
		t.Title, t.Time = view.CompactionTitle(e), s.Config.MillisModel(e.Time)
	case "label":
		if l, ok := s.Tree.Label(path[m.at]); ok {
			t.Title = view.OneLine(l.Text)
		}
	}
	return t
}

// thinMarks keeps n marks, evenly.
func thinMarks[M any](marks []M, n int) []M {
	if len(marks) <= n {
		return marks
	}
	out := make([]M, n)
	for i := range out {
		out[i] = marks[i*len(marks)/n]
	}
	return out
}
