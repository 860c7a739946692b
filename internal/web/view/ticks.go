package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxTicks is how many marks the ruler carries.
const maxTicks = 300

// mark is a tick before it is drawn: a place on the path and what stands there.
type mark struct {
	at    int
	class string // "u" prompt, "f" fork, "l" label, "p" compaction
}

// ticks marks forks, labels, compactions and prompts along the path. Where there
// are too many, prompts are thinned out before the others.
func (b *Builder) ticks(s Scene, path []session.Pos) []components.Tick {
	var rare, prompts []mark
	for i, p := range path {
		if _, ok := s.Tree.Label(p); ok {
			rare = append(rare, mark{i, "l"})
		}
		if forks(s.Tree, p) {
			rare = append(rare, mark{i, "f"})
		}
		switch s.Tree.At(p).Kind {
		case session.KindCompaction:
			rare = append(rare, mark{i, "p"})
		case session.KindUser:
			prompts = append(prompts, mark{i, "u"})
		}
	}
	rare = thin(rare, maxTicks)
	marks := append(thin(prompts, maxTicks-len(rare)), rare...)
	ticks := make([]components.Tick, len(marks))
	for i, m := range marks {
		ticks[i] = b.tick(s, m, path)
	}
	return ticks
}

func (b *Builder) tick(s Scene, m mark, path []session.Pos) components.Tick {
	e := s.Tree.At(path[m.at])
	t := components.Tick{Y: m.at * 1000 / len(path), Class: m.class, Href: s.href(e.ID, true)}
	switch m.class {
	case "u":
		t.Title = oneLine(cutRunes(e.Preview, 60))
	case "f":
		t.Title = "Fork"
	case "p":
		t.Title, t.Time = compactionText(e), b.moment(e.Time)
	case "l":
		if l, ok := s.Tree.Label(path[m.at]); ok {
			t.Title = oneLine(l.Text)
		}
	}
	return t
}

// forks reports whether a switcher stands before p.
func forks(t *session.Tree, p session.Pos) bool {
	siblings := t.Roots()
	if up := t.Parent(p); up != session.NoPos {
		siblings = t.Children(up)
	}
	return len(siblings) > 1 && len(t.Branches(p)) > 1
}

// thin keeps n marks, evenly.
func thin(marks []mark, n int) []mark {
	if len(marks) <= n {
		return marks
	}
	out := make([]mark, n)
	for i := range out {
		out[i] = marks[i*len(marks)/n]
	}
	return out
}
