package web

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/web/components"
)

// serveUpdates serves the changes since a revision in one response: the items after the
// entry in after=, if given, and the rows that differ. It omits a part that cannot be
// computed, which the client then requests by itself.
func (h *sessionHandlers) serveUpdates(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	var parts []templ.Component
	q := r.URL.Query()
	if after := q.Get("after"); after != "" {
		n, err := view.ParseCount(q, "n", 0)
		if err != nil {
			return err
		}
		m, err := h.loader.PathModel(r.Context(), sess, p, path.Query{After: after, N: n}, h.now())
		switch {
		case err == nil:
			parts = append(parts, components.PathItems(m))
		case !errors.Is(err, session.ErrNotFound): // otherwise the entry is no longer on the path
			return err
		}
	}
	rows, found, err := h.changedRows(r, sess, p)
	if err != nil {
		return err
	}
	if found {
		parts = append(parts, components.Rows(rows))
	}
	w.Header().Set("Cache-Control", cacheNever)
	if len(parts) == 0 {
		w.WriteHeader(http.StatusResetContent)
		return nil
	}
	return h.renderComponent(w, r, http.StatusOK, templ.Join(parts...))
}

// changedRows returns the rows from the first one that differs from the revision in since=.
// It reports false if the outline of that revision is not cached or if the rows exceed a
// window.
func (h *sessionHandlers) changedRows(r *http.Request, sess load.SessionView, p view.Params) (m components.RowsModel, found bool, err error) {
	text := r.URL.Query().Get("since")
	since, err := store.ParseRevision(text)
	if err != nil {
		return m, false, fmt.Errorf("%w: since=%q is no revision", session.ErrInvalid, text)
	}
	from, same := sess.FirstEntrySince(since)
	err = h.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		now, err := store.ParseRevision(sc.Rev)
		if err != nil || !same || now.Epoch != since.Epoch || follow.ChangesOlderEntries(sc.Tree, from) {
			return err
		}
		old, ok := h.outlines.cachedOutline(outlineKey{sc.Key, p.Encode()}, since)
		if !ok {
			return nil
		}
		at := firstChangedRow(old, sc.Outline)
		if sc.Outline.Rows.Len()-at > defaultWindowRows {
			return nil
		}
		m, found = tree.RowsModel(sc, at, defaultWindowRows), true
		m.From = at
		return nil
	})
	return m, found, err
}

// firstChangedRow returns the index of the first row that differs.
func firstChangedRow(old, now *outline.Outline) int {
	n := min(old.Rows.Len(), now.Rows.Len())
	at := now.Rows.SharedPrefixLen(&old.Rows)
	for at < n && sameRow(old.Rows.At(at), now.Rows.At(at)) {
		at++
	}
	if at == old.Rows.Len() && at == now.Rows.Len() {
		return minMovedIndex(at, old.Selected, now.Selected)
	}
	// In the outline layout a row shows whether it has children, which the next row decides.
	at = max(at-1, 0)
	at = minMovedIndex(at, old.Selected, now.Selected)
	return minMovedIndex(at, lastRowOnPath(old), lastRowOnPath(now))
}

// minMovedIndex returns the least of at and, if they differ, the indexes old and now of a
// marked row.
func minMovedIndex(at, old, now int) int {
	if old == now {
		return at
	}
	for _, i := range []int{old, now} {
		if i >= 0 {
			at = min(at, i)
		}
	}
	return at
}

// lastRowOnPath returns the index of the row at the end of the viewed path, or -1.
func lastRowOnPath(o *outline.Outline) int {
	for i := o.Rows.Len() - 1; i >= 0; i-- {
		if r := o.Rows.At(i); r.OnPath && r.Kind != outline.RowBranch && r.Kind != outline.RowFoldedGroup && r.Kind != outline.RowSessionHeader {
			return i
		}
	}
	return -1
}

// sameRow reports whether two rows look alike. It ignores the size of the run that a row is in.
// That size grows with every entry, so all rows would be sent again for what only assistive
// technology reads. Browsers correct it on the rows they hold. Gutters follow from the lanes of
// the rows above.
func sameRow(a, b *outline.Row) bool {
	return a.Pos == b.Pos && a.Title == b.Title && a.Kind == b.Kind && a.Call == b.Call &&
		a.Count == b.Count && a.ParentRow == b.ParentRow && a.PosInRun == b.PosInRun &&
		sameMarks(a, b) && sameLanes(a, b)
}

func sameMarks(a, b *outline.Row) bool {
	return a.Open == b.Open && a.DefaultOpen == b.DefaultOpen && a.LeafOnly == b.LeafOnly && a.OnPath == b.OnPath && a.Leaf == b.Leaf && a.Hit == b.Hit && a.RuleAbove == b.RuleAbove && a.OffChain == b.OffChain
}

func sameLanes(a, b *outline.Row) bool {
	return a.Lane == b.Lane && a.First == b.First && a.Last == b.Last &&
		a.Through == b.Through && a.Path == b.Path &&
		a.Connector == b.Connector && a.IsLast == b.IsLast
}
