package web

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/share"
	"sessiontree/internal/web/view"
)

// A link serves only the shared part, whatever is appended to it.
func TestShare_ServesOnlySnapshot(t *testing.T) {
	s := newSharing(t)
	a, b := newShareable(s, "0a0a0a0a"), newShareable(s, "0b0b0b0b")
	link, other := s.share(a, url.Values{"entry": {a.second}}), s.share(b, url.Values{})
	key := strings.TrimPrefix(b.base, "/sessions/")
	for _, room := range []string{
		"/entries/e1", "/entries/e1?raw=1", "/entries/" + a.other, "/entries/e1/image/0", "?entry=e1", "?leaf=" + a.other, "/rows?around=e1",
		"/rows?key=" + key, "/path?key=" + key, "/lines/99", "/sessions/" + key, "/../" + key, "/%2e%2e/%2e%2e/sessions/" + key, "/..%2f..%2fsessions%2f" + key,
		"/entries/..%2f..%2f..%2f" + key, "/entries/%2e%2e", "/label", "/export", "/export?as=jsonl&scope=tree", "/shares", "/actions", "/branches", "/download", "/download?as=md", "/download?as=../x",
		"/static/", "//sessions/" + key, other[len("/share"):],
	} {
		r := s.get(link + room)
		if strings.Contains(r.body, "0b0b0b0b") || strings.Contains(r.body, "Use [") || strings.Contains(r.body, "said aside") {
			t.Errorf("%s leads to something else: status %d", room, r.StatusCode)
		}
		if r.StatusCode == http.StatusOK && !strings.HasPrefix(room, "/rows") && !strings.HasPrefix(room, "/path") {
			t.Errorf("%s: status %d", room, r.StatusCode)
		}
	}
}

var hashes = regexp.MustCompile(`data-epoch="[^"]*"`)

// All invalid links get the same response.
func TestShare_InvalidLinks(t *testing.T) {
	clock := newTestClock()
	s := newSharing(t, func(c *siteConfig) { c.now = clock.now })
	link := s.share(newShareable(s, "0c0c0c0c"), url.Values{})
	id := s.shares.List()[0].ID
	want := s.get("/share/" + strings.Repeat("A", 22))
	for _, wrong := range []string{
		link[:len(link)-1], link + "A", "/share/" + id, "/share/", "/share", "/share/x", "/share/..", "/share/%2e%2e%2f" + id, "/share/" + id + "/share.json",
		strings.ToLower(link) + "x", "/share/" + strings.Repeat("A", 5000), "/share/" + strings.Repeat("A", 22) + "/rows", "/share/x/y/z", link + "/nothing",
	} {
		clock.advance(time.Minute) // so that no request is over the limit
		a := s.get(wrong)
		if a.StatusCode != http.StatusNotFound || wrong != link+"/nothing" && hashes.ReplaceAllString(a.body, "") != hashes.ReplaceAllString(want.body, "") {
			t.Errorf("%.60s: status %d, another answer\n%.300s", wrong, a.StatusCode, a.body)
		}
		if strings.Contains(a.body, `href="/"`) || strings.Contains(a.body, "All sessions") || a.Header.Get("X-Robots-Tag") == "" {
			t.Errorf("%.60s: the answer knows of more", wrong)
		}
	}
}

// Shares need no token and set no cookie; everything else needs the token.
func TestShare_WithoutToken(t *testing.T) {
	var uid atomic.Int64
	uid.Store(int64(os.Geteuid()))
	s := newSharing(t, func(c *siteConfig) {
		c.auth.PeerUID = func(_, _ netip.AddrPort) (int, bool) { return int(uid.Load()), true }
	})
	s.http.Config.SetKeepAlivesEnabled(false) // each request gets the current user
	k := newShareable(s, "0c0c0c0f")
	link := s.share(k, url.Values{})
	uid.Add(1)
	s.getOK(link)
	s.getOK(link + "/rows")
	for _, url := range []string{"/shares", k.base + "/shares", k.base} {
		if a := s.get(url); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a token: status %d", url, a.StatusCode)
		}
	}
}

func TestShare_Programs(t *testing.T) {
	s := newSharing(t)
	a := s.get("/share/none/rows", header("Accept", "*/*"))
	var p struct {
		Status int
		Detail string
	}
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || p.Status != 404 || p.Detail != "" {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

// Viewers do not see the time zone of the owner, who sees times in their own zone.
func TestShare_Zone(t *testing.T) {
	s := newSharing(t, func(c *siteConfig) {
		c.View = view.Config{Home: "/home/dev", Zone: time.FixedZone("HERE", 3600)}
	})
	k := newShareable(s, "0c0c0c11")
	if page := s.getOK(k.base).body; !strings.Contains(page, "10:00 HERE") || !strings.Contains(page, "10:00</time>") {
		t.Error("the owner's page has another zone")
	}
	link := s.share(k, url.Values{"chosen": {"1"}, "scope": {"all"}, "hold": {"images", "branches", "output", "thinking"}, "redact": {"keys", "personal"}})
	for _, room := range rooms {
		if a := s.get(link + room); strings.Contains(a.body, "HERE") || strings.Contains(a.body, "10:00</time>") {
			t.Errorf("%s tells the zone", room)
		}
	}
}

// A link expires.
func TestShare_Expires(t *testing.T) {
	clock := newTestClock()
	s := newSharing(t, func(c *siteConfig) {
		var err error
		if c.Shares, err = share.New(share.Config{Dir: filepath.Join(t.TempDir(), "shares"), Formats: format.All, Redactor: c.Redactor, Clock: clock.now}); err != nil {
			t.Fatal(err)
		}
	})
	link := s.share(newShareable(s, "0c0c0c13"), url.Values{"keep": {"1"}})
	s.getOK(link)
	clock.advance(24 * time.Hour)
	for _, room := range []string{"", "/rows", "/download?as=jsonl"} {
		if a := s.get(link + room); a.StatusCode != http.StatusGone || room == "" && !strings.Contains(a.body, "has expired") {
			t.Errorf("%s: status %d\n%.200s", room, a.StatusCode, a.body)
		}
	}
}

// A link works after its source session was deleted, and expires by itself.
func TestShare_Ends(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0c0c0c0e")
	link, week := s.share(k, url.Values{"keep": {"0"}}), s.share(k, url.Values{})
	if err := os.Remove(k.path); err != nil {
		t.Fatal(err)
	}
	s.getOK(link)
	s.getOK(week)
	if _, err := s.shares.FindByToken(strings.TrimPrefix(week, "/share/")); err != nil {
		t.Error(err)
	}
}
