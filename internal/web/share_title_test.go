package web

import (
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/redact"
)

// The title of a share is redacted as part of the whole prompt: a secret cut in two would
// not be recognized.
func TestDefaultShareTitle_WholePrompt(t *testing.T) {
	key := "github_pat_" + strings.Repeat("1Ab2Cd3Ef4", 8) + "Zz"
	for _, before := range []string{"Keys: ", strings.Repeat("words ", 11), strings.Repeat("words ", 30)} {
		s := newSite(t, func(c *siteConfig) { c.Redactor = redact.New(redact.Options{}) })
		tr := newTranscript("10101010-0000-4000-8000-000000000000")
		tr.user(before + key + " and more")
		path := s.write("title.jsonl", tr)
		s.open(path)
		sess, err := s.library.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		c := &shareRequest{&changeRequest{h: s.dialogs, ctx: t.Context(), sess: sess}, s.Server.shares}
		if name := c.defaultShareTitle([]session.Pos{0}, true); strings.Contains(name, "github_pat") || !strings.HasPrefix(name, before[:5]) {
			t.Errorf("the title is %q", name)
		}
	}
}
