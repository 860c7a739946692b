// Package path builds the models of the items of a path: prompts, answers, tools and notes.
package path

import (
	"errors"
	"io/fs"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// PathModel returns the model of a page with the bodies of its entries.
func (r *Renderer) PathModel(pg *Page, bodies []session.Body) components.PathModel {
	e := pg.path
	m := components.PathModel{
		Rev:      pg.rev,
		Total:    e.total,
		First:    e.first,
		Last:     e.last,
		AtEnd:    e.atEnd,
		AtLeaf:   pg.atLeaf,
		Skipped:  e.from,
		Left:     e.total - e.from - pg.shown,
		Selected: pg.viewedID,
	}
	// Links for browsers without script; the script uses First and Last.
	if e.prev != "" {
		m.More = pg.pathHref(e.prev)
	}
	if e.next != "" {
		m.After = pg.pathHref(e.next)
	}
	ib := newItemBuilder(r, pg, bodies, entryLimits(pg.audience))
	m.Items, m.Anchor = ib.buildItems()
	return m
}

// PreviewBody returns the body of the page's i-th entry if its line cannot be read any more:
// what the tree holds, and the reason.
func (p *Page) PreviewBody(i int, err error) session.Body {
	e := &p.entries[i].Entry
	why := "This entry cannot be read from the file; this is what the explorer still has."
	if errors.Is(err, fs.ErrNotExist) {
		why = "The file is gone; this is what the explorer still has."
	}
	b := session.Body{Blocks: []session.Block{{Kind: session.BlockText, Text: e.Preview}}}
	for _, c := range e.Calls() {
		b.Blocks = append(b.Blocks, session.Block{Kind: session.BlockToolCall, Name: c.Name, ID: c.ID})
	}
	b.Blocks = append(b.Blocks, session.Block{Kind: session.BlockError, Text: why})
	return b
}
