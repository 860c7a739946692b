// Package oidclogintest runs an identity provider for tests.
package oidclogintest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"golang.org/x/oauth2"
)

// The hub as the provider knows it.
const (
	ClientID = "the-hub"
	Secret   = "the secret of the hub"
)

// Provider is an identity provider that signs everybody in as the person of its claims. The fields
// may be changed between requests.
type Provider struct {
	t      testing.TB
	server *httptest.Server
	URL    string
	Key    *rsa.PrivateKey
	Claims map[string]any
	Denied string // the error with which it sends browsers back, "" for none

	mu sync.Mutex
	// The following belong to the code that was given last.
	nonce, challenge string
}

// Start starts a provider, which ends with the test.
func Start(t testing.TB) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{t: t, Key: key}
	published := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "k", Algorithm: "RS256"}}}
	mux := http.NewServeMux()
	mux.Handle("/", published)
	mux.HandleFunc("/auth", p.authorize)
	mux.HandleFunc("/token", p.exchange)
	p.server = httptest.NewServer(mux)
	t.Cleanup(p.Stop)
	p.URL = strings.Replace(p.server.URL, "127.0.0.1", "localhost", 1) // another site than that of the hub
	published.SetIssuer(p.URL)
	p.Claims = map[string]any{
		"iss": p.URL, "aud": ClientID, "sub": "ada-1", "exp": time.Now().Add(time.Hour).Unix(),
		"name": "Ada Lovelace", "email": "ada@example.com", "email_verified": true,
	}
	return p
}

// Stop ends the provider.
func (p *Provider) Stop() { p.server.Close() }

// Host returns the host and the port of the provider.
func (p *Provider) Host() string { return strings.TrimPrefix(p.URL, "http://") }

// authorize sends the browser back with a code.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != ClientID || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || !strings.Contains(q.Get("scope"), "openid") {
		p.t.Errorf("the browser was sent with %v", q)
	}
	p.mu.Lock()
	p.nonce, p.challenge = q.Get("nonce"), q.Get("code_challenge")
	p.mu.Unlock()
	back := url.Values{"state": {q.Get("state")}, "code": {"c0de"}}
	if p.Denied != "" {
		back = url.Values{"state": {q.Get("state")}, "error": {p.Denied}}
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// exchange gives the token for the code to the client that has the secret and began the attempt.
func (p *Provider) exchange(w http.ResponseWriter, r *http.Request) {
	_, secret, _ := r.BasicAuth()
	if secret, _ = url.QueryUnescape(secret); secret == "" {
		secret = r.FormValue("client_secret")
	}
	p.mu.Lock()
	nonce, challenge := p.nonce, p.challenge
	p.mu.Unlock()
	if secret != Secret || r.FormValue("code") != "c0de" || oauth2.S256ChallengeFromVerifier(r.FormValue("code_verifier")) != challenge {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	claims := maps.Clone(p.Claims)
	if claims["nonce"] == nil {
		claims["nonce"] = nonce
	}
	text, err := json.Marshal(claims)
	if err != nil {
		p.t.Error(err)
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": oidctest.SignIDToken(p.Key, "k", "RS256", string(text))}); err != nil {
		p.t.Error(err)
	}
}
