package web

import (
	"encoding/json"
	"net/http"

	"sessiontree/internal/web/view"
)

// maxListedHits limits the hits in a response. Total counts only these, so that the user
// can step through all of them.
const maxListedHits = 100_000

type searchJSON struct {
	Rev   string    `json:"rev"`
	Total int       `json:"total"`
	Hits  []hitJSON `json:"hits"`
}

// hitJSON is an entry that matches, and its row or that of the closed branch that contains
// it.
type hitJSON struct {
	Entry string `json:"entry"`
	Row   int    `json:"row"`
}

// serveSearch lists the entries of a session that contain every word of q and pass the
// filter.
func (s *Server) serveSearch(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.parseSessionView(r)
	if err != nil {
		return err
	}
	var m searchJSON
	err = s.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		hits := listHits(sc)
		m = searchJSON{Rev: sc.Rev, Total: len(hits), Hits: hits}
		return nil
	})
	if err != nil {
		return err
	}
	if s.checkNotModified(w, r, cacheRevalidate, "search", sess.Key(), m.Rev, r.URL.RawQuery) {
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(m)
}

// listHits returns the hits of the outline in the order of its rows.
func listHits(sc view.Scene) []hitJSON {
	found := sc.Outline.Found
	hits := make([]hitJSON, min(len(found), maxListedHits))
	for i := range hits {
		hits[i] = hitJSON{sc.Tree.At(found[i].Pos).ID, int(found[i].Row)}
	}
	return hits
}
