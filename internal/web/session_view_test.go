package web

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// newShareViewer serves a session for viewers below /s through the handlers for sessions.
func newShareViewer(t *testing.T, s *site, path string) func(url string) (int, string) {
	t.Helper()
	sess, err := s.library.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	shown := load.SessionView{Session: sess, Audience: view.Audience{Base: "/s", Snapshot: &components.SnapshotHeader{
		Title: "A title of its own", Note: "What it is about", SharedBy: "Ada", Made: components.Time{ISO: "2026-02-03T09:00:00Z", Text: "2026-02-03 09:00 UTC"},
		Format: "pi", FormatTitle: "pi", Entries: 4, SessionEntries: 9, Redacted: 1, JSONL: "/s/download", Shared: true,
	}}}
	r := chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(withSessionView(r.Context(), shown)))
		})
	})
	r.Get("/s", s.handleErrors(s.sessions.showSession))
	r.Get("/s/rows", s.handleErrors(s.sessions.serveRows))
	r.Get("/s/path", s.handleErrors(s.sessions.servePath))
	r.Get("/s/facts", s.handleErrors(s.sessions.serveFacts))
	r.Get("/s/hits", s.handleErrors(s.sessions.serveHits))
	r.Get("/s/entries/{id}", s.handleErrors(s.sessions.showEntry))
	return func(url string) (int, string) {
		req := httptest.NewRequest("GET", url, nil)
		req.Header.Set("Accept", "text/html")
		rec := httptest.NewRecorder()
		r.ServeHTTP(rec, req)
		return rec.Code, rec.Body.String()
	}
}

var addresses = regexp.MustCompile(`(?:href|src|action|data-href|data-base|data-after|data-before)="([^"]*)"`)

// Pages for viewers link nowhere else, offer no changes and do not reveal the file's path.
func TestSessionView(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("5f7c1d7e-0000-4000-8000-000000000001")
	first := tr.user("what does it do?")
	tr.answer(text("It reads."), call("c1", "bash"))
	tr.result("c1", strings.Repeat("many lines\n", 500))
	tr.label(first, "begin")
	tr.last = first
	tr.answer(text("On another branch."))
	path := s.write("secret-place.jsonl", tr)
	key := strings.TrimPrefix(s.open(path), "/sessions/")
	get := newShareViewer(t, s, path)

	for _, url := range []string{"/s", "/s?entry=e2", "/s?filter=all", "/s/rows", "/s/path", "/s/facts", "/s/entries/e2", "/s/entries/e3?part=item", "/s?q=nothing-like-it"} {
		code, body := get(url)
		if code != http.StatusOK {
			t.Errorf("%s: status %d\n%.300s", url, code, body)
		}
		for _, m := range addresses.FindAllStringSubmatch(body, -1) {
			if to := m[1]; to != "" && !strings.HasPrefix(to, "/s/") && !strings.HasPrefix(to, "/s?") && to != "/s" && !strings.HasPrefix(to, "/static/") && !strings.HasPrefix(to, "#") {
				t.Errorf("%s leads to %s", url, to)
			}
		}
		for _, word := range []string{"secret-place", s.dir, "/sessions/" + key, "data-change", `method="post"`, "data-rename", `id="can"`} {
			if strings.Contains(body, word) {
				t.Errorf("%s has %q", url, word)
			}
		}
	}
	_, page := get("/s")
	for _, want := range []string{"A title of its own", "What it is about", `<header class="message-head"><b>Ada</b>`, "Shared session", "Read only", "of 9 entries", "value redacted", `href="/s/download"`, `data-snapshot="true"`, `data-live=""`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if i, j := strings.Index(page, `data-entry="`+first), strings.Index(page, `class="path-page"`); i < 0 || j < 0 {
		t.Error("the page does not begin at the beginning")
	}
}

// A page for viewers begins with the first entry; the owner's page begins at the leaf.
func TestSessionView_ReadsFromStart(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("5f7c1d7e-0000-4000-8000-000000000002")
	tr.chain(300)
	path := s.write("long.jsonl", tr)
	url := s.open(path)
	_, page := newShareViewer(t, s, path)("/s")
	if got := attr(t, page[strings.Index(page, "path-page"):], "data-first"); got != "e1" {
		t.Errorf("the first entry is %s", got)
	}
	if at, focus := attr(t, page, "data-at"), attr(t, page, "data-focus"); at != "0" || focus != "0" {
		t.Errorf("the rows begin at %s, the focus is to be on %s", at, focus)
	}
	end := "End of what was shared"
	if _, tail := newShareViewer(t, s, path)("/s/path"); !strings.Contains(tail, end) || strings.Contains(page, end) {
		t.Error("the end is not told where it is")
	}
	own := s.getOK(url).body
	if got := attr(t, own[strings.Index(own, "path-page"):], "data-last"); got != "e300" {
		t.Errorf("the last entry of the session's page is %s", got)
	}
}
