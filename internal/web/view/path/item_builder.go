package path

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// itemBuilder builds the items of one page of the path.
type itemBuilder struct {
	page   *Page
	bodies []session.Body
	blocks *blockBuilder
	tools  *toolBuilder

	results      map[string][]int // call id -> indexes of its results, in order
	shownResults map[int]bool     // results shown with their call
	items        []components.Item
	group        openGroup
	notes        noteRun
	prompt       promptRun
	starts       []int // index of the first entry of the item of each entry
	pendingFrom  int   // index of the first entry that a running call may still change, or -1
}

func newItemBuilder(r *Renderer, pg *Page, bodies []session.Body, l itemLimits) *itemBuilder {
	blocks := newBlockBuilder(r, pg, bodies, l)
	ib := &itemBuilder{
		page: pg, bodies: bodies, blocks: blocks, tools: &toolBuilder{page: pg, bodies: bodies, blocks: blocks},
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
// path is requested again. Only the last tool group, the calls of the last answer, the last
// run of notes, a prompt at the end, and what the last request or compaction cost may still change.
func (ib *itemBuilder) buildItems() ([]components.Item, string) {
	for i := range ib.page.shown {
		before := len(ib.items)
		ib.addEntry(i)
		ib.addStart(i, before)
	}
	anchor := ib.page.path.last
	if from := min(ib.openItemStart(), ib.unsettledIndex()); from < ib.page.shown {
		anchor = ib.previousID(from)
	}
	if anchor == "" {
		anchor = view.BeforeFirstEntry
	}
	if ib.page.path.atEnd {
		ib.items = append(ib.items, ib.pathEnd())
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
	if ib.shownResults[i] || ib.isToolRecord(i) {
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
		ib.addTools(i, []components.ToolModel{ib.tools.buildTool(nil, i)})
		return
	}
	if ib.belongsToNextCommand(i) {
		ib.group = openGroup{}
		return
	}
	item := ib.buildItem(i)
	switch m := item.(type) {
	case *components.CustomItem:
		if ib.appendCommandOutput(i, m.Blocks) {
			return
		}
		if isHiddenNote(&ib.page.entries[i]) {
			ib.addNote(i, &components.NoteItem{EntryHead: m.EntryHead, Icon: "event", Title: m.Who, Detail: m.Detail, Blocks: m.Blocks})
			return
		}
	case *components.NoteItem:
		if !ib.appendCommandOutput(i, m.Blocks) && !ib.attachToPrompt(i, m) {
			ib.addNote(i, m)
		}
		return
	case *components.UserItem:
		ib.prompt = promptRun{m, i, 1}
	}
	ib.addItem(item)
}

// buildItem returns the item of an entry that is neither an answer nor a tool result.
func (ib *itemBuilder) buildItem(i int) components.Item {
	e := &ib.page.entries[i]
	switch e.Kind {
	case session.KindUser:
		return ib.userItem(i)
	case session.KindShell:
		return ib.shellItem(i)
	case session.KindSystem:
		return ib.systemItem(i)
	case session.KindMessage:
		return &components.MessageItem{Card: ib.newCard(i, view.RoleName(e.Role))}
	case session.KindCustomMessage:
		return ib.customItem(i)
	case session.KindCompaction:
		return ib.compactionItem(i)
	case session.KindBranchSummary:
		return ib.branchSummaryItem(i)
	}
	return ib.noteItem(i)
}

// addItem adds an item other than a tool group and closes the open group.
func (ib *itemBuilder) addItem(m components.Item) {
	ib.items = append(ib.items, m)
	ib.group = openGroup{}
}

// addSwitcher adds the switcher before an entry that has siblings. The switcher of a result
// shown with its call precedes the group.
func (ib *itemBuilder) addSwitcher(e *pathEntry, grouped bool) {
	switch {
	case e.switcher == nil:
	case grouped && ib.group.size > 0:
		ib.items = slices.Insert(ib.items, ib.group.at, components.Item(e.switcher))
		ib.group.at++
	default:
		ib.addItem(e.switcher)
	}
}

// isViewed reports whether the URL selects e.
func (ib *itemBuilder) isViewed(e *pathEntry) bool {
	return ib.page.params.Entry != "" && e.ID == ib.page.viewedID
}

// newHead returns what the items of all entries have in common.
func (ib *itemBuilder) newHead(e *pathEntry) components.EntryHead {
	m := components.EntryHead{
		ItemHead: components.ItemHead{ID: view.DomID("e-", e.ID), Entry: e.ID, Target: ib.isViewed(e)},
		Href:     ib.page.pathHref(e.ID),
		Time:     ib.page.config.MillisModel(e.Time),
		Label:    e.label,
	}
	if ib.page.audience.Snapshot == nil {
		m.Change = ib.page.base
	}
	m.Raw, m.Text = ib.page.rawURL(e.ID), ib.page.textURL(e.ID, "")
	switch {
	case e.Kind == session.KindUser:
		m.Copy = "Copy prompt"
	case e.Kind == session.KindAssistant && e.HasFlag(session.FlagText):
		m.Copy = "Copy answer"
	}
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

// pathEnd returns the item after the last entry.
func (ib *itemBuilder) pathEnd() *components.PathEnd {
	p := ib.page.path
	m := &components.PathEnd{ItemHead: components.ItemHead{ID: "path-end"}, Title: "End of this branch"}
	switch {
	case p.total == 0:
		m.Title = "Before the first entry"
	case p.endsAgent && p.returned != session.NoTime && !ib.page.atLeaf:
		m.Title, m.Time = "Result returned to the main agent", ib.page.config.MillisModel(p.returned)
	case p.endsAgent:
		m.Title = "End of this sub-agent"
	}
	if !ib.page.atLeaf {
		return m
	}
	m.Leaf, m.Title, m.Entry = true, ib.page.audience.LeafTitle(), p.last
	m.Detail = "entry " + components.FormatCount(p.entries)
	if ib.page.live {
		m.Detail = ib.page.config.TitleOfFormat(p.header.Format) + " is writing, " + m.Detail
	}
	if p.total == 0 {
		m.Title, m.Detail = "No entries yet", ""
	}
	if p.metadata > 0 {
		m.Hidden = &components.Link{Text: components.Pluralize(p.metadata, "hidden system line", "hidden system lines"), Href: ib.page.params.WithFilter(outline.FilterAll).Href(ib.page.base)}
	}
	return m
}
