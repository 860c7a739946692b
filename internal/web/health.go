package web

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/netip"
	"strconv"
)

// serveHealth reports that the server is alive. With ?verbose it also reports to its owner
// the progress of the list and the server's memory.
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
	_ = json.NewEncoder(w).Encode(all) // the client may be gone
}

// ChallengeHeader and ProofHeader let a program check whether the server on a port uses the
// same state directory: only then it can prove that it knows the token.
const (
	ChallengeHeader = "Explorer-Challenge"
	ProofHeader     = "Explorer-Proof"
)

// ComputeProof returns the response to a challenge of a server with the token on the port.
func ComputeProof(token, challenge string, port int) string {
	a := accessPolicy{token: token}
	return a.computeMAC("proof", strconv.Itoa(port), challenge)
}

// serveAlive reports only that the server is alive. It closes the connection, because
// anybody may call it.
func (s *Server) serveAlive(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Connection", "close")
	local, err := netip.ParseAddrPort(localAddr(r))
	if challenge := r.Header.Get(ChallengeHeader); challenge != "" && err == nil && s.access.token != "" {
		h.Set(ProofHeader, ComputeProof(s.access.token, challenge, int(local.Port())))
	}
	_, _ = w.Write([]byte("ok\n")) // the client may be gone
}
