package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sessiontree/internal/session/visits"
)

// A session becomes unread when its agent adds a message after the last visit, on any
// branch. Its page, and the report of a page that is open, make it read.
func TestVisit_unread(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("v1")
	first := tr.user("one")
	tr.answer(text("two"))
	path := s.write("v1.jsonl", tr)
	base := s.open(path)
	check := func(what string, want bool) {
		t.Helper()
		s.Rescan(t.Context())
		list, only := s.getOK("/").body, s.getOK("/?unread=1").body
		if got := strings.Contains(list, `aria-label="Unread"`); got != want || strings.Contains(only, `class="session-link"`) != want {
			t.Errorf("%s: unread %v, want %v", what, got, want)
		}
	}
	check("never visited", false)
	tr.user("three")
	s.append(path, tr)
	check("never visited, and it grows", false)
	s.getOK(base)
	check("visited", false)
	tr.label(first, "start")
	s.append(path, tr)
	check("only a label was added", false)
	tr.last = first
	tr.answer(text("another branch"))
	s.append(path, tr)
	check("a branch was added", true)
	s.get(base, func(r *http.Request) { r.Header.Set("Sec-Purpose", "prefetch") })
	check("prefetched", true)
	s.getOK(base)
	check("visited again", false)
	tr.user("more")
	s.append(path, tr)
	if a := s.post(base+"/visit", nil); a.StatusCode != http.StatusNoContent {
		t.Errorf("status %d", a.StatusCode)
	}
	check("seen on the page", false)
	s.post(base+"/unread", url.Values{"on": {"1"}})
	check("marked by hand", true)
	s.post(base+"/unread", url.Values{"on": {"0"}})
	check("and again", false)
}

// A star survives a restart. Without script the form leads back to the list.
func TestVisit_star(t *testing.T) {
	state := t.TempDir()
	s := newSite(t, func(c *siteConfig) { c.Visits = visits.New(state) })
	k := newConversation(s)
	starred := func() bool {
		return strings.Contains(s.getOK("/?starred=1").body, `class="session-link"`)
	}
	rev := s.ListRevision()
	if a := s.post(k.base+"/star", url.Values{"on": {"1"}}); a.StatusCode != http.StatusNoContent || !starred() || s.ListRevision() == rev {
		t.Errorf("status %d, starred %v, revision %v", a.StatusCode, starred(), s.ListRevision())
	}
	if len(visits.New(state).Snapshot()) != 1 {
		t.Error("the star is not in the state directory")
	}
	for back, want := range map[string]string{
		"/?by=date&q=a+b": "/?by=date&q=a+b", "/": "/", "//evil.example/": "/", "https://evil.example/": "/", "/shares": "/", "/\\evil.example": "/",
	} {
		a := s.post(k.base+"/star", url.Values{"on": {"0"}, "back": {back}})
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
			t.Errorf("back to %q: status %d, to %q", back, a.StatusCode, a.Header.Get("Location"))
		}
	}
	if starred() {
		t.Error("the star is still there")
	}
	for name, c := range map[string]struct {
		url  string
		form url.Values
		want int
	}{
		"no value":   {k.base + "/star", nil, http.StatusUnprocessableEntity},
		"odd value":  {k.base + "/unread", url.Values{"on": {"yes"}}, http.StatusUnprocessableEntity},
		"no session": {"/sessions/0000000000000000/star", url.Values{"on": {"1"}}, http.StatusNotFound},
	} {
		if a := s.post(c.url, c.form); a.StatusCode != c.want {
			t.Errorf("%s: status %d, want %d", name, a.StatusCode, c.want)
		}
	}
}
