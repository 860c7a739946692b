package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxTicks is how many marks the ruler carries.
const maxTicks = 300

// ticks marks forks, labels and prompts along the path. Where there are too many,
// prompts are thinned out before forks and labels.
func (b *Builder) ticks(s Scene, path []session.Pos) []components.Tick {
	var rare, prompts []components.Tick
	for i, p := range path {
		e := s.Tree.At(p)
		tick := components.Tick{Y: i * 1000 / len(path), Href: s.href(e.ID, true)}
		if l, ok := s.Tree.Label(p); ok {
			tick.Class, tick.Title = "l", oneLine(l.Text)
			rare = append(rare, tick)
		}
		if forks(s.Tree, p) {
			tick.Class, tick.Title = "f", "Fork"
			rare = append(rare, tick)
		}
		if e.Kind == session.KindUser {
			tick.Class, tick.Title = "u", oneLine(cutRunes(e.Preview, 60))
			prompts = append(prompts, tick)
		}
	}
	rare = thin(rare, maxTicks)
	return append(thin(prompts, maxTicks-len(rare)), rare...)
}

// forks reports whether a switcher stands before p.
func forks(t *session.Tree, p session.Pos) bool {
	siblings := t.Roots()
	if up := t.Parent(p); up != session.NoPos {
		siblings = t.Children(up)
	}
	return len(siblings) > 1 && len(t.Branches(p)) > 1
}

// thin keeps n ticks, evenly.
func thin(ticks []components.Tick, n int) []components.Tick {
	if len(ticks) <= n {
		return ticks
	}
	out := make([]components.Tick, n)
	for i := range out {
		out[i] = ticks[i*len(ticks)/n]
	}
	return out
}
