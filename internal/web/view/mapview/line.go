package mapview

import (
	"fmt"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/sessionmap"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// line draws the line of a branch.
func (w *painter) line(i int) components.MapLine {
	b := &w.built.Branches[i]
	listed := &w.built.Listed[b.Index]
	y, from := laneY(b.Lane), spineY
	if b.Up >= 0 {
		from = laneY(w.built.Branches[b.Up].Lane)
	}
	l := components.MapLine{
		Class: lineClass(b, listed), Path: linePath(b, from, y, b.X1), Small: w.smallPath(b, from, y), Y: strconv.Itoa(y), EndX: px(b.X1),
		TitleX: px(b.X0 + sessionmap.CurveWidth), TitleY: strconv.Itoa(y + 16),
	}
	if b.ViewedX > 0 {
		l.Viewed = linePath(b, from, y, max(b.ViewedX, b.X0+sessionmap.CurveWidth))
	}
	switch {
	case b.Merged > 0:
		w.nameMerged(&l, b)
	case i > 0:
		w.nameBranch(&l, listed)
	case listed.Head != session.NoPos:
		l.Name, l.Href = "Current path, "+components.Pluralize(listed.Entries, "entry", "entries"), w.scene.Base()
	}
	w.addMarks(&l, b)
	return l
}

// laneY returns the y of a lane.
func laneY(lane int) int { return spineY + laneHeight*lane }

func lineClass(b *sessionmap.Branch, listed *branchlist.Branch) string {
	switch {
	case b.Merged > 0:
		return "merged"
	case listed.Kind == branchlist.SubAgent:
		return "agent"
	case listed.Kind == branchlist.Current:
		return "path"
	}
	return "branch"
}

// linePath returns the d of a line from its fork to a place.
func linePath(b *sessionmap.Branch, from, y int, to float64) string {
	if b.Up < 0 {
		return fmt.Sprintf("M%s %dH%s", px(b.X0+sessionmap.Margin), y, px(max(to, b.X0+sessionmap.Margin)))
	}
	return fmt.Sprintf("M%s %dV%dQ%s %d %s %dH%s", px(b.X0), from, y-curve, px(b.X0), y, px(b.X0+curve), y, px(to))
}

// smallPath returns the d of a line in the overview, which is as wide as the picture.
func (w *painter) smallPath(b *sessionmap.Branch, from, y int) string {
	scale := func(y int) string {
		return px(20 + float64(overview-26)*float64(y-spineY)/float64(max(1, laneHeight*w.built.Lanes)))
	}
	if b.Up < 0 {
		return fmt.Sprintf("M%d %sH%s", sessionmap.Margin, scale(y), px(b.X1))
	}
	return fmt.Sprintf("M%s %sV%sH%s", px(b.X0), scale(from), scale(y), px(b.X1))
}

// nameBranch sets the texts and the link of a branch.
func (w *painter) nameBranch(l *components.MapLine, b *branchlist.Branch) {
	to := w.params
	to.Branch = w.scene.Tree.At(b.Head).ID
	kind := "branch"
	if b.Kind == branchlist.SubAgent {
		kind = "sub-agent"
	}
	l.ID, l.Picked, l.Href = to.Branch, to.Branch == w.params.Branch, to.href(w.scene)
	l.Title, l.Count = w.shortTitle(b), components.FormatCount(b.Entries)
	l.Name = l.Title + " " + components.Pluralize(b.Entries, "entry", "entries") + ", " + kind
}

// nameMerged sets the texts of merged branches. The link shows more of them.
func (w *painter) nameMerged(l *components.MapLine, b *sessionmap.Branch) {
	l.Title = components.Pluralize(b.Merged, "branch", "branches")
	l.Name = l.Title + ", zoom in"
	l.Href = w.params.withZoom(w.scene, w.params.Zoom*2)
	if l.Href == "" {
		l.Href, l.Name = w.scene.Base()+"/branches", l.Title
	}
}

// addMarks draws the marks of a line.
func (w *painter) addMarks(l *components.MapLine, b *sessionmap.Branch) {
	for _, m := range b.Marks {
		at := components.MapText{X: px(m.X), Href: w.entryHref(m.Pos), Text: view.EntryText(w.scene.Tree, m.Pos)}
		switch m.Kind {
		case sessionmap.Prompt:
			l.Dots = append(l.Dots, components.MapDot{X: at.X, Href: at.Href, Title: at.Text})
		case sessionmap.Failure:
			l.Failures = append(l.Failures, at)
		case sessionmap.Compaction:
			l.Glyphs = append(l.Glyphs, at)
		}
	}
}
