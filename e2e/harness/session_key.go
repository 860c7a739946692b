package harness

import (
	"context"
	"os/exec"
	"regexp"
)

// SessionURL returns the URL of the session in a file.
func (s *Server) SessionURL(path string) string {
	s.t.Helper()
	return s.URL + "/sessions/" + s.SessionKey(path)
}

// SessionKey returns the key of the session in a file.
func (s *Server) SessionKey(path string) string {
	s.t.Helper()
	return SessionKey(s.t, path)
}

// SessionKey returns the key of the session in a file, as printed by the command line. It is the
// same on every server.
func SessionKey(t T, path string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, ExplorerPath(t), "tree", "--json", path).Output()
	if err != nil {
		t.Fatalf("explorer tree %s: %v", path, err)
	}
	m := regexp.MustCompile(`"key":\s*"([0-9a-f]{16})"`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("explorer tree %s names no key: %.300s", path, out)
	}
	return string(m[1])
}
