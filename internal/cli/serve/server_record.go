package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/web"
)

// recordDir is the directory of records within the state directory, with one
// file per port.
const recordDir = "served"

// Record describes a running server to other processes.
type Record struct {
	BrowserURL     string    `json:"open"`  // address for a browser on this computer, without a token
	ShareURL       string    `json:"share"` // beginning of links to shares
	ShareServerURL string    `json:"via"`   // local address of the server that serves them
	NeedsToken     bool      `json:"token"` // a browser on this computer needs the token
	Started        time.Time `json:"since"`
}

// newRecord describes the server with these listeners.
func (o *Options) newRecord(ls, shares []net.Listener) Record {
	s := Record{BrowserURL: listenerURL(ls[0], o.cert != ""), NeedsToken: o.browserNeedsToken(ls), Started: time.Now()}
	s.ShareServerURL = s.BrowserURL
	if len(shares) > 0 {
		s.ShareServerURL = listenerURL(shares[0], o.cert != "")
	}
	s.ShareURL = cmp.Or(o.shareBaseURL(shares), strings.TrimRight(s.BrowserURL, "/"))
	return s
}

// writeRecord records in the state directory that a server is running. forget
// removes the record.
func writeRecord(state string, s Record) (forget func(), err error) {
	forget = func() {}
	if state == "" {
		return forget, nil // OpenForServer has logged a warning
	}
	text, err := json.Marshal(s)
	if err != nil {
		return forget, err
	}
	dir := filepath.Join(state, recordDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return forget, err
	}
	path := filepath.Join(dir, urlPort(s.BrowserURL)+".json")
	if err := safefile.ReplaceFile(path, append(text, '\n')); err != nil {
		return forget, err
	}
	return func() { _ = os.Remove(path) }, nil
}

// maxRecord limits the size of a server record.
const maxRecord = 64 << 10

// FindRunning returns the server of this state directory that was started last and
// is reachable; ok is false if there is none.
func FindRunning(ctx context.Context, state statedir.Location) (s Record, ok bool, err error) {
	return findServer(ctx, state, func(Record) bool { return true })
}

// findServerOnPort returns the server of this state directory that listens on the port of
// addr.
func findServerOnPort(ctx context.Context, state statedir.Location, addr string) (Record, bool) {
	_, port, _ := net.SplitHostPort(addr) // addr is valid: it was listened on
	s, ok, err := findServer(ctx, state, func(s Record) bool { return urlPort(s.BrowserURL) == port || urlPort(s.ShareServerURL) == port })
	return s, ok && err == nil
}

// findServer returns the newest server that matches wanted and is running.
func findServer(ctx context.Context, state statedir.Location, wanted func(Record) bool) (s Record, ok bool, err error) {
	all, err := readRecords(state)
	if err != nil || len(all) == 0 {
		return s, false, err
	}
	token, err := state.AccessToken()
	if err != nil {
		return s, false, err
	}
	for _, s := range all {
		if wanted(s) && web.IsOwnServer(ctx, s.ShareServerURL, token) {
			return s, true, nil
		}
	}
	return s, false, nil
}

// readRecords returns all server records, newest first. Some servers may have been
// killed.
func readRecords(state statedir.Location) ([]Record, error) {
	dir, err := state.Dir()
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(escapeGlob(dir), recordDir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Record
	for _, name := range names {
		var s Record
		text, err := safefile.ReadRegular(name, maxRecord)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		switch {
		case err == nil:
			all = append(all, s)
		case !errors.Is(err, fs.ErrNotExist): // the server stopped meanwhile
			fmt.Fprintf(state.Warnings, "explorer: %s cannot be read, so the server that it describes is not found: %v\n", terminal.CleanLine(name), safefile.Reason(err))
		}
	}
	slices.SortFunc(all, func(a, b Record) int { return b.Started.Compare(a.Started) })
	return all, nil
}

// escapeGlob returns a pattern that matches only path.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// urlPort returns the port of a URL, or "".
func urlPort(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Port()
}
