package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestShowMap(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	page := s.getOK(k.base + "/map")
	for _, want := range []string{"<!doctype html>", "<title>Map, ", `data-branch="`, "viewed path", `class="map-leaf"`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if body := s.getOK(k.base + "/map?part=body&axis=steps&zoom=4").body; strings.Contains(body, "<!doctype") || !strings.Contains(body, `width="4360"`) {
		t.Errorf("the part is %.300s", body)
	}
	if body := s.getOK(k.base + "/map?branch=gone").body; strings.Contains(body, "map-details") {
		t.Error("a branch that does not exist has details")
	}
	for url, status := range map[string]int{"/map?axis=place": http.StatusUnprocessableEntity, "/map?zoom=3": http.StatusUnprocessableEntity, "/map?zoom=32": http.StatusUnprocessableEntity, "/map?leaf=gone": http.StatusNotFound} {
		if a := s.get(k.base + url); a.StatusCode != status {
			t.Errorf("GET %s: status %d, want %d", url, a.StatusCode, status)
		}
	}
}

// BenchmarkShowMap draws 500 branches of a session of 106 MB.
func BenchmarkShowMap(b *testing.B) {
	s, base := newLargeSite(b)
	s.getOK(base + "/map")
	for b.Loop() {
		s.getOK(base + "/map")
	}
}
