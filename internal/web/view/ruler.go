package view

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// maxTicks limits the marks on the ruler.
const maxTicks = 300

// rulerMark is a place on the path and the kind of mark there.
type rulerMark struct {
	at    int
	class string // "u" prompt, "f" fork, "l" label, "p" compaction
}

// buildTicks marks forks, labels, compactions and prompts along the path. If there are too
// many, it thins out the prompts first.
func (b *Builder) buildTicks(s Scene, path []session.Pos) []components.Tick {
	var rare, prompts []rulerMark
	for i, p := range path {
		if _, ok := s.Tree.Label(p); ok {
			rare = append(rare, rulerMark{i, "l"})
		}
		if hasSwitcher(s.Tree, p) {
			rare = append(rare, rulerMark{i, "f"})
		}
		switch s.Tree.At(p).Kind {
		case session.KindCompaction:
			rare = append(rare, rulerMark{i, "p"})
		case session.KindUser:
			prompts = append(prompts, rulerMark{i, "u"})
		}
	}
	rare = thinMarks(rare, maxTicks)
	marks := append(thinMarks(prompts, maxTicks-len(rare)), rare...)
	ticks := make([]components.Tick, len(marks))
	for i, m := range marks {
		ticks[i] = b.buildTick(s, m, path)
	}
	return ticks
}

func (b *Builder) buildTick(s Scene, m rulerMark, path []session.Pos) components.Tick {
	e := s.Tree.At(path[m.at])
	t := components.Tick{Y: m.at * 1000 / len(path), Class: m.class, Href: s.entryHref(e.ID, true)}
	switch m.class {
	case "u":
		t.Title = oneLine(rowtext.Cut(e.Preview, 60))
	case "f":
		t.Title = "Fork"
	case "p":
		t.Title, t.Time = compactionTitle(e), b.millisModel(e.Time)
	case "l":
		if l, ok := s.Tree.Label(path[m.at]); ok {
			t.Title = oneLine(l.Text)
		}
	}
	return t
}

// hasSwitcher reports whether p is preceded by a switcher.
func hasSwitcher(t *session.Tree, p session.Pos) bool {
	siblings := t.Roots()
	if up := t.Parent(p); up != session.NoPos {
		siblings = t.Children(up)
	}
	return len(siblings) > 1 && len(t.SiblingBranches(p)) > 1
}

// thinMarks returns n evenly distributed marks.
func thinMarks(marks []rulerMark, n int) []rulerMark {
	if len(marks) <= n {
		return marks
	}
	out := make([]rulerMark, n)
	for i := range out {
		out[i] = marks[i*len(marks)/n]
	}
	return out
}
