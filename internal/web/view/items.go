package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxGroup is how many entries one bordered group of tools may hold. A bound
// keeps what a growing page asks for again small.
const maxGroup = 25

// itemBuilder makes the items of one page of the path.
type itemBuilder struct {
	b      *Builder
	pg     *page
	bodies []session.Body
	limits limits
	images imageCount
	ration *ration // for colouring what is open
	spare  *ration // and what is closed

	results map[string][]int // call id -> entries that answer it, in order
	merged  map[int]bool     // results shown with their call
	out     []components.ItemModel
	group   group
	changes changes
	pending int // index of the first entry that a running call may still change, -1 none
}

// group is the run of tool entries that is still open.
type group struct {
	item  int // index in out
	start int // index of its first entry
	size  int // entries; 0 = no group is open
}

func newItemBuilder(b *Builder, pg *page, bodies []session.Body, l limits) *itemBuilder {
	ib := &itemBuilder{
		b: b, pg: pg, bodies: bodies, limits: l, ration: &ration{left: l.colours, fixed: pg.stand.Whole}, spare: &ration{left: l.colours / 2, fixed: pg.stand.Whole},
		results: map[string][]int{}, merged: map[int]bool{}, pending: -1,
	}
	for i := range pg.entries {
		if e := &pg.entries[i]; e.Kind == session.KindToolResult {
			ib.results[e.Call] = append(ib.results[e.Call], i)
		}
	}
	return ib
}

// items makes all items, and the anchor: the id of the entry after which a
// growing path is to be asked for again. Only the last group of tools may still
// change, by further calls, a call of the last answer, by its result, and a last
// line of changes, by further ones.
func (ib *itemBuilder) items() ([]components.ItemModel, string) {
	for i := range ib.pg.shown {
		ib.entry(i)
	}
	anchor := ib.pg.path.last
	switch {
	case ib.pending >= 0:
		anchor = ib.before(ib.pending)
	case ib.group.size > 0:
		anchor = ib.before(ib.group.start)
	case ib.changing(ib.pg.shown):
		anchor = ib.before(ib.changes.start)
	}
	if anchor == "" {
		anchor = noLeaf
	}
	if ib.pg.path.atEnd {
		ib.out = append(ib.out, ib.end())
	}
	return ib.out, anchor
}

// before is the id of the entry before the page's i-th.
func (ib *itemBuilder) before(i int) string {
	if i > 0 {
		return ib.pg.entries[i-1].ID
	}
	return ib.pg.path.prev
}

// entry adds the items of the page's i-th entry.
func (ib *itemBuilder) entry(i int) {
	e := &ib.pg.entries[i]
	if ib.merged[i] {
		ib.fork(e, true)
		if ib.group.size > 0 {
			ib.group.size++
			ib.aim(e)
		}
		ib.joinLines(e)
		return
	}
	ib.fork(e, false)
	ib.joinHead(e)
	ib.own(i)
	ib.joinLines(e)
}

// own adds the items of an entry itself.
func (ib *itemBuilder) own(i int) {
	switch ib.pg.entries[i].Kind {
	case session.KindAssistant:
		ib.answer(i)
		return
	case session.KindToolResult:
		ib.addTools(i, []components.ToolModel{ib.tool(nil, i)})
		return
	}
	if m := ib.card(i); !ib.printed(i, m) && !ib.change(i, m) {
		ib.add(m)
		ib.beginChanges(i, m)
	}
}

// add adds an item that is no group of tools, and so ends one.
func (ib *itemBuilder) add(m components.ItemModel) {
	ib.out = append(ib.out, m)
	ib.group = group{}
}

// fork adds the switcher before an entry that has siblings. A result stands with
// its call: its switcher goes before the group.
func (ib *itemBuilder) fork(e *pathEntry, grouped bool) {
	if e.branch == nil {
		return
	}
	m := components.ItemModel{
		Kind: "fork", ID: domID("s-", e.ID), Entry: e.ID, Href: ib.pg.href(e.ID), Switch: e.branch,
	}
	if grouped && ib.group.size > 0 {
		at := ib.group.item
		ib.out = append(ib.out, m)
		copy(ib.out[at+1:], ib.out[at:])
		ib.out[at] = m
		ib.group.item++
		return
	}
	ib.add(m)
}

// addTools puts tools into the open group, or opens one.
func (ib *itemBuilder) addTools(i int, tools []components.ToolModel) {
	e := &ib.pg.entries[i]
	if ib.group.size == 0 || ib.group.size >= maxGroup {
		m := ib.item(e, "tools")
		m.ID, m.Label = domID("t-", e.ID), ""
		ib.out = append(ib.out, m)
		ib.group = group{item: len(ib.out) - 1, start: i}
	}
	g := &ib.out[ib.group.item]
	g.Tools = append(g.Tools, tools...)
	ib.group.size++
	ib.aim(e)
}

// aim marks the open group when it holds the viewed entry.
func (ib *itemBuilder) aim(e *pathEntry) {
	g := &ib.out[ib.group.item]
	g.Target = g.Target || ib.viewed(e)
}

// viewed reports whether e is the entry that the reader chose.
func (ib *itemBuilder) viewed(e *pathEntry) bool {
	return ib.pg.params.Entry != "" && e.ID == ib.pg.viewed
}

// item is what all items have in common.
func (ib *itemBuilder) item(e *pathEntry, kind string) components.ItemModel {
	m := components.ItemModel{
		Kind:   kind,
		ID:     domID("e-", e.ID),
		Entry:  e.ID,
		Href:   ib.pg.href(e.ID),
		Time:   ib.b.moment(e.Time),
		Label:  e.label,
		Target: ib.viewed(e),
	}
	if ib.pg.stand.Reader == nil {
		m.Change = ib.pg.base
	}
	m.Raw = ib.pg.rawURL(e.ID)
	if e.edit != nil {
		m.Edited = "replaced in the context"
		if e.edit.omit {
			m.Edited = "left out of the context from here on"
		}
		m.Edit = &components.Link{Text: "The entry that says so", Href: ib.pg.href(e.edit.by)}
	}
	if e.warn != "" {
		m.Pairs = append(m.Pairs, components.Pair{Name: "Warning", Value: e.warn})
	}
	return m
}

// end is the item behind the last entry.
func (ib *itemBuilder) end() components.ItemModel {
	p := ib.pg.path
	m := components.ItemModel{Kind: "end", ID: "path-end", Title: "End of this branch"}
	if p.total == 0 {
		m.Title = "Before the first entry"
	}
	if !ib.pg.atLeaf {
		return m
	}
	m.Kind, m.Title, m.Entry = "leaf", ib.pg.stand.ending(), p.last
	m.Detail = "entry " + comma(p.entries)
	if ib.pg.live {
		m.Detail = ib.b.formatTitle(p.header.Format) + " is writing, " + m.Detail
	}
	if p.total == 0 {
		m.Title, m.Detail = "No entries yet", ""
	}
	return m
}
