package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/web/auth"
)

// testServer is the program serving as a user starts it.
type testServer struct {
	url  string
	stop context.CancelFunc
	done chan int
	err  *bytes.Buffer // read after the server has stopped
}

// startServer runs the program and waits for the address that it prints.
func startServer(t testing.TB, args ...string) *testServer {
	t.Helper()
	s, lines := startPrinting(t, args...)
	go io.Copy(io.Discard, lines)
	return s
}

// startPrinting is startServer that also returns the output after the address.
func startPrinting(t testing.TB, args ...string) (*testServer, *bufio.Reader) {
	t.Helper()
	return startCached(t, t.TempDir(), args...)
}

// startCached is startPrinting with a directory for the cache.
func startCached(t testing.TB, cache string, args ...string) (*testServer, *bufio.Reader) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", cache)
	return startAgain(t, args...)
}

// startAgain is startPrinting with the cache of the last start.
func startAgain(t testing.TB, args ...string) (*testServer, *bufio.Reader) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := &testServer{stop: stop, done: make(chan int, 1), err: &bytes.Buffer{}}
	r, w := io.Pipe()
	go func() {
		s.done <- runCommandLine(ctx, append([]string{"serve", "--no-open", "--state", t.TempDir()}, args...), w, s.err)
		w.Close()
	}()
	lines := bufio.NewReader(r)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("no address printed: %s", s.err)
	}
	s.url = strings.TrimSpace(line)
	t.Cleanup(func() { s.stopServer(t) })
	return s, lines
}

// stopServer stops the program as Ctrl-C does.
func (s *testServer) stopServer(t testing.TB) {
	t.Helper()
	s.stop()
	select {
	case status := <-s.done:
		s.done <- status
		if status != statusDone {
			t.Errorf("status %d: %s", status, s.err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
}

func fetchPage(t testing.TB, url string) (int, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

const headerLine = `{"type":"session","version":3,"id":"one","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/atlas"}` + "\n"

func promptLine(id, parent, text string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-02-03T09:00:01.000Z","message":{"role":"user","content":%q}}`+"\n", id, parent, text)
}

func writeSessionFile(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "one.jsonl")
	if err := os.WriteFile(path, []byte(headerLine+promptLine("a", "", "hello there")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// waitForText repeats a request until the response contains text, because the list is
// filled while pages are served.
func waitForText(t testing.TB, url, text string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if _, body := fetchPage(t, url); strings.Contains(body, text) {
			return body
		}
		runtime.Gosched()
	}
	t.Fatalf("%s never says %q", url, text)
	return ""
}

func TestServe(t *testing.T) {
	dir := t.TempDir()
	writeSessionFile(t, dir)
	s := startServer(t, "--listen", "127.0.0.1:0", dir)
	if !strings.HasPrefix(s.url, "http://127.0.0.1:") || strings.Contains(s.url, "token") {
		t.Errorf("address %q", s.url)
	}
	body := waitForText(t, s.url, "hello there")
	_, rest, _ := strings.Cut(body, `href="/sessions/`)
	key, _, _ := strings.Cut(rest, `"`)
	if status, page := fetchPage(t, s.url+"sessions/"+key); status != 200 || !strings.Contains(page, "hello there") {
		t.Errorf("session page: status %d", status)
	}
	// localhost may resolve to either loopback.
	if l, err := net.Listen("tcp", "[::1]:0"); err == nil {
		l.Close()
		if status, _ := fetchPage(t, strings.Replace(s.url, "127.0.0.1", "[::1]", 1)); status != 200 {
			t.Errorf("on [::1]: status %d", status)
		}
	}
	s.stopServer(t)
	if _, err := http.Get(s.url); err == nil {
		t.Error("it still answers after its end")
	}
}

// With --read-only every change is refused and every dialog shows why.
func TestServeReadOnly(t *testing.T) {
	dir := t.TempDir()
	writeSessionFile(t, dir)
	s := startServer(t, "--read-only", "--listen", "127.0.0.1:0", dir)
	_, rest, _ := strings.Cut(waitForText(t, s.url, "hello there"), `href="/sessions/`)
	key, _, _ := strings.Cut(rest, `"`)
	base := s.url + "sessions/" + key
	if status, page := fetchPage(t, base+"/rename"); status != 200 || !strings.Contains(page, "read-only") {
		t.Errorf("the dialog: status %d, and it does not say why", status)
	}
	res, err := http.PostForm(base+"/rename", url.Values{"name": {"x"}})
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("status %d, want 403", res.StatusCode)
	}
}

func TestServeUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{"--tls-cert", "x"}, statusUsage, "--tls-key"},
		{[]string{"--demo", "."}, statusUsage, "--demo"},
		{[]string{"--listen", "nonsense"}, statusUsage, "HOST:PORT"},
		{[]string{"--memory", "3"}, statusUsage, "32M"},
		{[]string{"--nothing"}, statusUsage, "--nothing"},
		{[]string{"/no/such/directory"}, statusFailed, "/no/such/directory: no such file"},
		{[]string{"--tls-cert", "/no/cert", "--tls-key", "/no/key", "."}, statusFailed, "/no/cert"},
	} {
		var out, err bytes.Buffer
		args := append([]string{"serve", "--no-open", "--listen", "127.0.0.1:0", "--state", t.TempDir()}, tt.args...)
		if got := runCommandLine(t.Context(), args, &out, &err); got != tt.want || !strings.Contains(err.String(), tt.says) {
			t.Errorf("serve %q: status %d, %q; want %d and %q", tt.args, got, err.String(), tt.want, tt.says)
		}
		if n := strings.Count(err.String(), "\n"); n != 1 {
			t.Errorf("serve %q: %d lines of error", tt.args, n)
		}
	}
}

// Only a server that proves to be an explorer of the same state directory is reported as
// one.
func TestServePortTaken(t *testing.T) {
	state := t.TempDir()
	s := startServer(t, "--listen", "127.0.0.1:0", "--state", state, t.TempDir())
	addr := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	again := func(addr, state string) string {
		var err bytes.Buffer
		args := []string{"serve", "--no-open", "--state", state, "--listen", addr, t.TempDir()}
		if got := runCommandLine(t.Context(), args, io.Discard, &err); got != statusFailed {
			t.Errorf("status %d, want %d", got, statusFailed)
		}
		return err.String()
	}
	if says := again(addr, state); !strings.Contains(says, "an explorer is already running on "+addr+": open "+s.url) {
		t.Errorf("another explorer on the port: %q", says)
	}
	if says := again(addr, t.TempDir()); !strings.Contains(says, "another program is listening on") {
		t.Errorf("somebody else's explorer on the port: %q", says)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	other := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Server", "session-explorer")
		w.Header().Set(auth.ProofHeader, r.Header.Get(auth.ChallengeHeader))
		fmt.Fprintln(w, "ok")
	})}
	go other.Serve(l)
	defer other.Close()
	// The server listens on the port of an explorer that was killed.
	text := fmt.Sprintf(`{"open":"http://%[1]s/","share":"http://%[1]s","via":"http://%[1]s/","since":"2036-02-03T09:00:00Z"}`, l.Addr())
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if err := os.WriteFile(filepath.Join(state, "served", port+".json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if says := again(l.Addr().String(), state); !strings.Contains(says, "another program is listening on") || asked.Load() == 0 {
		t.Errorf("another program on the port, asked %d times: %q", asked.Load(), says)
	}
	// No link begins with its address either.
	var out, bad bytes.Buffer
	if got := runCommandLine(t.Context(), []string{"share", writeSessionFile(t, t.TempDir()), "--state", state}, &out, &bad); got != statusDone || !strings.HasPrefix(out.String(), s.url+"share/") {
		t.Errorf("the link is %q, %s", &out, &bad)
	}
}

func TestServeDemo(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "OMP_CODING_AGENT_DIR", "XDG_DATA_HOME"} {
		t.Setenv(name, "")
	}
	for _, args := range [][]string{{"--demo"}, {}} {
		s := startServer(t, append(args, "--listen", "127.0.0.1:0")...)
		waitForText(t, s.url, "/home/dev/atlas")
		demo := filepath.Join(statedir.CacheDir(), "demo")
		if info, err := os.Stat(demo); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the copy is %v, %v; want it private", info, err)
		}
		if len(args) == 0 { // the first real session appears next to the demo
			dir := filepath.Join(home, ".pi", "agent", "sessions", "--x--")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			writeSessionFile(t, dir)
			waitForText(t, s.url, "hello there")
		}
		s.stopServer(t)
		if _, err := os.Stat(demo); !os.IsNotExist(err) {
			t.Errorf("the copy is left behind: %v", err)
		}
	}
}

func TestServeRequireToken(t *testing.T) {
	state := t.TempDir()
	s := startServer(t, "--require-token", "--listen", "127.0.0.1:0", "--state", state, t.TempDir())
	base, token, ok := strings.Cut(s.url, "?token=")
	if !ok || len(token) != 48 {
		t.Fatalf("address %q has no token", s.url)
	}
	var out, stderr bytes.Buffer
	if runCommandLine(t.Context(), []string{"token", "--state", state}, &out, &stderr); out.String() != token+"\n" || stderr.String() != "Open "+s.url+"\n" {
		t.Errorf("explorer token prints %q and %q", &out, &stderr)
	}
	if status, _ := fetchPage(t, base); status != http.StatusUnauthorized {
		t.Errorf("without the token: status %d, want 401", status)
	}
	if status, _ := fetchPage(t, base+"healthz"); status != 200 {
		t.Errorf("healthz: status %d", status)
	}
	jar := cookies{}
	client := http.Client{Jar: jar}
	res, err := client.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 || res.Request.URL.RawQuery != "" {
		t.Errorf("with the token: status %d at %v, want 200 at the clean address", res.StatusCode, res.Request.URL)
	}
}

func TestServeTLS(t *testing.T) {
	lender := httptest.NewTLSServer(nil) // for its certificate
	defer lender.Close()
	lent := lender.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(lent.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, b := range map[string]*pem.Block{"cert": {Type: "CERTIFICATE", Bytes: lent.Certificate[0]}, "key": {Type: "PRIVATE KEY", Bytes: key}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := startServer(t, "--require-token", "--listen", "127.0.0.1:0", "--tls-cert", dir+"/cert", "--tls-key", dir+"/key", dir)
	if !strings.HasPrefix(s.url, "https://127.0.0.1:") {
		t.Fatalf("address %q", s.url)
	}
	transport := lender.Client().Transport.(*http.Transport)
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(httptest.NewRequest("GET", s.url, nil))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if len(res.Cookies()) != 1 || !res.Cookies()[0].Secure {
		t.Fatalf("cookies %v, want one for TLS only", res.Cookies())
	}
	dialer := websocket.Dialer{TLSClientConfig: &tls.Config{RootCAs: transport.TLSClientConfig.RootCAs}}
	base, _, _ := strings.Cut(strings.TrimPrefix(s.url, "https"), "?")
	conn, _, err := dialer.Dial("wss"+base+"live", http.Header{"Cookie": {res.Cookies()[0].String()}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, data, err := conn.ReadMessage(); err != nil || !bytes.Contains(data, []byte("hello")) {
		t.Errorf("socket says %q, %v", data, err)
	}
}

// cookies is a cookie jar that stores everything for every path.
type cookies map[string]*http.Cookie

func (c cookies) SetCookies(_ *url.URL, cs []*http.Cookie) {
	for _, k := range cs {
		c[k.Name] = k
	}
}

func (c cookies) Cookies(*url.URL) []*http.Cookie {
	var cs []*http.Cookie
	for _, k := range c {
		cs = append(cs, k)
	}
	return cs
}

// subscribe opens a socket that follows a session and reads the first messages.
func subscribe(t testing.TB, base, key string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(base, "http")+"live", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.WriteJSON(map[string]any{"sub": []map[string]string{{"topic": "session:" + key}}})
	for range 2 { // hello, and the current revision
		if _, _, err := conn.ReadMessage(); err != nil {
			t.Fatal(err)
		}
	}
	return conn
}

// BenchmarkAppendToNotice measures the time from writing a line to receiving the notice,
// through the watcher, the store and the socket.
func BenchmarkAppendToNotice(b *testing.B) {
	for _, entries := range []int{10, 50_000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			dir := b.TempDir()
			path := filepath.Join(dir, "one.jsonl")
			var file bytes.Buffer
			file.WriteString(headerLine)
			for i := range entries {
				file.WriteString(promptLine(fmt.Sprint("p", i), fmt.Sprint("p", i-1), strings.Repeat("words ", 300)))
			}
			if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
				b.Fatal(err)
			}
			s := startServer(b, "--listen", "127.0.0.1:0", dir)
			body := waitForText(b, s.url, "/sessions/")
			_, rest, _ := strings.Cut(body, `href="/sessions/`)
			key, _, _ := strings.Cut(rest, `"`)
			conn := subscribe(b, s.url, key)
			out, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer out.Close()
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				line := promptLine(fmt.Sprint("q", i), "p1", "more")
				begin := time.Now()
				if _, err := out.WriteString(line); err != nil {
					b.Fatal(err)
				}
				var n struct{ Topic, Kind string }
				_, data, err := conn.ReadMessage()
				if err != nil || json.Unmarshal(data, &n) != nil || n.Kind != "append" {
					b.Fatalf("notice %s, %v", data, err)
				}
				took = append(took, time.Since(begin))
				time.Sleep(15 * time.Millisecond) // no agent is faster, and the watcher's quiet period passes
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}

// A link created in a terminal opens at the running server and is gone after it was
// revoked in the terminal.
func TestServe_ShareFromTerminal(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	text := `{"type":"session","version":3,"id":"0b2c3d4e-0000-4000-8000-000000000009","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/srv"}` + "\n" +
		`{"type":"message","id":"u1","parentId":null,"timestamp":"2026-02-03T09:00:01.000Z","message":{"role":"user","content":"What holds it?"}}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "--listen", "127.0.0.1:0", "--state", state, dir)
	say := func(args ...string) string {
		var out, err bytes.Buffer
		if status := runCommandLine(t.Context(), append(args, "--state", state), &out, &err); status != statusDone {
			t.Fatalf("%v: status %d: %s", args, status, &err)
		}
		return strings.TrimSpace(out.String())
	}
	link := say("share", path)
	if !strings.HasPrefix(link, s.url+"share/") {
		t.Errorf("the link is %s, served is %s", link, s.url)
	}
	if status, page := fetchPage(t, link); status != http.StatusOK || !strings.Contains(page, "What holds it?") {
		t.Errorf("the link answers %d", status)
	}
	id, _, _ := strings.Cut(say("shares"), " ")
	// A request of a program does not count as a visit.
	if list := say("shares"); !strings.Contains(list, "0 visits") {
		t.Errorf("the list says %s", list)
	}
	say("revoke", id)
	if status, _ := fetchPage(t, link); status != http.StatusGone {
		t.Errorf("the revoked link answers %d", status)
	}
}
