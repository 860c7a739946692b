package web

import (
	"encoding/json"
	"net/http"
)

// health tells that the server is here; with ?verbose it tells its owner also how
// far the list of sessions is.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !r.URL.Query().Has("verbose") || !s.access.trusted(r) {
		alive(w, r)
		return
	}
	p := s.catalog.Progress()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{ // the asker may have left
		"complete": p.Complete, "files": p.Files, "bytesPresent": p.BytesPresent,
		"bytesScanned": p.BytesScanned, "bytesFromCache": p.BytesFromCache,
	})
}

// alive tells that the server is here, and nothing else.
func alive(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n")) // the asker may have left
}
