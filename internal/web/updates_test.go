package web

import (
	"net/http"
	"strings"
	"testing"
)

// One response contains the items after an entry and the changed rows. Parts that cannot be
// computed are missing.
func TestUpdates(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := s.write("one.jsonl", tr)
	url := s.open(path)
	_, rev := splitRows(s.getOK(url + "/rows").body)
	before := tr.last
	tr.user("and now")
	s.append(path, tr)
	has := func(query string, wantPath, wantRows bool) {
		t.Helper()
		a := s.getOK(url + "/news?" + query)
		items, rows := strings.Contains(a.body, `class="path-page"`), strings.Contains(a.body, `class="rows"`)
		if items != wantPath || rows != wantRows {
			t.Errorf("%s: items %v, rows %v, want %v, %v", query, items, rows, wantPath, wantRows)
		}
		if wantPath && (!strings.Contains(a.body, `id="e-`+tr.last+`"`) || strings.Contains(a.body, `id="e-`+before+`"`)) {
			t.Errorf("%s: not what came after %s:\n%s", query, before, a.body)
		}
		if a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: kept as %q", query, a.Header.Get("Cache-Control"))
		}
	}
	has("since="+rev+"&after="+before, true, true)
	has("since="+rev, false, true)
	has("since="+rev+"&after=nowhere", false, true)
	has("since=1.1&after="+before, true, false)
	if got := s.get(url + "/news?since=1.1&after=nowhere").StatusCode; got != http.StatusResetContent {
		t.Errorf("nothing can be told: status %d, want 205", got)
	}
	if got := s.get(url + "/news?after=" + before).StatusCode; got != http.StatusUnprocessableEntity {
		t.Errorf("since no revision: status %d, want 422", got)
	}
}
