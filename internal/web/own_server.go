package web

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// IsOwnServer reports whether the server at a local address is an explorer of the same
// state directory. Any program can listen on a port, but only those can prove that they
// know the token.
func IsOwnServer(ctx context.Context, base, token string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(base, "/")+"/healthz", nil)
	if err != nil {
		return false
	}
	challenge := rand.Text()
	req.Header.Set(ChallengeHeader, challenge)
	// No proxy. The proof identifies the server, not the certificate.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	res, err := client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.Header.Get(ProofHeader) == ComputeProof(token, challenge, port)
}
