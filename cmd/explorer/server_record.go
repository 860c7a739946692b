package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	"sessiontree/internal/web/auth"
)

// serverRecordDir is the directory of server records within the state directory, with one
// file per port.
const serverRecordDir = "served"

// serverRecord describes a running server to other processes.
type serverRecord struct {
	BrowserURL     string    `json:"open"`  // address for a browser on this computer, without a token
	ShareURL       string    `json:"share"` // beginning of links to shares
	ShareServerURL string    `json:"via"`   // local address of the server that serves them
	NeedsToken     bool      `json:"token"` // a browser on this computer needs the token
	Started        time.Time `json:"since"`
}

// newServerRecord describes the server with these listeners.
func (o *serveOptions) newServerRecord(ls, shares []net.Listener) serverRecord {
	s := serverRecord{BrowserURL: listenerURL(ls[0], o.cert != ""), NeedsToken: o.browserNeedsToken(ls), Started: time.Now()}
	s.ShareServerURL = s.BrowserURL
	if len(shares) > 0 {
		s.ShareServerURL = listenerURL(shares[0], o.cert != "")
	}
	s.ShareURL = cmp.Or(o.shareBaseURL(shares), strings.TrimRight(s.BrowserURL, "/"))
	return s
}

// writeServerRecord records in the state directory that a server is running. forget
// removes the record.
func writeServerRecord(state string, s serverRecord) (forget func(), err error) {
	forget = func() {}
	if state == "" {
		return forget, nil // openServerState has logged a warning
	}
	text, err := json.Marshal(s)
	if err != nil {
		return forget, err
	}
	dir := filepath.Join(state, serverRecordDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return forget, err
	}
	path := filepath.Join(dir, urlPort(s.BrowserURL)+".json")
	if err := store.ReplaceFile(path, append(text, '\n')); err != nil {
		return forget, err
	}
	return func() { _ = os.Remove(path) }, nil
}

// maxServerRecord limits the size of a server record.
const maxServerRecord = 64 << 10

// findRunningServer returns the server of this state directory that was started last and
// is reachable; ok is false if there is none.
func (p *program) findRunningServer(ctx context.Context) (s serverRecord, ok bool, err error) {
	return p.findServer(ctx, func(serverRecord) bool { return true })
}

// findServerOnPort returns the server of this state directory that listens on the port of
// addr.
func (p *program) findServerOnPort(ctx context.Context, addr string) (serverRecord, bool) {
	_, port, _ := net.SplitHostPort(addr) // addr is valid: it was listened on
	s, ok, err := p.findServer(ctx, func(s serverRecord) bool { return urlPort(s.BrowserURL) == port || urlPort(s.ShareServerURL) == port })
	return s, ok && err == nil
}

// findServer returns the newest server that matches wanted and is running.
func (p *program) findServer(ctx context.Context, wanted func(serverRecord) bool) (s serverRecord, ok bool, err error) {
	all, err := p.readServerRecords()
	if err != nil || len(all) == 0 {
		return s, false, err
	}
	token, err := p.accessToken()
	if err != nil {
		return s, false, err
	}
	for _, s := range all {
		if wanted(s) && isOwnServer(ctx, s.ShareServerURL, token) {
			return s, true, nil
		}
	}
	return s, false, nil
}

// readServerRecords returns all server records, newest first. Some servers may have been
// killed.
func (p *program) readServerRecords() ([]serverRecord, error) {
	state, err := p.stateDir()
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(escapeGlob(state), serverRecordDir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []serverRecord
	for _, name := range names {
		var s serverRecord
		text, err := store.ReadRegular(name, maxServerRecord)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		switch {
		case err == nil:
			all = append(all, s)
		case !errors.Is(err, fs.ErrNotExist): // the server stopped meanwhile
			fmt.Fprintf(p.err, "explorer: %s cannot be read, so the server that it describes is not found: %v\n", cleanLine(name), stripPath(err))
		}
	}
	slices.SortFunc(all, func(a, b serverRecord) int { return b.Started.Compare(a.Started) })
	return all, nil
}

// escapeGlob returns a pattern that matches only path.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// isOwnServer reports whether the server at a local address is an explorer of the same
// state directory. Any program can listen on a port, but only those can prove that they
// know the token.
func isOwnServer(ctx context.Context, base, token string) bool {
	port, err := strconv.Atoi(urlPort(base))
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
	req.Header.Set(auth.ChallengeHeader, challenge)
	// No proxy. The proof identifies the server, not the certificate.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	res, err := client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.Header.Get(auth.ProofHeader) == auth.ComputeProof(token, challenge, port)
}

// urlPort returns the port of a URL, or "".
func urlPort(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Port()
}

// errNoServer is returned if no server is running that a link could point to.
var errNoServer = errors.New("nothing was shared: no explorer is running, so the link would not open. Start one with explorer serve, or set the address of links with --share-url")
