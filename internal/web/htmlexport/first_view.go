package htmlexport

import (
	"context"
	"errors"
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/web/components"
)

// buildFirstView builds what a browser shows before the script runs: the beginning of the
// path to the leaf.
func (m *pageRenderer) buildFirstView(ctx context.Context, o Options) (model components.SessionModel, err error) {
	m.sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		m.sess.Audience.Snapshot = m.snapshotHeader(t, o)
		s := m.filterScene(t, rev, outline.FilterDefault, false)
		model = tree.SessionModel(s, tree.SessionInfo{})
		m.segments = session.LinearSegments(t)
		m.tree.fillFromTree(t, m.segments)
		err = m.tree.renderFrame(ctx, m.renderer, s)
	})
	if err != nil {
		return model, err
	}
	model.Layouts, model.Live = nil, false
	model.Path, err = m.buildPathStart(ctx)
	model.Key, model.Rev, model.Rows.Rev, model.Path.Rev = "", "", "", "" // an export has no revisions
	return model, err
}

// firstViewEntries is roughly the number of entries shown before the script runs.
const firstViewEntries = 50

// errEnough stops the iteration over pages.
var errEnough = errors.New("enough")

// buildPathStart returns the first page of the path to the leaf. It consists of the same
// pages as the rest, so that the script can continue after it.
func (m *pageRenderer) buildPathStart(ctx context.Context) (components.PathModel, error) {
	p := components.PathModel{AtLeaf: true}
	err := m.visitSegmentPages(func(page *path.SegmentPage) error {
		if m.segments[page.Segment].Tip != session.Pos(m.tree.Leaf) || p.Skipped >= firstViewEntries {
			return errEnough
		}
		items, err := m.buildItems(ctx, page)
		p.Items, p.Skipped = joinItems(p.Items, items), p.Skipped+page.Entries
		return err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return p, err
	}
	shown := p.Skipped
	p.Skipped = 0
	m.sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		path := t.Path(t.Leaf())
		p.Total, p.Left, p.AtEnd = len(path), len(path)-shown, shown == len(path)
		if shown > 0 {
			p.First, p.Last = t.At(path[0]).ID, t.At(path[shown-1]).ID
		}
		if !p.AtEnd {
			p.After = "#?entry=" + url.QueryEscape(t.At(path[shown]).ID)
			return
		}
		end, _, none := m.renderer.EndItems(view.Scene{Config: m.config, Tree: t, Audience: m.sess.Audience})
		if shown == 0 {
			end = none
		}
		end.Entry = p.Last
		p.Items = append(p.Items, end)
	})
	return p, nil
}

// joinItems appends the items of the next segment. Tools at its start join the group at the
// end of items, as in the script.
func joinItems(items, more []components.Item) []components.Item {
	if len(items) == 0 || len(more) == 0 {
		return append(items, more...)
	}
	open, isOpen := items[len(items)-1].(*components.ToolGroup)
	if next, ok := more[0].(*components.ToolGroup); ok && isOpen {
		open.Tools = append(open.Tools, next.Tools...)
		more = more[1:]
	}
	return append(items, more...)
}
