package deviceapi

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/zstd"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web/auth"
)

var now = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

type fixture struct {
	*testing.T
	*Handlers
	router   chi.Router
	appended []string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	dir := t.TempDir()
	registry, err := team.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{T: t, router: chi.NewRouter()}
	clock := func() time.Time { return now }
	f.Handlers = &Handlers{
		Archive: archive.NewDir(filepath.Join(dir, "archive")), Registry: registry, Log: slog.New(slog.DiscardHandler), Clock: clock,
		OnAppend: func(path string) { f.appended = append(f.appended, path) }, Limiter: auth.NewLinkLimiter(clock),
	}
	f.AddRoutes(f.router)
	for _, p := range []team.Person{{ID: "ada", Name: "Ada", Role: team.Member}, {ID: "ben", Name: "Ben", Role: team.Reader}} {
		f.check(registry.AddPerson(t.Context(), p))
		f.check(registry.AddDevice(t.Context(), team.Device{ID: p.ID + "-pc", Person: p.ID, Token: team.HashSecret(p.ID), Projects: []string{"atlas"}}))
	}
	return f
}

func (f *fixture) check(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// send sends a request with the token of a device and returns the response.
func (f *fixture) send(method, path, token string, body []byte, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.router.ServeHTTP(w, r)
	return w
}

func (f *fixture) checkStatus(what string, w *httptest.ResponseRecorder, status int, text string) {
	f.Helper()
	if w.Code != status || !strings.Contains(w.Body.String(), text) {
		f.Errorf("%s: status %d, %s; want %d and %q", what, w.Code, w.Body, status, text)
	}
}

// heads returns what the hub has of a file of ada.
func (f *fixture) heads(file wire.File) wire.FileHead {
	f.Helper()
	body, err := json.Marshal(wire.Heads{Files: []wire.File{file}})
	f.check(err)
	w := f.send("POST", wire.HeadsPath, "ada", body)
	var result wire.HeadsResult
	f.check(json.Unmarshal(w.Body.Bytes(), &result))
	if w.Code != http.StatusOK || len(result.Files) != 1 {
		f.Fatalf("status %d, %s", w.Code, w.Body)
	}
	return result.Files[0]
}

func compress(data []byte) []byte {
	e, _ := zstd.NewWriter(nil)
	return e.EncodeAll(data, nil)
}

// put sends a segment of a file.
func (f *fixture) put(token, id, query string, before archive.Chain, body []byte) *httptest.ResponseRecorder {
	return f.send("PUT", wire.FilesPath+id+"/"+query, token, body, wire.ChainHeader, wire.FormatChain(before), wire.TimeHeader, "1700000000000000000")
}

var session = wire.File{Path: "/pi/s.jsonl", Session: "/pi/s.jsonl", Project: "atlas", Format: "pi", Rules: "none"}

func TestAppendSegment(t *testing.T) {
	f := newFixture(t)
	head := f.heads(session)
	if head.Generation != 0 || head.End != 0 || head.Refused != "" {
		t.Fatalf("the head of a new file is %+v", head)
	}
	text := []byte("first line\n")
	for _, what := range []string{"a segment", "the same one again"} {
		w := f.put("ada", head.ID, "1?off=0", archive.EmptyChain, compress(text))
		f.checkStatus(what, w, http.StatusNoContent, "")
		if w.Header().Get(wire.EndHeader) != "11" {
			t.Errorf("%s: the end is %q", what, w.Header().Get(wire.EndHeader))
		}
	}
	w := f.put("ada", head.ID, "1?off=20", archive.EmptyChain, compress(text))
	f.checkStatus("a gap", w, http.StatusConflict, `"end":11`)
	f.checkStatus("a skipped generation", f.put("ada", head.ID, "3?off=0", archive.EmptyChain, compress(text)), http.StatusConflict, `"generation":1`)
	if head = f.heads(session); head.Generation != 1 || head.End != 11 {
		t.Errorf("the head is %+v", head)
	}
	if len(f.appended) != 2 || f.appended[0] != "/ada-pc/pi/s.jsonl" {
		t.Errorf("appended: %q", f.appended)
	}
}

func TestAppendSegment_Refused(t *testing.T) {
	f := newFixture(t)
	id := f.heads(session).ID
	text, empty := compress([]byte("line\n")), archive.EmptyChain
	encode := base64.RawURLEncoding.EncodeToString
	bomb := compress(make([]byte, 64<<20))
	for _, c := range []struct {
		what, token, id, query string
		body                   []byte
		status                 int
		text                   string
	}{
		{"without a token", "", id, "1?off=0", text, http.StatusUnauthorized, "unknown"},
		{"with another token", "eve", id, "1?off=0", text, http.StatusUnauthorized, "unknown"},
		{"of a reader", "ben", id, "1?off=0", text, http.StatusForbidden, "may not push"},
		{"an unknown file", "ada", encode([]byte("/pi/other.jsonl")), "1?off=0", text, http.StatusNotFound, "does not know"},
		{"a file of another device", "ada", encode([]byte("/../ben-pc/s.jsonl")), "1?off=0", text, http.StatusBadRequest, "not valid"},
		{"no id", "ada", "%20", "1?off=0", text, http.StatusBadRequest, "not valid"},
		{"no offset", "ada", id, "1", text, http.StatusBadRequest, "not valid"},
		{"a negative offset", "ada", id, "1?off=-1", text, http.StatusBadRequest, "not valid"},
		{"generation 0", "ada", id, "0?off=0", text, http.StatusBadRequest, "not valid"},
		{"not compressed", "ada", id, "1?off=0", []byte("line\n"), http.StatusBadRequest, "zstd"},
		{"a zip bomb", "ada", id, "1?off=0", bomb, http.StatusRequestEntityTooLarge, "longer than"},
		{"a large body", "ada", id, "1?off=0", make([]byte, 2<<20), http.StatusRequestEntityTooLarge, "too large"},
	} {
		f.checkStatus(c.what, f.put(c.token, c.id, c.query, empty, c.body), c.status, c.text)
	}
	if len(f.appended) > 0 {
		t.Errorf("appended: %q", f.appended)
	}
	f.check(f.Registry.RevokeDevice(t.Context(), "ada-pc", now))
	f.checkStatus("of a revoked device", f.put("ada", id, "1?off=0", empty, text), http.StatusUnauthorized, "revoked")
	events, err := f.Registry.ListEvents(t.Context(), team.EventFilter{})
	f.check(err)
	if len(events) == 0 || events[0].Action != team.Refuse || events[0].Device != "ada-pc" {
		t.Errorf("the events are %+v", events)
	}
}

// A session that its owner deleted cannot be written to, nor are bytes left of a segment that
// arrives at that moment.
func TestAppendSegment_Deleted(t *testing.T) {
	f := newFixture(t)
	id, text := f.heads(session).ID, compress([]byte("line\n"))
	f.checkStatus("before", f.put("ada", id, "1?off=0", archive.EmptyChain, text), http.StatusNoContent, "")
	_, err := f.Registry.DeleteSession(t.Context(), "/ada-pc/pi/s.jsonl")
	f.check(err)
	f.check(f.Archive.DeleteFile(t.Context(), "/ada-pc/pi/s.jsonl"))
	f.checkStatus("after", f.put("ada", id, "1?off=0", archive.EmptyChain, text), http.StatusNotFound, "")
	if head := f.heads(session); head.Refused == "" {
		t.Errorf("the head is %+v", head)
	}
	if _, err := f.Archive.OpenFile("/ada-pc/pi/s.jsonl"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file can be opened: %v", err)
	}
}

func TestListHeads_Refused(t *testing.T) {
	f := newFixture(t)
	with := func(change func(*wire.File)) wire.File { file := session; change(&file); return file }
	for what, file := range map[string]wire.File{
		"another project":   with(func(f *wire.File) { f.Project = "secret" }),
		"no project":        with(func(f *wire.File) { f.Project = "" }),
		"a relative path":   with(func(f *wire.File) { f.Path = "s.jsonl" }),
		"a path upward":     with(func(f *wire.File) { f.Path = "/../ben-pc/s.jsonl" }),
		"a hidden path":     with(func(f *wire.File) { f.Path = "/.pi/s.jsonl" }),
		"a control":         with(func(f *wire.File) { f.Path = "/pi/\x1b.jsonl" }),
		"a session outside": with(func(f *wire.File) { f.Session = "/../ben-pc/s.jsonl" }),
		"no rules":          with(func(f *wire.File) { f.Rules = "" }),
	} {
		if head := f.heads(file); head.Refused == "" || head.ID != "" {
			t.Errorf("%s: %+v", what, head)
		}
	}
	f.check(f.Registry.ListFiles(t.Context(), "", func(file team.File) error { return fmt.Errorf("the hub knows %+v", file) }))
	f.checkStatus("no JSON", f.send("POST", wire.HeadsPath, "ada", []byte("{")), http.StatusBadRequest, "JSON")
	f.checkStatus("two values", f.send("POST", wire.HeadsPath, "ada", []byte("{} {}")), http.StatusBadRequest, "after")
	f.checkStatus("too much", f.send("POST", wire.HeadsPath, "ada", bytes.Repeat([]byte(" "), 2<<20)), http.StatusRequestEntityTooLarge, "large")
}

func TestEnrollDevice(t *testing.T) {
	f := newFixture(t)
	code := team.NewCode()
	f.check(f.Registry.AddCode(t.Context(), team.Code{Hash: team.HashSecret(code), Kind: team.DeviceCode, Person: "ada", Projects: []string{"atlas"}, Expires: now.Add(time.Minute)}))
	enroll := func(code string) *httptest.ResponseRecorder {
		body, err := json.Marshal(wire.Enroll{Code: code, Name: " lap\x1btop\n"})
		f.check(err)
		return f.send("POST", wire.EnrollPath, "", body)
	}
	var e wire.Enrolled
	w := enroll(" " + strings.ToLower(code))
	f.check(json.Unmarshal(w.Body.Bytes(), &e))
	d, err := f.Registry.FindDevice(t.Context(), e.Device)
	f.check(err)
	if d.Name != "laptop" || d.Person != "ada" || d.Token != team.HashSecret(e.Token) || e.Person != "Ada" {
		t.Errorf("the device is %+v, the response %+v", d, e)
	}
	f.checkStatus("the code again", enroll(code), http.StatusForbidden, "was used")
	for range 30 {
		w = enroll("AAAA")
	}
	f.checkStatus("many guesses", w, http.StatusTooManyRequests, "too many")
	next := team.NewCode()
	f.check(f.Registry.AddCode(t.Context(), team.Code{Hash: team.HashSecret(next), Kind: team.DeviceCode, Person: "ada", Expires: now.Add(time.Minute)}))
	f.checkStatus("a valid code after that", enroll(next), http.StatusOK, "token")
}
