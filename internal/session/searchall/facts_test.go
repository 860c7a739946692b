package searchall

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/catalog"
)

// What a hit shows of its entry besides text.
func TestSearch_Facts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), branchedSession()...)
	s := newSearcher(t, dir)
	for text, want := range map[string]string{
		"role:output":        `r1: tool "bash" "npm test", outcome "failed", failed true, model "", prompt 0 of 0`,
		"role:input":         `a1: tool "bash" "npm test", outcome "", failed false, model "m", prompt 0 of 0`,
		"role:answer chokid": `a2: tool "" "", outcome "", failed false, model "m", prompt 0 of 0`,
		"role:prompt npm":    `u2: tool "" "", outcome "", failed false, model "", prompt 2 of 2`,
		"role:prompt please": `u1: tool "" "", outcome "", failed false, model "", prompt 1 of 2`,
	} {
		got := ""
		for _, r := range runSearch(t, s, text) {
			for _, h := range r.Hits {
				got += fmt.Sprintf("%s: tool %q %q, outcome %q, failed %t, model %q, prompt %d of %d", h.Entry, h.Tool, h.Arg, h.Status, h.Failed, h.Model, h.Prompt, h.Prompts)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// Which sessions and branches are searched.
func TestSearch_Selection(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), branchedSession()...)
	write(t, filepath.Join(dir, "s0.jsonl"), header("s0"), entry("x1", "", 0, `{"role":"user","content":"another watcher"}`))
	s := newSearcher(t, dir)
	count := func(text string) (hits int) {
		for _, r := range runSearch(t, s, text) {
			hits += len(r.Hits)
		}
		return hits
	}
	s.IsStarred = func(sum *catalog.Summary) bool { return sum.ID == "s1" }
	written := s.Catalog.Sessions()[0].AgentWrote
	for _, c := range []struct {
		text string
		now  time.Time
		key  string
		want int
	}{
		{"watcher", written, "", 6},
		{"watcher is:current", written, "", 4},
		{"watcher is:abandoned", written, "", 2},
		{"watcher is:abandoned is:current", written, "", 6},
		{"watcher is:sub-agent", written, "", 0},
		{"watcher is:live", written, "", 6},
		{"watcher is:live", written.Add(time.Hour), "", 0},
		{"watcher is:starred", written, "", 5},
		{"watcher is:starred is:live is:current", written, "", 3},
		{"watcher", written, s.Catalog.Sessions()[1].Key, 1},
		{"watcher", written, "unknown", 0},
	} {
		s.Now, s.OnlyKey = c.now, c.key
		if got := count(c.text); got != c.want {
			t.Errorf("%s in %q: %d hits, want %d", c.text, c.key, got, c.want)
		}
	}
}
