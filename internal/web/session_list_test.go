package web

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A session is live in the list when it is live on its page: when its agent has written
// within the last minute. A label that was set here is none of the agent's lines.
func TestLive_listAndPage(t *testing.T) {
	var later atomic.Int64
	s := newSite(t, func(c *siteConfig) {
		c.now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	k := newConversation(s)
	check := func(what string, want bool) {
		t.Helper()
		s.Rescan(t.Context())
		list := strings.Contains(s.getOK("/").body, `class="spark-live"`)
		page := strings.Contains(s.getOK(k.base).body, `data-live-session="true"`)
		if list != want || page != want {
			t.Errorf("%s: live in the list %v, on the page %v, want %v", what, list, page, want)
		}
	}
	age(t, k.path)
	check("an old file", false)
	s.post(k.base+"/label", url.Values{"entry": {k.first}, "label": {"start"}})
	if !strings.Contains(content(t, k.path), `"label":"start"`) {
		t.Fatal("no label in the file")
	}
	check("labelled here", false)
	s.post(k.base+"/label", url.Values{"entry": {k.first}, "label": {"again"}})
	check("labelled twice", false)
	grow(t, k.path, `{"type":"message","id":"z1","parentId":"`+k.leaf+`","timestamp":"2026-02-03T10:00:00.000Z","message":{"role":"user","content":"on"}}`+"\n")
	check("the agent wrote", true)
	s.post(k.base+"/label", url.Values{"entry": {k.first}, "label": {"once more"}})
	check("labelled while the agent writes", true)
	later.Store(int64(2 * time.Minute))
	check("after a while", false)
}

// The address says how sessions are grouped, else the last choice counts. A page that is
// open tells how it shows them.
func TestSessionList_remembersGrouping(t *testing.T) {
	s := newSite(t)
	newConversation(s)
	with := func(value string) func(*http.Request) {
		return func(r *http.Request) {
			if value != "" {
				r.AddCookie(&http.Cookie{Name: groupingCookie, Value: value})
			}
		}
	}
	for _, c := range []struct{ url, cookie, by, set string }{
		{"/", "", "project", ""},
		{"/?by=date", "", "date", "date"},
		{"/", "date", "date", ""},
		{"/?format=pi", "date", "date", ""},
		{"/?by=date", "date", "date", ""},
		{"/?by=project", "date", "project", "project"},
		{"/?part=list&last=project", "date", "project", ""},
		{"/", "<script>", "project", ""},
	} {
		got := s.get(c.url, with(c.cookie))
		set := ""
		for _, k := range got.Cookies() {
			set += k.Value
		}
		if got.StatusCode != http.StatusOK || !strings.Contains(got.body, `data-by="`+c.by+`"`) || set != c.set {
			t.Errorf("%s with %q: status %d, cookie %q, by %s is %v", c.url, c.cookie, got.StatusCode, set, c.by, strings.Contains(got.body, `data-by="`+c.by+`"`))
		}
	}
	if got := s.get("/?by=size"); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("status %d", got.StatusCode)
	}
}
