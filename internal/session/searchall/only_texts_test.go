package searchall

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Of sessions of which only texts are searched, there are only hits in texts. Such a session is
// counted unless the query searches nothing else anyway.
func TestSearch_OnlyTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), branchedSession()...)
	write(t, filepath.Join(dir, "s2.jsonl"), header("s2"), entry("u1", "", 1, `{"role":"user","content":"npm"}`))
	plain := newSearcher(t, dir)
	plain.OnlyTexts = func(path string, _ time.Time) bool { return filepath.Base(path) == "s1.jsonl" }
	cached := withTexts(t, plain, time.Now().Add(time.Hour))
	for _, c := range []struct {
		query string
		hits  string // session and entry
		left  int    // sessions of which something was left out
	}{
		{"watcher", "s1 u1 s1 u2 s1 a2", 1},
		{"npm", "s1 u2 s2 u1", 1},
		{"re:wa.cher", "s1 u1 s1 a2", 1},
		{"role:input role:prompt npm", "s1 u2 s2 u1", 1},
		{"role:output watchers", "", 1},
		{"is:failed", "", 1},
		{"tool:bash", "", 1},
		{"role:prompt watcher", "s1 u1 s1 u2", 0},
		{"label:good", "s1 a2", 0},
	} {
		for _, s := range []*Searcher{plain, cached} {
			var hits []string
			var last Progress
			err := s.Search(ctx, parse(t, c.query), func(e Event) error {
				last = e.Progress
				if e.Result != nil {
					for _, h := range e.Result.Hits {
						hits = append(hits, e.Result.Session.ID, h.Entry)
					}
				}
				return nil
			})
			if got := strings.Join(hits, " "); err != nil || got != c.hits || last.OnlyTexts != c.left {
				t.Errorf("%s: hits %q, something left out of %d sessions, %v; want %q, %d", c.query, got, last.OnlyTexts, err, c.hits, c.left)
			}
		}
	}
}
