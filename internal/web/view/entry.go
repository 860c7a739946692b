package view

import (
	"context"
	"fmt"
	"time"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// EntryQuery says what of an entry is wanted.
type EntryQuery struct {
	ID    string
	Part  string // "page", "item", "block", "rest"; "" = page
	Block int    // with "block": which; with "rest": the first
}

// Entry is one entry in full, or one of its blocks.
func (b *Builder) Entry(ctx context.Context, sess Shown, about components.Page, p Params, q EntryQuery, now time.Time) (components.EntryModel, error) {
	b = b.to(sess.Stand)
	m := components.EntryModel{Page: about, Part: orWord(q.Part, "page")}
	take := func(s Scene) (*page, error) {
		m.Back = components.Link{Text: sessionName(s.Tree), Href: s.Params.withEntry(q.ID, "").Href(s.Base())}
		return takeAlone(s, q.ID)
	}
	found := true
	err := b.withPage(ctx, sess, p, now, take, func(pg *page, bodies []session.Body) {
		switch m.Part {
		case "rest":
			m.Rest = newItemBuilder(b, pg, bodies, pageLimits).restBlocks(q.Block)
			return
		case "page", "item":
			m.Item = newItemBuilder(b, pg, bodies, wholeLimits).one()
			return
		}
		ib := newItemBuilder(b, pg, bodies, wholeLimits)
		var block components.BlockModel
		block, found = ib.oneBlock(q.Block)
		m.Block = &block
	})
	switch {
	case err != nil:
		return m, err
	case !found:
		return m, fmt.Errorf("%w: entry %q has no block %d", session.ErrNotFound, q.ID, q.Block)
	}
	m.Page.Title = "Entry " + oneLine(cutRunes(q.ID, 40)) + ", " + m.Back.Text
	return m, nil
}

// takeAlone takes an entry; a result behind the answer that called it, if that
// is near.
func takeAlone(s Scene, id string) (*page, error) {
	p := s.Tree.Find(id)
	if p == session.NoPos {
		return nil, noEntry(id)
	}
	path := s.Tree.Path(p)
	last := len(path) - 1
	pg := newPage(s, path, last, len(path))
	pg.path.lastEdit = lastEdit(s.Tree, path)
	edits := contextEdits(s.Tree, s.Tree.Path(s.View.Leaf))
	if e := s.Tree.At(p); e.Kind == session.KindToolResult {
		if i := callIndex(s.Tree, path, e.Call); i >= 0 {
			pg.entries = append(pg.entries, takeEntry(s, path, i, edits))
		}
	}
	pg.entries = append(pg.entries, takeEntry(s, path, last, edits))
	pg.shown = len(pg.entries)
	return pg, nil
}

// callIndex finds the answer that holds a call, going back from the end.
func callIndex(t *session.Tree, path []session.Pos, call string) int {
	for i := len(path) - 2; i >= 0 && i >= len(path)-callReach; i-- {
		for _, c := range t.At(path[i]).Calls {
			if c.ID == call {
				return i
			}
		}
	}
	return -1
}

// one is the item of the page's last entry, alone.
func (ib *itemBuilder) one() components.ItemModel {
	i := len(ib.pg.entries) - 1
	e := &ib.pg.entries[i]
	switch e.Kind {
	case session.KindToolResult:
		m := ib.item(e, "tools")
		m.ID = domID("t-", e.ID)
		m.Tools = []components.ToolModel{ib.tool(ib.callBefore(i), i)}
		return m
	case session.KindAssistant:
		m := ib.item(e, "asst")
		m.Blocks = ib.blocks(i)
		m.Error = failure(e, &m)
		return m
	}
	return ib.card(i)
}

// callBefore is the call that the i-th entry answers, nil when it is not on the
// page.
func (ib *itemBuilder) callBefore(i int) *callAt {
	if i == 0 {
		return nil
	}
	n := 0
	for k := range ib.bodies[i-1].Blocks {
		blk := &ib.bodies[i-1].Blocks[k]
		if blk.Kind != session.BlockToolCall {
			continue
		}
		if blk.ID == ib.pg.entries[i].Call {
			return &callAt{i - 1, n, blk}
		}
		n++
	}
	return nil
}

// oneBlock is the k-th block of the page's last entry, uncut.
func (ib *itemBuilder) oneBlock(k int) (components.BlockModel, bool) {
	i := len(ib.pg.entries) - 1
	e, body := &ib.pg.entries[i], &ib.bodies[i]
	if k < 0 || k >= len(body.Blocks) {
		return components.BlockModel{}, false
	}
	blk := &body.Blocks[k]
	switch {
	case e.Kind == session.KindToolResult:
		return ib.oneResultBlock(i, k)
	case blk.Kind == session.BlockToolCall:
		cl := call{name: blk.Name, args: parseArgs(blk.Args), kind: toolKind(blk.Name)}
		if list := ib.asked(&cl, &callAt{entry: i, blk: blk}, ib.ration); len(list) > 0 {
			return list[0], true
		}
	}
	return ib.block(e, k, blk, ib.imagesBefore(body, k))
}

// oneResultBlock is a block of a result as its card shows it: the first output of
// a command stands behind the command.
func (ib *itemBuilder) oneResultBlock(i, k int) (components.BlockModel, bool) {
	cl := ib.resultCall(i)
	b, ok := ib.resultBlock(&cl, i, k, ib.ration)
	if ok && cl.kind == "bash" && cl.args.Command != "" && b.Kind == "out" && ib.firstOutput(i) == k {
		b = ib.command(&cl, b)
	}
	return b, ok
}

// resultCall is what is known of the call that the i-th entry answers.
func (ib *itemBuilder) resultCall(i int) call {
	if c := ib.callBefore(i); c != nil {
		return ib.readCall(c)
	}
	e := &ib.pg.entries[i]
	return call{kind: toolKind(orWord(e.call.Name, e.Name)), short: e.call.Arg}
}

func (ib *itemBuilder) firstOutput(i int) int {
	for k := range ib.bodies[i].Blocks {
		if kind := ib.bodies[i].Blocks[k].Kind; kind == session.BlockOutput || kind == session.BlockText {
			return k
		}
	}
	return -1
}
