package web

import (
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
		list := strings.Contains(s.getOK("/").body, `aria-label="Being written now"`)
		only := strings.Contains(s.getOK("/?live=1").body, `class="srow"`)
		page := strings.Contains(s.getOK(k.base).body, `data-live-session="true"`)
		if list != want || only != want || page != want {
			t.Errorf("%s: live in the list %v, under the filter %v, on the page %v, want %v", what, list, only, page, want)
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
