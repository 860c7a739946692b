package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

const (
	defaultWindowRows = 200 // rows of a window by default
	maxWindowRows     = 500
)

// serveRows serves a window of the tree.
func (s *Server) serveRows(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.parseSessionView(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	win, err := parseTreeWindow(q)
	if err != nil {
		return err
	}
	var m components.RowsModel
	var live bool
	err = s.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		at, err := win.startIndex(sc)
		if err == nil {
			m, live = view.RowsModel(sc, at, win.n), sc.Live
		}
		return err
	})
	if err != nil {
		return writeResetContent(w, q, err)
	}
	if s.checkNotModified(w, r, cachePolicy(q, m.Rev), "rows", sess.Key(), m.Rev, strconv.FormatBool(live), r.URL.RawQuery) {
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, components.Rows(m))
}

// cachePolicy returns the Cache-Control value for a fragment. A fragment whose address
// names its revision does not change.
func cachePolicy(q url.Values, rev string) string {
	if q.Get("rev") == rev {
		return cacheImmutable
	}
	return cacheRevalidate
}

// treeWindow is a window of an outline: n rows from index at, around an entry, or at the
// end.
type treeWindow struct {
	at, n  int
	around string
	end    bool
}

func parseTreeWindow(q url.Values) (treeWindow, error) {
	win := treeWindow{n: defaultWindowRows, around: q.Get("around"), end: q.Get("at") == "end"}
	var err error
	if !win.end {
		if win.at, err = parseQueryCount(q, "at", 0); err != nil {
			return win, err
		}
	}
	win.n, err = parseQueryCount(q, "n", defaultWindowRows)
	win.n = min(win.n, maxWindowRows)
	return win, err
}

// parseQueryCount parses a query parameter that is a count.
func parseQueryCount(q url.Values, name string, missing int) (int, error) {
	v := q.Get(name)
	if v == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%w: %s=%q is no count", session.ErrInvalid, name, v)
	}
	return n, nil
}

func (win treeWindow) startIndex(sc view.Scene) (int, error) {
	if win.end {
		return max(sc.Outline.Rows.Len()-win.n, 0), nil
	}
	if win.around == "" {
		return win.at, nil
	}
	p := sc.Tree.FindID(win.around)
	if p == session.NoPos {
		return 0, fmt.Errorf("%w: no entry %q in this session", session.ErrNotFound, win.around)
	}
	return view.WindowAround(sc.Outline.Rows.Len(), nearestRow(sc, p), win.n), nil
}

// nearestRow returns the row of an entry. For a hidden entry it returns the row of the
// nearest visible ancestor or of the closed branch that contains it.
func nearestRow(sc view.Scene, p session.Pos) int {
	if i := sc.Outline.FindRow(p); i >= 0 {
		return i
	}
	up := map[session.Pos]int{}
	for steps := 0; p != session.NoPos; p, steps = sc.Tree.Parent(p), steps+1 {
		up[p] = steps
	}
	best, row := len(up), 0
	for i, r := range sc.Outline.Rows.All() {
		if steps, ok := up[r.Pos]; ok && steps < best {
			best, row = steps, i
		}
	}
	return row
}
