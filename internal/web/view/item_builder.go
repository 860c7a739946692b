package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxToolGroup limits the entries of a tool group, because a growing page requests its last
// group again.
const maxToolGroup = 25

// itemBuilder builds the items of one page of the path.
type itemBuilder struct {
	renderer     *Renderer
	page         *PathPage
	bodies       []session.Body
	limits       itemLimits
	images       imageCounter
	openBudget   *highlightBudget // highlighting of open blocks
	closedBudget *highlightBudget // highlighting of closed blocks

	results      map[string][]int // call id -> indexes of its results, in order
	shownResults map[int]bool     // results shown with their call
	items        []components.ItemModel
	group        toolGroup
	notes        noteRun
	pendingFrom  int // index of the first entry that a running call may still change, or -1
}

// toolGroup is the tool group that is still open.
type toolGroup struct {
	item  int // index in items
	start int // index of its first entry
	size  int // entries; 0 = no open group
}

func newItemBuilder(r *Renderer, pg *PathPage, bodies []session.Body, l itemLimits) *itemBuilder {
	ib := &itemBuilder{
		renderer: r, page: pg, bodies: bodies, limits: l, openBudget: &highlightBudget{left: l.highlight, chargeCached: pg.audience.Standalone}, closedBudget: &highlightBudget{left: l.highlight / 2, chargeCached: pg.audience.Standalone},
		results: map[string][]int{}, shownResults: map[int]bool{}, pendingFrom: -1,
	}
	for i := range pg.entries {
		if e := &pg.entries[i]; e.Kind == session.KindToolResult {
			ib.results[e.CallID()] = append(ib.results[e.CallID()], i)
		}
	}
	return ib
}

// buildItems returns all items and the anchor: the id of the entry after which a growing
// path is requested again. Only the last tool group, the calls of the last answer and the
// last run of notes may still change.
func (ib *itemBuilder) buildItems() ([]components.ItemModel, string) {
	for i := range ib.page.shown {
		ib.addEntry(i)
	}
	anchor := ib.page.path.last
	switch {
	case ib.pendingFrom >= 0:
		anchor = ib.previousID(ib.pendingFrom)
	case ib.group.size > 0:
		anchor = ib.previousID(ib.group.start)
	case ib.isNoteRunOpen(ib.page.shown):
		anchor = ib.previousID(ib.notes.start)
	}
	if anchor == "" {
		anchor = beforeFirstEntry
	}
	if ib.page.path.atEnd {
		ib.items = append(ib.items, ib.endItem())
	}
	return ib.items, anchor
}

// previousID returns the id of the entry before the page's i-th.
func (ib *itemBuilder) previousID(i int) string {
	if i > 0 {
		return ib.page.entries[i-1].ID
	}
	return ib.page.path.prev
}

// addEntry adds the items of the page's i-th entry.
func (ib *itemBuilder) addEntry(i int) {
	e := &ib.page.entries[i]
	if ib.shownResults[i] {
		ib.addSwitcher(e, true)
		if ib.group.size > 0 {
			ib.group.size++
			ib.markTargetGroup(e)
		}
		ib.addStartedThreads(e)
		return
	}
	ib.addSwitcher(e, false)
	ib.addThreadHead(e)
	ib.addEntryItems(i)
	ib.addStartedThreads(e)
}

// addEntryItems adds the items of an entry itself, without switchers and links to threads.
func (ib *itemBuilder) addEntryItems(i int) {
	switch ib.page.entries[i].Kind {
	case session.KindAssistant:
		ib.addAnswer(i)
		return
	case session.KindToolResult:
		ib.addTools(i, []components.ToolModel{ib.buildTool(nil, i)})
		return
	}
	if m := ib.buildCard(i); !ib.appendCommandOutput(i, m) && !ib.mergeIntoNoteRun(i, m) {
		ib.addItem(m)
		ib.startNoteRun(i, m)
	}
}

// addItem adds an item other than a tool group and closes the open group.
func (ib *itemBuilder) addItem(m components.ItemModel) {
	ib.items = append(ib.items, m)
	ib.group = toolGroup{}
}

// addSwitcher adds the switcher before an entry that has siblings. The switcher of a result
// shown with its call precedes the group.
func (ib *itemBuilder) addSwitcher(e *pathEntry, grouped bool) {
	if e.switcher == nil {
		return
	}
	m := switcherItem(e.ID, e.switcher)
	m.Href = ib.page.pathHref(e.ID)
	if grouped && ib.group.size > 0 {
		at := ib.group.item
		ib.items = append(ib.items, m)
		copy(ib.items[at+1:], ib.items[at:])
		ib.items[at] = m
		ib.group.item++
		return
	}
	ib.addItem(m)
}

// addTools adds tools to the open group, or opens one.
func (ib *itemBuilder) addTools(i int, tools []components.ToolModel) {
	e := &ib.page.entries[i]
	if ib.group.size == 0 || ib.group.size >= maxToolGroup {
		m := ib.newItem(e, "tools")
		m.ID, m.Label = domID("t-", e.ID), ""
		ib.items = append(ib.items, m)
		ib.group = toolGroup{item: len(ib.items) - 1, start: i}
	}
	g := &ib.items[ib.group.item]
	g.Tools = append(g.Tools, tools...)
	ib.group.size++
	ib.markTargetGroup(e)
}

// markTargetGroup marks the open group if it contains the viewed entry.
func (ib *itemBuilder) markTargetGroup(e *pathEntry) {
	g := &ib.items[ib.group.item]
	g.Target = g.Target || ib.isViewed(e)
}

// isViewed reports whether the URL selects e.
func (ib *itemBuilder) isViewed(e *pathEntry) bool {
	return ib.page.params.Entry != "" && e.ID == ib.page.viewedID
}

// newItem returns the common part of all items.
func (ib *itemBuilder) newItem(e *pathEntry, kind string) components.ItemModel {
	m := components.ItemModel{
		Kind:   kind,
		ID:     domID("e-", e.ID),
		Entry:  e.ID,
		Href:   ib.page.pathHref(e.ID),
		Time:   ib.page.config.millisModel(e.Time),
		Label:  e.label,
		Target: ib.isViewed(e),
	}
	if ib.page.audience.Snapshot == nil {
		m.Change = ib.page.base
	}
	m.Raw = ib.page.rawURL(e.ID)
	if e.edit != nil {
		m.Edited = "replaced in the context"
		if e.edit.omit {
			m.Edited = "left out of the context from here on"
		}
		m.Edit = &components.Link{Text: "The entry that says so", Href: ib.page.pathHref(e.edit.by)}
	}
	if e.warning != "" {
		m.Pairs = append(m.Pairs, components.Pair{Name: "Warning", Value: e.warning})
	}
	return m
}

// endItem returns the item after the last entry.
func (ib *itemBuilder) endItem() components.ItemModel {
	p := ib.page.path
	m := components.ItemModel{Kind: "end", ID: "path-end", Title: "End of this branch"}
	if p.total == 0 {
		m.Title = "Before the first entry"
	}
	if !ib.page.atLeaf {
		return m
	}
	m.Kind, m.Title, m.Entry = "leaf", ib.page.audience.leafTitle(), p.last
	m.Detail = "entry " + components.FormatCount(p.entries)
	if ib.page.live {
		m.Detail = ib.page.config.TitleOfFormat(p.header.Format) + " is writing, " + m.Detail
	}
	if p.total == 0 {
		m.Title, m.Detail = "No entries yet", ""
	}
	return m
}
