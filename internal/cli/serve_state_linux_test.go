package cli

import (
	"net/http"
	"strings"
	"testing"
)

// Without a writable state directory sessions can be viewed, and one warning lists what
// is off and how to fix it.
func TestServe_NoStateDir(t *testing.T) {
	for _, args := range [][]string{nil, {"--require-token"}} {
		dir := t.TempDir()
		writeSessionFile(t, dir)
		s := startServer(t, append(args, "--listen", "127.0.0.1:0", "--state", "/proc/none", dir)...)
		base, token, _ := strings.Cut(s.url, "?token=")
		client := http.Client{Jar: cookies{}}
		if token != "" {
			res, err := client.Get(s.url)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusOK {
				t.Errorf("with the token: status %d", res.StatusCode)
			}
		} else {
			waitForText(t, base, "hello there")
		}
		for path, want := range map[string]int{"": 200, "shares": 503, "share/xxxxxxxxxxxxxxxxxxxxxx": 404} {
			res, err := client.Get(base + path)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("/%s: status %d, want %d", path, res.StatusCode, want)
			}
		}
		s.stopServer(t)
		if stderr := s.err.String(); strings.Count(stderr, "level=WARN") != 1 || !strings.Contains(stderr, "--state DIR") {
			t.Errorf("said is %s", stderr)
		}
	}
}
