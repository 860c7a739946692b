package web

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An id may contain a slash, or look like another path. A redirect keeps it.
func TestRedirectsKeepIDs(t *testing.T) {
	for _, id := range []string{"a%2Fb", "a%2F..%2Fb", "%2F", "a%25b", "a%20b", "..%2F..%2F"} {
		t.Run(id, func(t *testing.T) {
			s := newSite(t)
			tr := sample()
			tr.put(unescaped(t, id), "custom_message", map[string]any{"customType": "x", "content": "here", "display": true})
			path := s.write("one.jsonl", tr)
			base := s.open(path)
			at := "/entries/" + id + "?part=item"
			s.getOK(base + at)

			a := s.get(base + at + "&token=" + testToken)
			if to := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || to != base+at {
				t.Errorf("with the token: status %d to %q, want 303 to %q", a.StatusCode, to, base+at)
			}
			if err := os.Rename(path, filepath.Join(s.dir, "two.jsonl")); err != nil {
				t.Fatal(err)
			}
			s.catalog.UpdatePaths(t.Context(), s.dir)
			a = s.get(base + at)
			to := a.Header.Get("Location")
			if a.StatusCode != http.StatusTemporaryRedirect || !strings.HasSuffix(to, at) || strings.HasPrefix(to, base) {
				t.Fatalf("moved: status %d to %q, want 307 to %q elsewhere", a.StatusCode, to, at)
			}
			s.getOK(to)
		})
	}
}

func unescaped(t *testing.T, id string) string {
	t.Helper()
	v, err := url.PathUnescape(id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
