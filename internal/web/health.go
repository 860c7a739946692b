package web

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/netip"
	"strconv"
)

// serveHealth says that the server is here; with ?verbose it tells its owner also how
// far the list of sessions is, and what the server holds.
func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !r.URL.Query().Has("verbose") || !s.access.isAdmitted(r) {
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
	_ = json.NewEncoder(w).Encode(all) // the asker may have left
}

// ChallengeHeader and ProofHeader are how a program finds out whether the server
// on a port has the same state directory: only then can it prove that it knows the
// token.
const (
	ChallengeHeader = "Explorer-Challenge"
	ProofHeader     = "Explorer-Proof"
)

// ComputeProof returns what a server with that token on that port answers to a challenge.
func ComputeProof(token, challenge string, port int) string {
	a := accessPolicy{token: token}
	return a.computeMAC("proof", strconv.Itoa(port), challenge)
}

// serveAlive says that the server is here, and nothing else. The connection is closed:
// everybody may ask, and nobody shall keep it.
func (s *Server) serveAlive(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Connection", "close")
	own, err := netip.ParseAddrPort(localAddr(r))
	if challenge := r.Header.Get(ChallengeHeader); challenge != "" && err == nil && s.access.token != "" {
		h.Set(ProofHeader, ComputeProof(s.access.token, challenge, int(own.Port())))
	}
	_, _ = w.Write([]byte("ok\n")) // the asker may have left
}
