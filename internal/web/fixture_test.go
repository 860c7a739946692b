package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/view"
)

// The highlighter of code ends its clock a moment after its last use.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// transcript writes a pi session file of version 3, line by line.
type transcript struct {
	b    strings.Builder
	last string
	n    int
}

func newTranscript(id string) *transcript {
	t := &transcript{}
	fmt.Fprintf(&t.b, `{"type":"session","version":3,"id":%q,"timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/atlas"}`+"\n", id)
	return t
}

// add writes an entry below the last one and returns its id.
func (t *transcript) add(kind string, fields map[string]any) string {
	t.n++
	id := fmt.Sprintf("e%d", t.n)
	t.put(id, kind, fields)
	return id
}

func (t *transcript) put(id, kind string, fields map[string]any) {
	e := map[string]any{"type": kind, "id": id, "parentId": nil, "timestamp": t.stamp()}
	if t.last != "" {
		e["parentId"] = t.last
	}
	for k, v := range fields {
		e[k] = v
	}
	line, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	t.b.Write(line)
	t.b.WriteByte('\n')
	t.last = id
}

func (t *transcript) stamp() string {
	return time.Date(2026, 2, 3, 9, 0, t.n, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
}

func (t *transcript) message(role string, fields map[string]any) string {
	m := map[string]any{"role": role, "timestamp": 1770109200000 + t.n*1000}
	for k, v := range fields {
		m[k] = v
	}
	return t.add("message", map[string]any{"message": m})
}

func (t *transcript) user(text string) string {
	return t.message("user", map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
}

func (t *transcript) answer(blocks ...any) string {
	return t.message("assistant", map[string]any{
		"content": blocks, "api": "messages", "provider": "anthropic", "model": "claude-opus-4-5", "stopReason": "stop",
		"usage": map[string]any{"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 10, "cost": map[string]any{"total": 0.5}},
	})
}

func (t *transcript) result(call, output string) string {
	return t.message("toolResult", map[string]any{"toolCallId": call, "toolName": "bash", "content": []any{text(output)}, "isError": false})
}

func call(id, name string) map[string]any {
	return map[string]any{"type": "toolCall", "id": id, "name": name, "arguments": map[string]any{"command": "ls"}}
}

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

func (t *transcript) label(target, name string) string {
	return t.add("label", map[string]any{"targetId": target, "label": name})
}

// chain adds n turns of a prompt and an answer.
func (t *transcript) chain(n int) {
	for i := range n {
		if i%2 == 0 {
			t.user(fmt.Sprintf("prompt %d", i))
		} else {
			t.answer(text(fmt.Sprintf("answer %d", i)))
		}
	}
}

// take returns what was written since the last call.
func (t *transcript) take() []byte {
	data := []byte(t.b.String())
	t.b.Reset()
	return data
}

// site is a server over a directory of sessions. Everything is real except the watcher:
// tests report changed paths themselves.
type site struct {
	t   testing.TB
	dir string
	*Server
	*follow.Follower
	shares *share.Shares
	http   *httptest.Server

	mu      sync.Mutex
	watched map[string]int // how often each path is watched closely
}

// watchPath is the Watch function of sites.
func (s *site) watchPath(path string) func() {
	add := func(n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watched[path] += n
	}
	add(1)
	return func() { add(-1) }
}

// isWatched reports whether a path is watched closely.
func (s *site) isWatched(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watched[path] > 0
}

// siteConfig configures a site.
type siteConfig struct {
	Config
	follow follow.Config
	auth   auth.Config
	state  string // the state directory, with copies
}

// testToken is the token of all sites.
var testToken = strings.Repeat("ab", 24)

func newSite(t testing.TB, change ...func(*siteConfig)) *site {
	t.Helper()
	return newSiteIn(t, t.TempDir(), change...)
}

// newSiteIn returns a site of the sessions in a directory.
func newSiteIn(t testing.TB, dir string, change ...func(*siteConfig)) *site {
	t.Helper()
	state := t.TempDir()
	s := &site{t: t, dir: dir, watched: map[string]int{}}
	lib, err := store.New(store.Config{
		Formats: format.All, Roots: []string{s.dir}, Home: "/home/dev", Copies: keep.OpenCopies(state),
		OnChange: func(sess *store.Session, c store.Change) { s.SessionChanged(sess, c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	cat := catalog.New(catalog.Config{Library: lib, OnChange: func() { s.ListChanged() }})
	shares, err := share.New(share.Config{
		Dir: filepath.Join(t.TempDir(), "shares"), Formats: format.All, Home: "/home/dev", Redactor: redact.New(redact.Options{Home: "/home/dev"}),
		Changed: func(sess *store.Session, c store.Change) { s.SnapshotChanged(sess, c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	c := siteConfig{
		Config: Config{Shares: shares, Library: lib, Catalog: cat, View: view.Config{Home: "/home/dev", Zone: time.UTC}},
		follow: follow.Config{Watch: s.watchPath},
		auth:   auth.Config{Token: testToken},
		state:  state,
	}
	for _, f := range change {
		f(&c)
	}
	c.follow.Library, c.follow.Catalog, c.follow.Shares, c.follow.Log = c.Library, c.Catalog, c.Shares, c.Log
	s.Follower, s.shares = follow.New(c.follow), c.Shares
	c.Follower = s.Follower
	c.auth.Log = c.Log
	c.Access = auth.NewPolicy(c.auth)
	t.Cleanup(c.Access.Close)
	if s.Server, err = New(c.Config); err != nil {
		t.Fatal(err)
	}
	s.Start()
	s.http = httptest.NewUnstartedServer(s.Handler())
	s.http.Config.ConnContext = c.Access.ConnContext
	s.http.Start()
	t.Cleanup(func() {
		s.Server.Close()
		s.Follower.Close()
		s.http.Close()
	})
	return s
}

// asOtherUser makes all peers programs of another user.
func asOtherUser(c *siteConfig) {
	c.auth.PeerUID = func(_, _ netip.AddrPort) (int, bool) { return os.Geteuid() + 1, true }
}

// write creates a session file and returns its path.
func (s *site) write(name string, tr *transcript) string {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, tr.take(), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// append appends the new lines of tr to a session file, as an agent does.
func (s *site) append(path string, tr *transcript) {
	s.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(tr.take()); err != nil {
		s.t.Fatal(err)
	}
}

// fillCatalog reads the list of sessions.
func (s *site) fillCatalog() {
	s.t.Helper()
	if err := s.catalog.Fill(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// open returns the URL path of a session's page.
func (s *site) open(path string) string {
	s.t.Helper()
	s.fillCatalog()
	sess, err := s.library.Open(s.t.Context(), path)
	if err != nil {
		s.t.Fatal(err)
	}
	return "/sessions/" + sess.Key()
}

type answer struct {
	*http.Response
	body string
}

// get sends a request as a navigating browser does; change may modify it.
func (s *site) get(url string, change ...func(*http.Request)) answer {
	s.t.Helper()
	req, err := http.NewRequest("GET", s.http.URL+url, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html,*/*")
	for _, f := range change {
		f(req)
	}
	client := http.Client{
		Transport:     s.http.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{res, string(body)}
}

// getOK is get that expects status 200.
func (s *site) getOK(url string, change ...func(*http.Request)) answer {
	s.t.Helper()
	a := s.get(url, change...)
	if a.StatusCode != http.StatusOK {
		s.t.Fatalf("GET %s: status %d, want 200\n%.400s", url, a.StatusCode, a.body)
	}
	return a
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if name == "Host" {
			r.Host = value
			return
		}
		r.Header.Set(name, value)
	}
}

// attr returns the first value of an attribute.
func attr(t testing.TB, html, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(html, " "+name+`="`)
	v, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		t.Fatalf("no attribute %s in %.300s", name, html)
	}
	return v
}
