package main

import (
	"net/http"
	"strings"
	"testing"
)

// Where nothing can be kept sessions are shown all the same, and one warning says what
// is off and what to do.
func TestServe_noState(t *testing.T) {
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
		if said := s.err.String(); strings.Count(said, "level=WARN") != 1 || !strings.Contains(said, "--state DIR") {
			t.Errorf("said is %s", said)
		}
	}
}
