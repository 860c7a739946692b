package mapview

import (
	"slices"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/sessionmap"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxRows is how many entries of the picked branch are listed.
const maxRows = 100

// maxPreview is how many of them a preview has, and the last one.
const maxPreview = 4

// PageModel returns the page with the map of a session, or a part of it.
func PageModel(s view.Scene, page components.Page, p Params) components.MapModel {
	if p.Part == "panel" {
		return components.MapModel{Part: p.Part, Rev: s.Rev, Panel: panelModel(s, p)}
	}
	if p.Part == "branch" {
		return components.MapModel{Part: p.Part, Rev: s.Rev, Picked: previewModel(s, p)}
	}
	w := newPainter(s, p)
	name := view.SessionName(s.Tree)
	page.Title = "Map, " + name
	m := components.MapModel{
		Page: page, Part: p.Part, Key: s.Key, Rev: s.Rev, Base: s.Base(), Name: name, Project: view.ProjectName(s.Tree), Live: s.Live,
		Facts: Facts(s, w.built.Listed), Picture: w.picture(),
		ZoomIn: p.withZoom(s, p.Zoom*2), ZoomOut: p.withZoom(s, p.Zoom/2), Fit: p.withZoom(s, 1), Axes: p.axes(s),
	}
	if p.Branch != "" {
		m.Picked = w.pickedBranch()
	}
	return m
}

// Facts returns the numbers of entries, branches and sub-agents of a session.
func Facts(s view.Scene, listed []branchlist.Branch) []string {
	entries, branches, agents := 0, 0, 0
	for i := range listed {
		entries += listed[i].Entries
		switch listed[i].Kind {
		case branchlist.Abandoned:
			branches++
		case branchlist.SubAgent:
			agents++
		}
	}
	facts := []string{components.Pluralize(entries, "entry", "entries")}
	if branches > 0 {
		facts = append(facts, components.Pluralize(branches, "branch", "branches"))
	}
	if agents > 0 {
		facts = append(facts, components.Pluralize(agents, "sub-agent", "sub-agents"))
	}
	return facts
}

// pickedBranch returns the details of the picked branch, nil if there is none.
func (w *painter) pickedBranch() *components.MapBranchDetails {
	t := w.scene.Tree
	for i := range w.built.Listed {
		b := &w.built.Listed[i]
		if i == 0 || t.At(b.Head).ID != w.params.Branch {
			continue
		}
		closed := w.params
		closed.Branch = ""
		d := &components.MapBranchDetails{
			Title: view.BranchTitle(t, b.Head), Agent: b.Kind == branchlist.SubAgent, When: w.scene.Config.MillisModel(t.At(b.Head).Time),
			Open: w.scene.BranchHref(b.Head), Close: closed.href(w.scene),
		}
		if up := t.Parent(b.Head); up != session.NoPos {
			d.From = view.EntryText(t, up)
		}
		w.addEntries(d, int32(i))
		d.Compare = w.compareHref(b)
		return d
	}
	return nil
}

// previewModel returns the picked branch with few of its entries.
func previewModel(s view.Scene, p Params) *components.MapBranchDetails {
	listed, branchOf := branchlist.AssignEntries(s.Tree, s.Costs())
	w := &painter{scene: s, params: p, built: &sessionmap.Map{Listed: listed, BranchOf: branchOf}}
	d := w.pickedBranch()
	if d == nil {
		return &components.MapBranchDetails{}
	}
	d.Facts = d.Facts[1:] // the row has the number of entries, with those of inner branches
	if n := len(d.Rows); n > maxPreview+1 {
		d.Rows = append(d.Rows[:maxPreview:maxPreview], d.Rows[n-1])
	}
	return d
}

// compareHref returns the URL that compares a branch with the viewed path, "" if that goes
// through it.
func (w *painter) compareHref(b *branchlist.Branch) string {
	t, viewed := w.scene.Tree, w.scene.View.Leaf
	if viewed == session.NoPos || slices.Contains(t.Path(viewed), b.Head) {
		return ""
	}
	tip := t.Subtrees().NewestLeaf(b.Head)
	return w.scene.Base() + "/compare?" + view.CompareQuery([]string{t.At(viewed).ID, t.At(tip).ID}).Encode()
}

// addEntries adds the facts and the entries of the branch of an index.
func (w *painter) addEntries(d *components.MapBranchDetails, branch int32) {
	t, b := w.scene.Tree, &w.built.Listed[branch]
	calls, failed, more := 0, 0, 0
	for p := range session.Pos(t.Len()) {
		e := t.At(p)
		if w.built.BranchOf[p] != branch || t.Traits(p).CountWeight() == 0 {
			continue
		}
		finished, bad := e.CountCalls()
		calls, failed = calls+finished, failed+bad
		if e.Kind.IsBookkeeping() {
			continue
		}
		if len(d.Rows) == maxRows {
			more++
			continue
		}
		d.Rows = append(d.Rows, w.entryModel(p, e))
	}
	if more > 0 {
		d.More = "and " + components.Pluralize(more, "more entry", "more entries")
	}
	d.Facts = []components.NamedValue{
		{Name: "Entries", Value: components.FormatCount(b.Entries)},
		{Name: "Calls", Value: components.FormatCount(calls)},
		{Name: "Failed", Value: strconv.Itoa(failed), Bad: failed > 0},
		{Name: "Tokens", Value: view.FormatTokens(b.Tokens)},
		{Name: "Cost", Value: view.FormatKnownDollars(b.Cost, b.Unpriced != 0)},
	}
}

func (w *painter) entryModel(p session.Pos, e *session.Entry) components.MapEntry {
	m := components.MapEntry{
		Kind: "note", Text: view.EntryText(w.scene.Tree, p),
		Href: w.entryHref(p), When: w.scene.Config.MillisModel(e.Time),
	}
	_, failed := e.CountCalls()
	m.Failed = failed > 0
	switch e.Kind {
	case session.KindUser:
		m.Kind = "user"
	case session.KindAssistant:
		m.Kind = "answer"
	case session.KindToolResult, session.KindShell:
		m.Kind = "tool"
	}
	return m
}
