package export_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
)

// Claude Code's and Wave's files: what was said is there, each entry under the one
// that it hung on. What they cannot hold is refused in words.
func TestOthers(t *testing.T) {
	for _, c := range []struct {
		file string
		made int // parts that can be exported, at least
	}{
		{"claude/project/11111111-0000-4000-8000-000000000001.jsonl", 20},
		{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", 20},
		{"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl", 5},
		{"wave/project/0bb22222-2222-4222-8222-222222222222.jsonl", 1},
		{"wave/forms/compaction.jsonl", 5},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := opened(t, testdata+filepath.FromSlash(c.file))
			from, made := tree(s), 0
			for _, part := range parts(from) {
				path, err := exported(t, s, export.Options{Part: part, As: export.JSONL})
				if errors.Is(err, session.ErrInvalid) {
					t.Logf("%+v: %v", part, err)
					continue
				}
				if err != nil {
					t.Errorf("%+v: %v", part, err)
					continue
				}
				made++
				again := opened(t, path)
				to, in := tree(again), chosen(from, part)
				said := map[string]bool{}
				for p := range session.Pos(to.Len()) {
					e := to.At(p)
					was := from.Find(e.ID)
					if was == session.NoPos {
						t.Errorf("%+v: %s was added", part, e.ID)
						continue
					}
					said[e.ID] = true
					up, above := from.Parent(was), to.Parent(p)
					for up != session.NoPos && (!in[up] || to.Find(from.At(up).ID) == session.NoPos) {
						up = from.Parent(up)
					}
					if (up == session.NoPos) != (above == session.NoPos) || up != session.NoPos && from.At(up).ID != to.At(above).ID {
						t.Errorf("%+v: %s hangs on %d, hung on %d", part, e.ID, above, up)
					}
					if diff := cmp.Diff(body(t, s, was), body(t, again, p)); diff != "" && e.Kind != session.KindEvent {
						t.Errorf("%+v: %s (-was +is):\n%s", part, e.ID, diff)
					}
				}
				for p := range in {
					e := from.At(p)
					if (e.Kind == session.KindUser || e.Kind == session.KindAssistant) && !said[e.ID] && !agents(from, p) {
						t.Errorf("%+v: %s is left out", part, e.ID)
					}
				}
			}
			if made < c.made {
				t.Errorf("%d parts could be exported", made)
			}
		})
	}
}

// agents reports whether an agent said what stands at p, which is in a file of its
// own.
func agents(tr *session.Tree, p session.Pos) bool {
	for ; p != session.NoPos; p = tr.Parent(p) {
		if tr.At(p).Has(session.FlagAgent) {
			return true
		}
	}
	return false
}
