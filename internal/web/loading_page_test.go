package web

import (
	"net"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// large returns a session large enough for a loading page.
func large(id string) *transcript {
	tr := newTranscript(id)
	for range 6 {
		tr.user(long(1 << 20))
	}
	tr.user("the last prompt")
	return tr
}

// A browser gets a skeleton at once, then the progress, then the session in the same
// response. An open session is served without a loading page.
func TestLoadingPage(t *testing.T) {
	s := newSite(t)
	base := s.address(s.write("large.jsonl", large("large")))
	a := s.getOK(base + "?filter=all&entry=e7")
	at := -1
	for _, part := range []string{`id="loading"`, "Reading 6.3 MB", `id="app"`, `data-filter="all"`, "the last prompt", `id="palette"`} {
		next := strings.Index(a.body, part)
		if next <= at {
			t.Errorf("%s stands at %d, what comes before it at %d", part, next, at)
		}
		at = next
	}
	if got := a.Header.Get("Cache-Control"); got != cacheNever {
		t.Errorf("Cache-Control %s", got)
	}
	if again := s.getOK(base); strings.Contains(again.body, `id="loading"`) || !strings.Contains(again.body, `id="tree"`) {
		t.Error("an open session is not shown at once")
	}
}

// The links of the bar lead to the session while it is read, too.
func TestLoadingPage_Links(t *testing.T) {
	s := newSite(t)
	base := s.address(s.write("large.jsonl", large("large")))
	bar, _, _ := strings.Cut(s.getOK(base).body, "</header>")
	for _, page := range []string{"branches", "map", "files", "export", "shares", "rename"} {
		if !strings.Contains(bar, ` href="`+base+"/"+page) {
			t.Errorf("no link to %s of the session in %s", page, bar)
		}
	}
	if !strings.Contains(bar, ` href="`+base+`"`) {
		t.Errorf("no link to the session in %s", bar)
	}
}

// The title does not change when the session is read.
func TestLoadingPage_Title(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{"", long(150)} {
		tr := large("name of " + strconv.Itoa(len(name)))
		if name != "" {
			tr.add("session_info", map[string]any{"name": name})
		}
		body := s.getOK(s.address(s.write(strconv.Itoa(len(name))+".jsonl", tr))).body
		titles := dataTitle.FindAllStringSubmatch(body, -1)
		if len(titles) != 2 || titles[0][1] != titles[1][1] || !strings.Contains(body, "<title>"+titles[0][1]) {
			t.Errorf("name %q: titles %q", name, titles)
		}
	}
}

var dataTitle = regexp.MustCompile(`data-title="([^"]*)"`)

// The head is sent before the session is read.
func TestLoadingPage_Flushed(t *testing.T) {
	s := newSite(t, func(c *siteConfig) {
		c.auth.PeerUID = func(_, _ netip.AddrPort) (int, bool) { return os.Geteuid(), true }
	})
	base := s.address(s.write("large.jsonl", large("large")))
	w := &flushRecorder{ResponseRecorder: httptest.NewRecorder()}
	r := httptest.NewRequest("GET", s.http.URL+base, nil)
	r.Header.Set("Accept", "text/html")
	s.Handler().ServeHTTP(w, r.WithContext(s.access.ConnContext(r.Context(), loopbackConn{})))
	if len(w.sent) == 0 || !strings.Contains(w.sent[0], "/css/pages/session.css") || strings.Contains(w.sent[0], `id="app"`) {
		t.Fatalf("%d flushes, the first after %.300q", len(w.sent), w.sent)
	}
}

// loopbackConn is a connection from this computer.
type loopbackConn struct{ net.Conn }

func (loopbackConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 5000}
}
func (loopbackConn) LocalAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7777} }

// flushRecorder records what was written before each flush.
type flushRecorder struct {
	*httptest.ResponseRecorder
	sent []string
}

func (f *flushRecorder) Flush() { f.sent = append(f.sent, f.Body.String()) }

// Programs and small sessions get no loading page.
func TestLoadingPage_NotNeeded(t *testing.T) {
	s := newSite(t)
	base := s.address(s.write("large.jsonl", large("large")))
	small := s.address(s.write("small.jsonl", sample()))
	if a := s.getOK(small); strings.Contains(a.body, `id="loading"`) {
		t.Error("a small session is waited for")
	}
	if a := s.get(base, header("Accept", "*/*")); strings.Contains(a.body, `id="loading"`) || !strings.Contains(a.body, `id="tree"`) {
		t.Error("a program did not get the page")
	}
}

// The loading page shows an error that occurs while the session is read.
func TestLoadingPage_FileGone(t *testing.T) {
	s := newSite(t)
	path := s.write("large.jsonl", large("large"))
	base := s.address(path)
	remove(t, path)
	if a := s.get(base); !strings.Contains(a.body, `id="loading"`) || !strings.Contains(a.body, "<h1>") || strings.Contains(a.body, `id="app"`) {
		t.Errorf("status %d: %.300s", a.StatusCode, a.body)
	}
}

// address returns the address of a session that is not open yet.
func (s *site) address(path string) string {
	s.t.Helper()
	s.fillCatalog()
	for _, sum := range s.catalog.Sessions() {
		if sum.Path == path {
			return "/sessions/" + sum.Key
		}
	}
	s.t.Fatalf("%s is not listed", path)
	return ""
}
