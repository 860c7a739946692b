package web

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/export"
)

// An export does not contain the path of the session's file, and the download of a share
// does not contain that of its snapshot.
func TestExports_HidePaths(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0f0f0f0f")
	link := s.share(k, url.Values{"chosen": {"1"}, "scope": {"all"}, "keep": {"7"}, "hold": {"output", "branches"}, "redact": {"keys", "personal"}})
	export := k.base + "/export?scope=tree&redact=keys&redact=personal&chosen=1&as="
	for _, at := range []string{export + "jsonl", export + "md", export + "html", link + "/download?as=jsonl", link + "/download?as=html"} {
		body := s.getOK(at).body
		if strings.HasSuffix(at, "html") {
			body += unpacked(t, body)
		}
		if !strings.Contains(body, "Another way") {
			t.Errorf("%s is no file of the session:\n%.300s", at, body)
		}
		for _, dir := range []string{filepath.Dir(s.dir), filepath.Base(filepath.Dir(s.dir)), "session-export-"} {
			if i := strings.Index(body, dir); i >= 0 {
				t.Errorf("%s tells of %s: %q", at, dir, body[max(0, i-80):i+len(dir)])
			}
		}
		if own := strings.Contains(body, `"parentSession":"0f0f0f0f.jsonl"`); own != (strings.HasPrefix(at, export) && !strings.HasSuffix(at, "md")) {
			t.Errorf("%s: names its source %v", at, own)
		}
	}
}

// unpacked returns the session file embedded in a page.
func unpacked(t *testing.T, page string) string {
	t.Helper()
	held, err := export.ReadHTML(strings.NewReader(page))
	var b strings.Builder
	if err == nil {
		err = held.Write(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
