package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sessiontree/internal/session/store"
	"sessiontree/internal/web"
)

// servedDir is the directory, in the state directory, of what explorers that run
// say about themselves: one file each, named by its port.
const servedDir = "served"

// served is what an explorer says while it runs.
type served struct {
	Open  string    `json:"open"`  // address for a browser here, without a token
	Share string    `json:"share"` // what links to shares begin with
	Via   string    `json:"via"`   // address here of what serves them
	Token bool      `json:"token"` // a browser here needs the token
	Since time.Time `json:"since"`
}

// served describes what listens.
func (o *serveOptions) served(ls, shares []net.Listener) served {
	s := served{Open: address(ls[0], o.cert != ""), Token: o.needsToken(ls), Since: time.Now()}
	s.Via = s.Open
	if len(shares) > 0 {
		s.Via = address(shares[0], o.cert != "")
	}
	s.Share = cmp.Or(o.shareBase(shares), strings.TrimRight(s.Open, "/"))
	return s
}

// announce writes down in the state directory that an explorer serves. forget takes it
// back.
func announce(state string, s served) (forget func(), err error) {
	forget = func() {}
	if state == "" {
		return forget, nil // which was said already
	}
	text, err := json.Marshal(s)
	if err != nil {
		return forget, err
	}
	dir := filepath.Join(state, servedDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return forget, err
	}
	path := filepath.Join(dir, portOf(s.Open)+".json")
	if err := store.ReplaceFile(path, append(text, '\n')); err != nil {
		return forget, err
	}
	return func() { _ = os.Remove(path) }, nil
}

// maxServed bounds a file of servedDir.
const maxServed = 64 << 10

// running returns the explorer of this state directory that was started last and
// answers now; ok is false when none does.
func (p *program) running(ctx context.Context) (s served, ok bool, err error) {
	return p.findServed(ctx, func(served) bool { return true })
}

// servedAt returns the explorer of this state directory that listens on the port of
// an address.
func (p *program) servedAt(ctx context.Context, addr string) (served, bool) {
	_, port, _ := net.SplitHostPort(addr) // it was listened on
	s, ok, err := p.findServed(ctx, func(s served) bool { return portOf(s.Open) == port || portOf(s.Via) == port })
	return s, ok && err == nil
}

// findServed returns the newest explorer that is wanted and proves that it runs.
func (p *program) findServed(ctx context.Context, wanted func(served) bool) (s served, ok bool, err error) {
	all, err := p.announced()
	if err != nil || len(all) == 0 {
		return s, false, err
	}
	token, err := p.token()
	if err != nil {
		return s, false, err
	}
	for _, s := range all {
		if wanted(s) && knowsToken(ctx, s.Via, token) {
			return s, true, nil
		}
	}
	return s, false, nil
}

// announced returns what explorers said when they started, the newest first. Some
// may have ended without a word.
func (p *program) announced() ([]served, error) {
	state, err := p.stateDir()
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(escapeGlob(state), servedDir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []served
	for _, name := range names {
		var s served
		if text, err := store.ReadRegular(name, maxServed); err == nil && json.Unmarshal(text, &s) == nil {
			all = append(all, s) // else it is being written, or of another version
		}
	}
	slices.SortFunc(all, func(a, b served) int { return b.Since.Compare(a.Since) })
	return all, nil
}

// escapeGlob returns a pattern that matches one path.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// knowsToken reports whether what serves an address on this computer is an explorer
// of the same state directory: any program can listen on a port, but only those can
// prove that they know the token.
func knowsToken(ctx context.Context, base, token string) bool {
	port, err := strconv.Atoi(portOf(base))
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
	req.Header.Set(web.ChallengeHeader, challenge)
	// No proxy; and the proof, not a certificate, shows who answers.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	res, err := client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.Header.Get(web.ProofHeader) == web.Proof(token, challenge, port)
}

// portOf returns the port of an address, or "".
func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Port()
}

// errNotServed says what is missing for a link that works.
var errNotServed = errors.New("nothing was shared: no explorer serves, so the link would not open. Start one with explorer serve, or name the address of links with --share-url")
