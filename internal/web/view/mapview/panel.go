package mapview

import (
	"encoding/json"
	"fmt"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/sessionmap"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// Places and sizes in the panel next to the path, in px. Its axis goes from top to bottom.
const (
	panelWidth  = 262
	panelSpineX = 34
	panelLane   = 21 // distance of two lanes, if there is room
	panelLanes  = 68 // room for all lanes
	panelLabelX = 116
	panelCurve  = 14
	panelTitle  = 22 // runes
	panelSlot   = 12 // texts are more than a slot apart
	minPanel    = 160
	maxPanel    = 4000
	maxStops    = 120
)

// panelPainter makes the picture of the panel.
type panelPainter struct {
	painter
	taken map[int]bool // slots of texts
}

// panelModel returns the picture of the whole session next to the path.
func panelModel(s view.Scene, p Params) *components.MapPanel {
	w := &panelPainter{painter: painter{scene: s, params: p}, taken: map[int]bool{}}
	w.built = sessionmap.Build(s.Tree, s.Costs(), sessionmap.Options{
		Axis: p.Axis, Width: float64(p.Height), Room: sessionmap.Margin, Tip: s.View.Leaf,
		LabelWidth: func(*branchlist.Branch) float64 { return 0 },
	})
	m := &components.MapPanel{
		Height: strconv.Itoa(p.Height), ViewBox: fmt.Sprintf("0 0 %d %d", panelWidth, p.Height), Summary: w.summary(),
		Page: p.pageParams().href(s), Axes: p.pageParams().axes(s), Stops: w.stops(),
	}
	for _, pause := range w.built.Pauses {
		m.Pauses = append(m.Pauses, components.MapPause{X: px(pause.X0), Width: px(pause.X1 - pause.X0)})
	}
	for _, b := range w.built.Bars {
		if b.Failed > 0 {
			m.Failures = append(m.Failures, px(b.X))
		}
	}
	for i := range w.built.Branches {
		m.Lines = append(m.Lines, w.panelLine(i))
	}
	w.addLabels(m)
	return m
}

// pageParams are the parameters of the page of the same map.
func (p Params) pageParams() Params { return Params{Axis: p.Axis, Zoom: 1} }

// laneX returns the x of a lane.
func (w *panelPainter) laneX(lane int) float64 {
	return panelSpineX + float64(lane)*min(panelLane, panelLanes/float64(max(1, w.built.Lanes)))
}

// panelLine draws the line of a branch. Its link shows the branch in the path.
func (w *panelPainter) panelLine(i int) components.MapPanelLine {
	b := &w.built.Branches[i]
	listed, x := &w.built.Listed[b.Index], w.laneX(b.Lane)
	l := components.MapPanelLine{Class: lineClass(b, listed), X: px(x), EndY: px(b.X1), Path: w.panelPath(b, b.X1)}
	if b.ViewedX > 0 {
		l.Viewed = w.panelPath(b, max(b.ViewedX, b.X0+sessionmap.CurveWidth))
	}
	if i > 0 && b.Merged == 0 {
		l.Href = w.scene.BranchHref(listed.Head)
		l.Name = w.shortTitle(listed) + ", " + components.Pluralize(listed.Entries, "entry", "entries")
	}
	for _, m := range b.Marks {
		if m.Kind == sessionmap.Prompt {
			l.Dots = append(l.Dots, components.MapDot{X: px(m.X), Href: w.entryHref(m.Pos), Title: view.EntryText(w.scene.Tree, m.Pos)})
		}
	}
	return l
}

// panelPath returns the d of a line from its fork to a place on the axis.
func (w *panelPainter) panelPath(b *sessionmap.Branch, to float64) string {
	x := px(w.laneX(b.Lane))
	if b.Up < 0 {
		return fmt.Sprintf("M%s %sV%s", x, px(b.X0+sessionmap.Margin), px(max(to, b.X0+sessionmap.Margin)))
	}
	up := w.laneX(w.built.Branches[b.Up].Lane)
	bend := min(panelCurve, max(w.laneX(b.Lane)-up, 1))
	return fmt.Sprintf("M%s %sH%sQ%s %s %s %sV%s", px(up), px(b.X0), px(w.laneX(b.Lane)-bend), x, px(b.X0), x, px(b.X0+bend), px(to))
}

// addLabels adds the texts right of the lines: the leaf, labels, compactions, and the titles
// of branches. A text for which there is no room is left out.
func (w *panelPainter) addLabels(m *components.MapPanel) {
	if len(w.built.Branches) == 0 {
		return
	}
	spine := &w.built.Branches[0]
	w.addLabel(m, components.MapPanelLabel{Class: "leaf", Text: "leaf", Href: w.scene.Base()}, 0, spine.X1)
	for _, kind := range []sessionmap.MarkKind{sessionmap.Label, sessionmap.Compaction} {
		for _, mark := range spine.Marks {
			if mark.Kind == kind {
				w.addMarkLabel(m, mark)
			}
		}
	}
	for i := range w.built.Branches[1:] {
		b := &w.built.Branches[i+1]
		listed := &w.built.Listed[b.Index]
		label := components.MapPanelLabel{Class: lineClass(b, listed)}
		if b.Merged > 0 {
			label.Text, label.Href = components.Pluralize(b.Merged, "branch", "branches"), w.params.pageParams().href(w.scene)
		} else {
			label.Text, label.Count = rowtext.Cut(w.shortTitle(listed), panelTitle), components.FormatCount(listed.Entries)
			label.Href = w.scene.BranchHref(listed.Head)
		}
		w.addLabel(m, label, b.Lane, b.X1)
	}
}

// addMarkLabel adds the text of a label or a compaction.
func (w *panelPainter) addMarkLabel(m *components.MapPanel, mark sessionmap.Mark) {
	label := components.MapPanelLabel{Class: "compaction", Text: "Compacted", Href: w.entryHref(mark.Pos)}
	if mark.Kind == sessionmap.Label {
		text, _ := w.scene.Tree.Label(mark.Pos)
		label.Class, label.Text = "label", rowtext.Cut(view.OneLine(text.Text), panelTitle)
	}
	w.addLabel(m, label, 0, mark.X)
}

// addLabel adds a text at a place on the axis, with a line from its lane, if there is room.
func (w *panelPainter) addLabel(m *components.MapPanel, l components.MapPanelLabel, lane int, y float64) {
	slot := int(y) / panelSlot
	for d := -1; d <= 1; d++ {
		if w.taken[slot+d] {
			return
		}
	}
	w.taken[slot] = true
	l.X, l.Y, l.FromX = strconv.Itoa(panelLabelX), px(y), px(w.laneX(lane)+7)
	m.Labels = append(m.Labels, l)
}

// stops returns the places of entries of the viewed path, evenly spaced along the path, as
// JSON: [[place, id], ...].
func (w *panelPainter) stops() string {
	t := w.scene.Tree
	if w.scene.View.Leaf == session.NoPos {
		return "[]"
	}
	path := t.Path(w.scene.View.Leaf)
	n := min(len(path), maxStops)
	stops, last := make([][2]any, 0, n), 0.0
	for i := range n {
		p := path[i*(len(path)-1)/max(1, n-1)]
		last = max(last, w.built.Places[p]) // clocks go back
		stops = append(stops, [2]any{int(last), t.At(p).ID})
	}
	text, err := json.Marshal(stops)
	if err != nil { // ids are strings
		return "[]"
	}
	return string(text)
}
