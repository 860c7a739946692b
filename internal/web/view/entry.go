package view

import (
	"cmp"
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// EntryQuery selects an entry and a part of it.
type EntryQuery struct {
	ID    string
	Part  string // "page", "item", "block", "rest"; "" = page
	Block int    // with "block": its index; with "rest": the first index
}

// EntryModel returns one entry in full, or some of its blocks. The page is one of
// CopyEntryPage; about is what all pages have in common.
func (r *Renderer) EntryModel(about components.Page, pg *PathPage, bodies []session.Body, q EntryQuery) (components.EntryModel, error) {
	m := components.EntryModel{Page: about, Back: pg.back, Part: cmp.Or(q.Part, "page")}
	switch m.Part {
	case "rest":
		m.Rest = newItemBuilder(r, pg, bodies, pageLimits).remainingBlocks(q.Block)
	case "page", "item":
		m.Item = newItemBuilder(r, pg, bodies, wholeLimits).buildLastItem()
	default:
		block, found := newItemBuilder(r, pg, bodies, wholeLimits).buildWholeBlock(q.Block)
		if !found {
			return m, fmt.Errorf("%w: entry %q has no block %d", session.ErrNotFound, q.ID, q.Block)
		}
		m.Block = &block
	}
	m.Page.Title = "Entry " + oneLine(rowtext.Cut(q.ID, 40)) + ", " + m.Back.Text
	return m, nil
}

// CopyEntryPage copies an entry out of the tree. A tool result is preceded by the answer
// that called the tool, if it is near.
func CopyEntryPage(s Scene, id string) (*PathPage, error) {
	p := s.Tree.FindID(id)
	if p == session.NoPos {
		return nil, noEntryError(id)
	}
	path := s.Tree.Path(p)
	last := len(path) - 1
	pg := newPathPage(s, path, last, len(path))
	pg.path.lastFileEdit = lastFileEdit(s.Tree, path)
	pg.back = components.Link{Text: sessionName(s.Tree), Href: s.Params.withEntry(id, "").Href(s.Base())}
	edits := lastContextEdits(s.Tree, s.Tree.Trail(s.View.Leaf).Edits)
	if s.Tree.At(p).Kind == session.KindToolResult {
		_, at := s.Tree.CallOf(p)
		if i := slices.Index(path, at); i >= 0 {
			pg.entries = append(pg.entries, copyPathEntry(s, path, i, edits))
		}
	}
	pg.entries = append(pg.entries, copyPathEntry(s, path, last, edits))
	pg.shown = len(pg.entries)
	return pg, nil
}

// buildLastItem returns the item of the page's last entry.
func (ib *itemBuilder) buildLastItem() components.ItemModel {
	i := len(ib.page.entries) - 1
	e := &ib.page.entries[i]
	switch e.Kind {
	case session.KindToolResult:
		m := ib.newItem(e, "tools")
		m.ID = domID("t-", e.ID)
		m.Tools = []components.ToolModel{ib.buildTool(ib.precedingCall(i), i)}
		return m
	case session.KindAssistant:
		m := ib.newItem(e, "asst")
		m.Blocks = ib.buildBlocks(i)
		m.Error = failureText(e, &m)
		return m
	}
	return ib.buildCard(i)
}

// precedingCall returns the call of the page's i-th entry, a tool result, or nil if it is
// not on the page.
func (ib *itemBuilder) precedingCall(i int) *callPlace {
	if i == 0 {
		return nil
	}
	n := 0
	for k := range ib.bodies[i-1].Blocks {
		blk := &ib.bodies[i-1].Blocks[k]
		if blk.Kind != session.BlockToolCall {
			continue
		}
		if blk.ID == ib.page.entries[i].CallID() {
			return &callPlace{i - 1, n, blk}
		}
		n++
	}
	return nil
}

// buildWholeBlock returns the k-th block of the page's last entry without truncation.
func (ib *itemBuilder) buildWholeBlock(k int) (components.BlockModel, bool) {
	i := len(ib.page.entries) - 1
	e, body := &ib.page.entries[i], &ib.bodies[i]
	if k < 0 || k >= len(body.Blocks) {
		return components.BlockModel{}, false
	}
	blk := &body.Blocks[k]
	switch {
	case e.Kind == session.KindToolResult:
		return ib.wholeResultBlock(i, k)
	case blk.Kind == session.BlockToolCall:
		cl := toolCall{name: blk.Name, args: parseToolArgs(blk.Args), kind: toolKind(blk.Name)}
		if list := ib.requestBlocks(&cl, &callPlace{entry: i, blk: blk}, ib.openBudget); len(list) > 0 {
			return list[0], true
		}
	}
	return ib.buildBlock(e, k, blk, ib.imagesBefore(body, k))
}

// wholeResultBlock returns a block of a tool result. The first output of a command follows
// the command line.
func (ib *itemBuilder) wholeResultBlock(i, k int) (components.BlockModel, bool) {
	cl := ib.resultCall(i)
	b, ok := ib.buildResultBlock(&cl, i, k, ib.openBudget)
	if ok && cl.kind == "bash" && cl.args.Command != "" && b.Kind == "out" && ib.firstOutputIndex(i) == k {
		b = ib.withCommandLine(&cl, b)
	}
	return b, ok
}

// resultCall returns what is known about the call of the page's i-th entry, a tool result.
func (ib *itemBuilder) resultCall(i int) toolCall {
	if c := ib.precedingCall(i); c != nil {
		return ib.readCall(c)
	}
	e := &ib.page.entries[i]
	return toolCall{kind: toolKind(cmp.Or(e.call.Name, e.Name)), short: e.call.Arg}
}

func (ib *itemBuilder) firstOutputIndex(i int) int {
	for k := range ib.bodies[i].Blocks {
		if kind := ib.bodies[i].Blocks[k].Kind; kind == session.BlockOutput || kind == session.BlockText {
			return k
		}
	}
	return -1
}
