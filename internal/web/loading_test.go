package web

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// large is a session that a browser does not wait for.
func large(id string) *transcript {
	tr := newTranscript(id)
	for range 6 {
		tr.user(long(1 << 20))
	}
	tr.user("the last prompt")
	return tr
}

// A browser is answered at once, with the way to the whole page; once the session
// is open it gets that page itself.
func TestLoadingPage(t *testing.T) {
	s := newSite(t)
	base := s.address(s.write("large.jsonl", large("large")))
	first := s.ok(base + "?filter=all&entry=e7")
	if !strings.Contains(first.body, `id="loading"`) || strings.Contains(first.body, `id="tree"`) || first.Header.Get("Cache-Control") != keepNot {
		t.Fatalf("the first answer is not the page that waits: %.2000s", first.body)
	}
	if !strings.Contains(first.body, "Reading 6.3 MB") {
		t.Error("nothing tells how large the file is")
	}
	m := regexp.MustCompile(`http-equiv="refresh" content="0;url=([^"]+)"`).FindStringSubmatch(first.body)
	if m == nil {
		t.Fatal("no way on without script")
	}
	whole := s.ok(html.UnescapeString(m[1]))
	if !strings.Contains(whole.body, `id="tree"`) || !strings.Contains(whole.body, "the last prompt") || !strings.Contains(whole.body, `data-filter="all"`) {
		t.Errorf("the whole page lacks its tree, its path or its view")
	}
	if again := s.ok(base); !strings.Contains(again.body, `id="tree"`) {
		t.Error("an open session is not shown at once")
	}
}

// Programs wait for the page, and small sessions are never waited for.
func TestLoadingPage_not(t *testing.T) {
	s := newSite(t)
	base := s.address(s.write("large.jsonl", large("large")))
	small := s.address(s.write("small.jsonl", sample()))
	if a := s.ok(small); strings.Contains(a.body, `id="loading"`) {
		t.Error("a small session is waited for")
	}
	if a := s.get(base, header("Accept", "*/*")); !strings.Contains(a.body, `id="tree"`) {
		t.Error("a program did not get the page")
	}
}

// What goes wrong while a session is read is told by the page that waited for it.
func TestLoadingPage_gone(t *testing.T) {
	s := newSite(t)
	path := s.write("large.jsonl", large("large"))
	base := s.address(path)
	remove(t, path)
	s.ok(base)
	if a := s.get(base + "?wait=1"); a.StatusCode != http.StatusNotFound || !strings.Contains(a.body, "<h1>") {
		t.Errorf("status %d: %.300s", a.StatusCode, a.body)
	}
	if a := s.ok(base + "/loading"); a.body != `{"text":""}`+"\n" {
		t.Errorf("nothing is read, and /loading answers %s", a.body)
	}
	if a := s.get("/sessions/0123456789abcdef/loading"); a.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown session: status %d", a.StatusCode)
	}
}

// address is where a session that nobody opened yet is shown.
func (s *site) address(path string) string {
	s.t.Helper()
	s.fill()
	for _, sum := range s.catalog.Sessions() {
		if sum.Path == path {
			return "/sessions/" + sum.Key
		}
	}
	s.t.Fatalf("%s is not listed", path)
	return ""
}
