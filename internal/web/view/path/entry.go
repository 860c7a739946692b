package path

import (
	"cmp"
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
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
func (r *Renderer) EntryModel(about components.Page, pg *Page, bodies []session.Body, q EntryQuery) (components.EntryModel, error) {
	m := components.EntryModel{Page: about, Back: pg.back, Entry: q.ID, CanChange: pg.audience.Snapshot == nil, Part: cmp.Or(q.Part, "page")}
	switch m.Part {
	case "rest":
		m.Rest = newItemBuilder(r, pg, bodies, pageLimits).tools.remainingBlocks(q.Block)
	case "page", "item":
		m.Item = newItemBuilder(r, pg, bodies, wholeLimits).buildLastItem()
	default:
		block, found := newItemBuilder(r, pg, bodies, wholeLimits).tools.buildWholeBlock(q.Block)
		if !found {
			return m, fmt.Errorf("%w: entry %q has no block %d", session.ErrNotFound, q.ID, q.Block)
		}
		m.Block = &block
	}
	m.Page.Title = "Entry " + view.OneLine(rowtext.Cut(q.ID, 40)) + ", " + m.Back.Text
	return m, nil
}

// CopyEntryPage copies an entry out of the tree. A tool result is preceded by the answer
// that called the tool, if it is near.
func CopyEntryPage(s view.Scene, id string) (*Page, error) {
	p := s.Tree.FindID(id)
	if p == session.NoPos {
		return nil, view.NoEntryError(id)
	}
	path := s.Tree.Path(p)
	last := len(path) - 1
	pg := newPathPage(s, path, last, len(path))
	pg.path.lastFileEdit = lastFileEdit(s.Tree, path)
	pg.back = components.Link{Text: view.SessionName(s.Tree), Href: s.Params.WithEntry(id, "").Href(s.Base())}
	edits := lastContextEdits(s.Tree, s.Tree.Trail(s.View.Leaf).Edits)
	if s.Tree.At(p).Kind == session.KindToolResult {
		_, at := s.Tree.CallOf(p)
		if i := slices.Index(path, at); i >= 0 {
			pg.entries = append(pg.entries, copyPathEntry(s, path, i, edits))
		}
	}
	pg.entries = append(pg.entries, copyPathEntry(s, path, last, edits))
	pg.shown = len(pg.entries)
	pg.copyCosts(s)
	return pg, nil
}

// buildLastItem returns the item of the page's last entry.
func (ib *itemBuilder) buildLastItem() components.Item {
	i := len(ib.page.entries) - 1
	e := &ib.page.entries[i]
	switch e.Kind {
	case session.KindToolResult:
		m := ib.newToolGroup(e)
		m.Tools = []components.ToolModel{ib.tools.buildTool(ib.tools.precedingCall(i), i)}
		return m
	case session.KindAssistant:
		m := &components.AnswerItem{EntryHead: ib.newHead(e), Blocks: ib.blocks.buildBlocks(i), Foot: ib.answerFoot(e)}
		m.Error = failureText(e, m.Blocks)
		return m
	}
	return ib.buildItem(i)
}

// precedingCall returns the call of the page's i-th entry, a tool result, or nil if it is
// not on the page.
func (tb *toolBuilder) precedingCall(i int) *callPlace {
	if i == 0 {
		return nil
	}
	n := 0
	for k := range tb.bodies[i-1].Blocks {
		blk := &tb.bodies[i-1].Blocks[k]
		if blk.Kind != session.BlockToolCall {
			continue
		}
		if blk.ID == tb.page.entries[i].CallID() {
			return &callPlace{i - 1, n, blk}
		}
		n++
	}
	return nil
}

// buildWholeBlock returns the k-th block of the page's last entry without truncation.
func (tb *toolBuilder) buildWholeBlock(k int) (components.BlockModel, bool) {
	i := len(tb.page.entries) - 1
	e, body := &tb.page.entries[i], &tb.bodies[i]
	if k < 0 || k >= len(body.Blocks) {
		return components.BlockModel{}, false
	}
	blk := &body.Blocks[k]
	switch {
	case e.Kind == session.KindToolResult:
		return tb.wholeResultBlock(i, k)
	case blk.Kind == session.BlockToolCall:
		cl := toolCall{name: blk.Name, args: parseToolArgs(blk.Args), kind: toolkind.Of(blk.Name)}
		if list := tb.requestBlocks(&cl, &callPlace{entry: i, blk: blk}, tb.blocks.openBudget); len(list) > 0 {
			return list[0], true
		}
	}
	return tb.blocks.buildBlock(e, k, blk, tb.blocks.imagesBefore(body, k))
}

// wholeResultBlock returns a block of a tool result. The first output of a command follows
// the command line.
func (tb *toolBuilder) wholeResultBlock(i, k int) (components.BlockModel, bool) {
	cl := tb.resultCall(i)
	b, ok := tb.buildResultBlock(&cl, i, k, tb.blocks.openBudget)
	if ok && cl.kind == "bash" && cl.args.Command != "" && b.Kind == "out" && tb.firstOutputIndex(i) == k {
		b = tb.withCommandLine(&cl, b)
	}
	return b, ok
}

// resultCall returns what is known about the call of the page's i-th entry, a tool result.
func (tb *toolBuilder) resultCall(i int) toolCall {
	if c := tb.precedingCall(i); c != nil {
		return tb.readCall(c)
	}
	e := &tb.page.entries[i]
	return toolCall{kind: toolkind.Of(cmp.Or(e.call.Name, e.Name)), short: e.call.Arg}
}

func (tb *toolBuilder) firstOutputIndex(i int) int {
	for k := range tb.bodies[i].Blocks {
		if kind := tb.bodies[i].Blocks[k].Kind; kind == session.BlockOutput || kind == session.BlockText {
			return k
		}
	}
	return -1
}
