package web

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
)

// maxFound is how many hits are listed; total counts them all.
const maxFound = 10_000

type foundJSON struct {
	Rev   string    `json:"rev"`
	Total int       `json:"total"`
	Hits  []hitJSON `json:"hits"`
}

// hitJSON is an entry that matches, and its row in the outline or -1.
type hitJSON struct {
	Entry string `json:"entry"`
	Row   int    `json:"row"`
}

// search lists the entries of a session that hold every word of q.
func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.viewed(r)
	if err != nil {
		return err
	}
	found, err := s.hits.of(r.Context(), sess, p.Query)
	if err != nil {
		return err
	}
	var m foundJSON
	err = s.look(r.Context(), sess, p, func(sc view.Scene) error {
		m = foundJSON{Rev: sc.Rev.String(), Hits: []hitJSON{}}
		if found != nil && found.rev.Epoch == sc.Rev.Epoch {
			m.Total = len(found.in)
			m.Hits = listHits(sc, found.in)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if s.fresh(w, r, keepAsking, "search", sess.Key(), m.Rev, r.URL.RawQuery) {
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(m)
}

// listHits puts hits in the order of their rows; those without one follow in file
// order.
func listHits(sc view.Scene, in []session.Pos) []hitJSON {
	rows := map[session.Pos]int{}
	for i := range sc.Outline.Rows {
		r := &sc.Outline.Rows[i]
		old, ok := rows[r.Title]
		if r.Kind != session.RowFold && (!ok || sc.Outline.Rows[old].Kind == session.RowStub) {
			rows[r.Title] = i
		}
	}
	hits := make([]hitJSON, 0, len(in))
	for _, p := range in {
		row, ok := rows[p]
		if !ok {
			row = -1
		}
		hits = append(hits, hitJSON{sc.Tree.At(p).ID, row})
	}
	slices.SortStableFunc(hits, func(a, b hitJSON) int {
		return cmp.Compare(uint(a.Row), uint(b.Row)) // -1 comes last
	})
	return hits[:min(len(hits), maxFound)]
}
