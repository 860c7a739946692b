package web

import (
	"encoding/json"
	"maps"
	"net/http"
)

// serveHealth reports that the server is alive. With ?verbose it also reports to its owner
// the progress of the list and the server's memory.
func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !r.URL.Query().Has("verbose") || !s.access.IsAdmitted(r) {
		s.serveAlive(w, r)
		return
	}
	p := s.catalog.Progress()
	w.Header().Set("Content-Type", "application/json")
	all := map[string]any{
		"complete": p.Complete, "files": p.Files, "bytesPresent": p.BytesPresent,
		"bytesScanned": p.BytesScanned, "bytesFromCache": p.BytesFromCache,
	}
	maps.Copy(all, s.memoryStats())
	_ = json.NewEncoder(w).Encode(all) // the client may be gone
}

// serveAlive reports only that the server is alive. It closes the connection, because
// anybody may call it.
func (s *Server) serveAlive(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Connection", "close")
	s.access.SetProof(w, r)
	_, _ = w.Write([]byte("ok\n")) // the client may be gone
}
