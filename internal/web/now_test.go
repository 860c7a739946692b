package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestShowNow(t *testing.T) {
	s := newSite(t)
	newConversation(s)
	page := s.getOK("/now")
	for _, want := range []string{"<!doctype html>", ` id="now"`, `data-key="`, "How these states are decided", `aria-current="page">Now`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if body := s.getOK("/now?part=list").body; strings.Contains(body, "<!doctype") || !strings.Contains(body, `class="now-link"`) {
		t.Errorf("the part is %.300s", body)
	}
	_, hash, _ := strings.Cut(page.body, `data-content-hash="`)
	hash, _, _ = strings.Cut(hash, `"`)
	if body := s.getOK("/now?part=list&known=x." + hash).body; strings.Contains(body, `class="now-link"`) || !strings.Contains(body, hash) {
		t.Errorf("a row that is known is sent again: %.300s", body)
	}
	if a := s.get("/now?part=x"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("an unknown part: status %d", a.StatusCode)
	}
}
