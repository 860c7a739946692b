package web

import (
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// A session is live in the list when it is live on its page: when its agent has written
// within the last minute. A label that was set here is none of the agent's lines.
func TestLive_listAndPage(t *testing.T) {
	s := newSite(t)
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
	info, err := os.Stat(k.path)
	if err != nil {
		t.Fatal(err)
	}
	s.Server.now = func() time.Time { return info.ModTime().Add(2 * time.Minute) }
	check("after a while", false)
}
