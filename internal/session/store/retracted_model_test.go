package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// TestRetracted_IsAFreshLoad runs an agent that writes, compacts and rewinds at random.
// A session that followed it must equal one opened now, and every message ever seen
// must be in the tree with its text.
func TestRetracted_IsAFreshLoad(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		m := &linearModel{t: t, state: filepath.Join(dir, "state"), path: filepath.Join(dir, "p", linearID+".jsonl"), seen: map[string]bool{}}
		m.grow(1)
		m.write()
		s := m.open()
		r.Repeat(map[string]func(*rapid.T){
			"append": func(r *rapid.T) {
				before := len(m.lines)
				m.grow(rapid.IntRange(1, 4).Draw(r, "messages"))
				add(t, m.path, m.lines[before:]...)
			},
			"compact": func(r *rapid.T) {
				before := len(m.lines)
				m.compact(rapid.IntRange(0, 3).Draw(r, "kept"))
				add(t, m.path, m.lines[before:]...)
			},
			"rewind": func(r *rapid.T) {
				m.lines = m.lines[:rapid.IntRange(1, len(m.lines)).Draw(r, "to")]
				m.write()
			},
			"rewind and go on": func(r *rapid.T) {
				m.lines = m.lines[:rapid.IntRange(1, len(m.lines)).Draw(r, "to")]
				m.grow(1)
				m.write()
			},
			"restart": func(*rapid.T) { s = m.open() },
			"": func(r *rapid.T) {
				if _, err := s.Refresh(ctx); err != nil {
					r.Fatal(err)
				}
				m.check(r, s)
			},
		})
	})
}

// linearModel is a session file with a linear transcript.
type linearModel struct {
	t           *testing.T
	state, path string
	lines       []string
	next        int
	seen        map[string]bool // all texts ever recorded
}

func (m *linearModel) open() *store.Session {
	m.t.Helper()
	return openSession(m.t, libraryWith(m.t, store.Config{Roots: []string{filepath.Dir(m.path)}, StateDir: m.state, Unsynced: true, OnChange: ignoreChange}), m.path)
}

func (m *linearModel) grow(n int) {
	for range n {
		m.next++
		text := fmt.Sprint("message ", m.next)
		m.seen[text] = true
		m.lines = append(m.lines, messageLine(fmt.Sprint("m", m.next), "user", text))
	}
}

// compact appends a summary and the last messages again.
func (m *linearModel) compact(kept int) {
	last := m.lines[max(len(m.lines)-kept, 0):]
	m.next++
	m.lines = append(append(m.lines[:len(m.lines):len(m.lines)], packed(fmt.Sprint("c", m.next))), last...)
}

func (m *linearModel) write() { write(m.t, m.path, m.lines...) }

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (m *linearModel) check(r *rapid.T, s *store.Session) {
	if got, want := sorted(shape(s)), sorted(shape(m.open())); got != want { // later entries have later positions
		r.Fatalf("the followed session shows\n%s\none opened now\n%s", got, want)
	}
	there := map[string]bool{}
	var all []session.Pos
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for p := range session.Pos(tree.Len()) {
			all = append(all, p)
			if e := tree.At(p); e.HasFlag(session.FlagRetracted) && !e.HasFlag(session.FlagArtifact) && e.Span.File == 0 {
				r.Fatalf("%s stands in the file and is said to be taken back", e.ID)
			}
		}
	})
	bodies, err := s.ReadBodies(ctx, all)
	if err != nil {
		r.Fatal(err)
	}
	for _, b := range bodies {
		there[b.Blocks[0].Text] = true
	}
	for text := range m.seen {
		if !there[text] {
			r.Fatalf("%q is lost:\n%s", text, strings.TrimSpace(shape(s)))
		}
	}
}
