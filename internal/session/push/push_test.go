package push_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/push"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/team"
	"sessiontree/internal/testgen/transcript"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/hub/deviceapi"
)

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// hub is a hub with one person, in a directory of the test.
type hub struct {
	t        *testing.T
	dir      string
	archive  archive.TreeStore
	registry team.Registry
	server   *httptest.Server
	// failEvery makes each n-th request fail: after it was handled if it is odd. 0 = none.
	failEvery, requests atomic.Int64
	onPut               atomic.Pointer[func()] // is called before a segment is stored
}

func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{t: t, dir: t.TempDir()}
	h.archive = archive.NewDir(filepath.Join(h.dir, "archive"))
	var err error
	if h.registry, err = team.OpenDir(h.dir); err != nil {
		t.Fatal(err)
	}
	if err := h.registry.AddPerson(t.Context(), team.Person{ID: "ada", Name: "Ada", Role: team.Member}); err != nil {
		t.Fatal(err)
	}
	api := &deviceapi.Handlers{Archive: h.archive, Registry: h.registry, Log: slog.New(slog.DiscardHandler), Clock: time.Now, OnAppend: func(string) {}, Limiter: auth.NewLinkLimiter(time.Now)}
	r := chi.NewRouter()
	r.Use(h.failSometimes, h.callOnPut)
	api.AddRoutes(r)
	h.server = httptest.NewServer(r)
	t.Cleanup(h.server.Close)
	return h
}

// failSometimes fails requests as a crashing hub does: before or after they took effect.
func (h *hub) failSometimes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, every := h.requests.Add(1), h.failEvery.Load()
		if every == 0 || n%every != 0 {
			next.ServeHTTP(w, r)
			return
		}
		if n%2 == 1 {
			next.ServeHTTP(httptest.NewRecorder(), r)
		}
		panic(http.ErrAbortHandler)
	})
}

func (h *hub) callOnPut(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fn := h.onPut.Load(); fn != nil && r.Method == http.MethodPut {
			(*fn)()
		}
		next.ServeHTTP(w, r)
	})
}

func (h *hub) enroll(projects ...string) push.Account {
	h.t.Helper()
	code := team.NewCode()
	err := h.registry.AddCode(h.t.Context(), team.Code{Hash: team.HashSecret(code), Kind: team.DeviceCode, Person: "ada", Projects: projects, Expires: time.Now().Add(time.Minute)})
	if err != nil {
		h.t.Fatal(err)
	}
	a, err := push.Enroll(h.t.Context(), h.server.URL, strings.ToLower(code), "laptop")
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// newest returns the newest generation of each file on the hub, by its path.
func (h *hub) newest() map[string]string {
	h.t.Helper()
	files := map[string]string{}
	err := h.archive.ListFiles(h.t.Context(), func(path string, heads []archive.Head) error {
		f, err := h.archive.OpenGeneration(h.t.Context(), path, heads[len(heads)-1].Generation)
		if err != nil {
			return err
		}
		defer f.Close()
		text, err := io.ReadAll(f)
		files[path] = string(text)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return files
}

// laptop is a computer with sessions.
type laptop struct {
	t         *testing.T
	root      string
	state     string
	redactor  push.Redactor
	projects  []push.Project
	accountOf push.Account
}

func newLaptop(t *testing.T, a push.Account) *laptop {
	root := filepath.Join(t.TempDir(), ".pi", "sessions")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	return &laptop{t: t, root: root, state: t.TempDir(), accountOf: a, projects: []push.Project{{Name: "atlas", Dir: "/home/dev/atlas"}}}
}

func (l *laptop) write(name string, text []byte) string {
	l.t.Helper()
	path := filepath.Join(l.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		l.t.Fatal(err)
	}
	return path
}

func (l *laptop) append(path string, text []byte) {
	l.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(text)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		l.t.Fatal(err)
	}
}

// pusher returns a pusher as a newly started program has it.
func (l *laptop) pusher() (*push.Pusher, *catalog.Catalog) {
	l.t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{l.root}})
	if err != nil {
		l.t.Fatal(err)
	}
	c := catalog.New(catalog.Config{Library: lib})
	if err := c.Fill(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	config := push.Config{
		Account: l.accountOf, Catalog: c, Formats: format.All, Projects: l.projects, Home: filepath.Dir(filepath.Dir(l.root)), StateDir: l.state,
		Redactor: l.redactor, Classes: map[string]bool{redact.ClassKeys: true, redact.ClassPersonal: true}, Rules: "none",
	}
	if l.redactor != nil {
		config.Rules = redact.Version()
	}
	p, err := push.New(config)
	if err != nil {
		l.t.Fatal(err)
	}
	return p, c
}

func newSession(id, cwd string, prompts int) *transcript.File {
	f := transcript.New(transcript.Pi, id, cwd, start)
	for range prompts {
		f.AddPrompt("How large is the atlas?")
		f.AddReply("It has 412 pages.")
	}
	return f
}

func pushAll(t *testing.T, l *laptop) push.Report {
	t.Helper()
	p, _ := l.pusher()
	r, err := p.PushAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Only sessions of the chosen projects arrive, byte for byte, with the files that belong to
// them. A second run sends only what is new, and whole lines only.
func TestPushAll(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	own, other, below := newSession("s1", "/home/dev/atlas", 3), newSession("s2", "/home/dev/secret", 3), newSession("s3", "/home/dev/atlas/maps", 1)
	path := l.write("--atlas--/s1.jsonl", own.Bytes())
	l.write("--secret--/s2.jsonl", other.Bytes())
	l.write("--maps--/s3.jsonl", below.Bytes())
	l.write("--atlas--/s1/notes.txt", []byte("side file"))
	l.write("--atlas--/s1/.hidden", []byte("not pushed"))
	device := "/" + l.accountOf.Device + "/_pi/sessions/"
	want := map[string]string{
		device + "--atlas--/s1.jsonl": string(own.Bytes()), device + "--atlas--/s1/notes.txt": "side file", device + "--maps--/s3.jsonl": string(below.Bytes()),
	}
	r := pushAll(t, l)
	checkFiles(t, h.newest(), want)
	if r.Files != 3 || len(r.Refused) > 0 {
		t.Errorf("the report is %+v", r)
	}

	own.AddPrompt("And the index?")
	added := own.LastLines(1)
	l.append(path, append(bytes.Clone(added), `{"type":"mess`...))
	want[device+"--atlas--/s1.jsonl"] = string(own.Bytes())
	r = pushAll(t, l)
	checkFiles(t, h.newest(), want)
	if r.Sent != int64(len(added)) {
		t.Errorf("%d bytes were sent, want %d", r.Sent, len(added))
	}
	if r = pushAll(t, l); r.Sent != 0 || r.Files != 3 {
		t.Errorf("nothing is new, and the report is %+v", r)
	}

	// Without what it noted, a new start finds by itself what the hub has.
	l.state = t.TempDir()
	if r = pushAll(t, l); r.Sent != 0 {
		t.Errorf("%d bytes were sent again", r.Sent)
	}
	f, err := h.registry.FindFile(t.Context(), device+"--atlas--/s1/notes.txt")
	if err != nil || f.Session != device+"--atlas--/s1.jsonl" || f.Person != "ada" || f.Project != "atlas" {
		t.Errorf("the hub knows of the side file %+v, %v", f, err)
	}
}

func checkFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for path := range want {
		if got[path] != want[path] {
			t.Errorf("%s has %d bytes on the hub, want %d", path, len(got[path]), len(want[path]))
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s was pushed", path)
		}
	}
}

// Whatever happens to a file and to requests, the newest generation on the hub is the file in
// the end.
func TestPushAll_LostRequests(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	random := rand.New(rand.NewPCG(7, 7))
	f := newSession("s1", "/home/dev/atlas", 200)
	big := strings.Repeat("pages ", 250_000) // more than one segment
	path := l.write("--atlas--/s1.jsonl", f.Bytes())
	for round := range sampletest.Rounds(15) {
		switch random.IntN(5) {
		case 0:
			f = newSession("s1", "/home/dev/atlas", 1+random.IntN(300))
			l.write("--atlas--/s1.jsonl", f.Bytes())
		case 1:
			f.AddReply(big)
			l.append(path, f.LastLines(1))
		default:
			f.AddPrompt("More")
			l.append(path, f.LastLines(1))
		}
		if random.IntN(4) == 0 {
			l.state = t.TempDir()
		}
		h.failEvery.Store(int64(2 + random.IntN(4)))
		p, _ := l.pusher()
		for range 1 + random.IntN(3) {
			_, _ = p.PushAll(t.Context()) // fails, as the requests do
		}
		h.failEvery.Store(0)
		pushAll(t, l)
		got := h.newest()["/"+l.accountOf.Device+"/_pi/sessions/--atlas--/s1.jsonl"]
		if got != string(f.Bytes()) {
			t.Fatalf("round %d: %d bytes on the hub, want %d", round, len(got), len(f.Bytes()))
		}
	}
}

// A file that is rewritten while its bytes are on the way arrives as it is in the end: at once,
// or when the rewriting ends.
func TestPushAll_RewrittenMeanwhile(t *testing.T) {
	for _, rewrites := range []int{1, 2, 20} {
		h := newHub(t)
		l := newLaptop(t, h.enroll("atlas"))
		f := newSession("s1", "/home/dev/atlas", 1)
		l.write("--atlas--/s1.jsonl", f.Bytes())
		done := 0
		rewrite := func() {
			if done++; done <= rewrites {
				f = newSession(fmt.Sprintf("s1-%d", done), "/home/dev/atlas", 1+done)
				l.write("--atlas--/s1.jsonl", f.Bytes())
			}
		}
		h.onPut.Store(&rewrite)
		p, _ := l.pusher()
		for range 10 {
			_, err := p.PushAll(t.Context())
			if err == nil {
				break
			}
			if !strings.Contains(err.Error(), "is being rewritten") {
				t.Fatal(err)
			}
		}
		h.onPut.Store(nil)
		if got := h.newest()["/"+l.accountOf.Device+"/_pi/sessions/--atlas--/s1.jsonl"]; got != string(f.Bytes()) {
			t.Errorf("%d rewrites: %d bytes on the hub, want the last %d", rewrites, len(got), len(f.Bytes()))
		}
	}
}

// A file that is rewritten all the time does not prevent that others are pushed.
func TestPushAll_OthersWhileRewritten(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	device, want := "/"+l.accountOf.Device+"/_pi/sessions/", map[string]string{}
	for _, name := range []string{"--atlas--/a.jsonl", "--atlas--/z.jsonl"} {
		f := newSession(name, "/home/dev/atlas", 1)
		l.write(name, f.Bytes())
		want[device+name] = string(f.Bytes())
	}
	writes := 0
	rewrite := func() {
		writes++
		l.write("--atlas--/m.jsonl", newSession(fmt.Sprintf("m-%d", writes), "/home/dev/atlas", 1+writes%3).Bytes())
	}
	rewrite()
	h.onPut.Store(&rewrite)
	p, _ := l.pusher()
	if _, err := p.PushAll(t.Context()); err == nil || !strings.Contains(err.Error(), "m.jsonl") {
		t.Errorf("PushAll returned %v, want the file that is rewritten", err)
	}
	got := h.newest()
	delete(got, device+"--atlas--/m.jsonl")
	checkFiles(t, got, want)
}

// Run pushes what an agent writes, waits while the hub is away, and ends when the device is
// revoked.
func TestRun(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	f := newSession("s1", "/home/dev/atlas", 2)
	path := l.write("--atlas--/s1.jsonl", f.Bytes())
	p, _ := l.pusher()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	stored := "/" + l.accountOf.Device + "/_pi/sessions/--atlas--/s1.jsonl"
	waitFor(t, func() bool { return h.newest()[stored] == string(f.Bytes()) })
	f.AddPrompt("Live")
	h.failEvery.Store(1) // the hub is away
	l.append(path, f.LastLines(1))
	p.PathChanged(path)
	seen := h.requests.Load()
	waitFor(t, func() bool { return h.requests.Load() > seen })
	h.failEvery.Store(0)
	waitFor(t, func() bool { return h.newest()[stored] == string(f.Bytes()) })

	if err := h.registry.RevokeDevice(t.Context(), l.accountOf.Device, time.Now()); err != nil {
		t.Fatal(err)
	}
	f.AddPrompt("Refused")
	l.append(path, f.LastLines(1))
	p.PathChanged(path)
	if err := <-done; err == nil || !strings.Contains(err.Error(), "revoked") {
		t.Errorf("Run returned %v", err)
	}
}

// Changes of several sessions at once are compared with the hub in one request.
func TestRun_SeveralSessions(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	device, want := "/"+l.accountOf.Device+"/_pi/sessions/", map[string]string{}
	var paths []string
	write := func(prompts int) {
		paths = nil
		for _, name := range []string{"--atlas--/a.jsonl", "--atlas--/b.jsonl", "--atlas--/c.jsonl"} {
			f := newSession(name, "/home/dev/atlas", prompts)
			paths = append(paths, l.write(name, f.Bytes()))
			want[device+name] = string(f.Bytes())
		}
	}
	write(1)
	p, _ := l.pusher()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	waitFor(t, func() bool { return maps.Equal(h.newest(), want) })
	seen := h.requests.Load()
	write(2)
	for _, path := range paths {
		p.PathChanged(path)
	}
	waitFor(t, func() bool { return maps.Equal(h.newest(), want) })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := h.requests.Load() - seen; n != 4 {
		t.Errorf("%d requests, want one for the heads and one per session", n)
	}
}

// waitFor waits until a condition is true.
func waitFor(t *testing.T, is func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatal("the condition did not become true")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Secrets do not reach the disk of the hub, in lines, side files and names of files.
func TestPushAll_Redacted(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	l.redactor = redact.New(redact.Options{Home: "/home/dev", User: "dev-ada", Host: "adas-laptop"})
	f := newSession("s1", "/home/dev/atlas", 1)
	secrets := []string{"ghp_" + strings.Repeat("a1B2c3", 6), "AKIAZ7VRT4LKWQ2NH3PD", "sk-ant-api03-" + strings.Repeat("Zx9Qw8", 15) + "-abcdefAA"}
	for _, s := range secrets {
		f.AddPrompt("export TOKEN=" + s)
		f.AddBashCall("", "curl -H 'Authorization: Bearer "+s+"'", "ok", false)
	}
	f.WriteRaw(`{"type":"message", torn ` + secrets[0])
	l.write("--atlas--/s1.jsonl", f.Bytes())
	l.write("--atlas--/s1/"+secrets[1]+".txt", []byte("token: "+secrets[1]))
	r := pushAll(t, l)
	if r.Hidden() < 2*len(secrets) {
		t.Errorf("%d secrets were removed", r.Hidden())
	}
	var all strings.Builder
	for path, text := range h.newest() {
		all.WriteString(path + "\n" + text)
	}
	journal, err := os.ReadFile(filepath.Join(h.dir, "team.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	all.Write(journal)
	for _, s := range append(secrets, "/home/dev/atlas") {
		if strings.Contains(all.String(), s) {
			t.Errorf("%s is on the hub", s)
		}
	}
	if !strings.Contains(all.String(), "412 pages") {
		t.Error("the rest of the session is not on the hub")
	}
}

// What the hub does not accept is named with the reason, and the rest arrives.
func TestPushAll_Refused(t *testing.T) {
	h := newHub(t)
	l := newLaptop(t, h.enroll("atlas"))
	l.projects = append(l.projects, push.Project{Name: "other", Dir: "/home/dev/other"})
	l.write("--atlas--/s1.jsonl", newSession("s1", "/home/dev/atlas", 1).Bytes())
	l.write("--other--/s2.jsonl", newSession("s2", "/home/dev/other", 1).Bytes())
	r := pushAll(t, l)
	if r.Files != 1 || len(r.Refused) != 1 || !strings.Contains(r.Refused[0].Reason, `"other"`) {
		t.Errorf("the report is %+v", r)
	}
	stored := "/" + l.accountOf.Device + "/_pi/sessions/--atlas--/s1.jsonl"
	if _, err := h.registry.DeleteSession(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	l.state = t.TempDir()
	if r := pushAll(t, l); r.Files != 0 || len(r.Refused) != 2 {
		t.Errorf("after the session was deleted on the hub, the report is %+v", r)
	}
}

func TestEnroll_Refused(t *testing.T) {
	h := newHub(t)
	for url, want := range map[string]string{"http://hub.example": "https", "ftp://x": "not the URL", h.server.URL: "the code is unknown"} {
		if _, err := push.Enroll(t.Context(), url, "AAAA-BBBB-CCCC-DDDD", "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", url, err)
		}
	}
}
