package auth

import (
	"net/http"
	"net/netip"
	"strconv"
)

// ChallengeHeader and ProofHeader let a program check whether the server on a port uses the
// same state directory: only then it can prove that it knows the token.
const (
	ChallengeHeader = "Explorer-Challenge"
	ProofHeader     = "Explorer-Proof"
)

// ComputeProof returns the response to a challenge of a server with the token on the port.
func ComputeProof(token, challenge string, port int) string {
	a := Policy{token: token}
	return a.computeMAC("proof", strconv.Itoa(port), challenge)
}

// SetProof sets the header that responds to the challenge of a request, if there is one.
func (a *Policy) SetProof(w http.ResponseWriter, r *http.Request) {
	challenge := r.Header.Get(ChallengeHeader)
	local, err := netip.ParseAddrPort(localAddr(r))
	if challenge != "" && err == nil && a.token != "" {
		w.Header().Set(ProofHeader, ComputeProof(a.token, challenge, int(local.Port())))
	}
}
