package export_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/random"
)

// An exported part of a random session of each format is the same tree when it is opened.
func TestRandom_RoundTrip(t *testing.T) {
	for name, c := range map[string]struct {
		generate func(seed uint64) *random.Project
		same     func(t *testing.T, s *store.Session, part export.Part)
	}{
		"pi": {random.Pi, checkSamePi}, "omp": {random.OMP, checkSameOMP}, "wave": {random.Wave, checkSameParts},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var what string
			defer func() {
				if t.Failed() {
					t.Log(what)
				}
			}()
			for _, seed := range random.Seeds(100) {
				p, rng := c.generate(seed), rand.New(rand.NewPCG(seed, 3))
				dir := writeProject(t, p)
				for _, name := range p.Sessions {
					s := openRandom(t, dir, name)
					if s == nil || readTree(s).Len() == 0 {
						continue
					}
					for _, part := range randomParts(readTree(s), rng) {
						what = fmt.Sprintf("%+v of %s, with SEED=%d", part, name, seed)
						if c.same(t, s, part); t.Failed() {
							return
						}
					}
				}
			}
		})
	}
}

// An exported part of a random Claude Code session has the same messages when it is
// opened, and all but few have the same parent: in a part of a graph, forks may be
// arranged differently.
func TestRandom_RoundTripClaude(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	astray, entries := 0, 0
	for _, seed := range random.Seeds(100) {
		p, rng := random.Claude(seed), rand.New(rand.NewPCG(seed, 3))
		dir := writeProject(t, p)
		s := openRandom(t, dir, p.Sessions[rng.IntN(len(p.Sessions))])
		if s == nil || readTree(s).Len() == 0 {
			continue
		}
		for _, part := range randomParts(readTree(s), rng) {
			entries += readTree(s).Len()
			if checkSameConversation(t, s, part, &astray); t.Failed() {
				t.Fatalf("%+v, with SEED=%d", part, seed)
			}
		}
	}
	if t.Logf("%d of %d entries hang elsewhere", astray, entries); astray > entries/1000 {
		t.Errorf("%d of %d entries hang elsewhere", astray, entries)
	}
}

// randomParts returns the whole session, and a path to a random entry or its subtree.
func randomParts(tr *session.Tree, rng *rand.Rand) []export.Part {
	some := []export.Part{{Scope: export.Path}, {Scope: export.Subtree}, {Scope: export.Subtree, Bare: true}}[rng.IntN(3)]
	some.Entry = tr.At(session.Pos(rng.IntN(tr.Len()))).ID
	return []export.Part{{Scope: export.Tree}, some}
}

func writeProject(t *testing.T, p *random.Project) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range p.Files() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// openRandom opens a file of a random project. It returns nil if the file has no session.
func openRandom(t *testing.T, dir, name string) *store.Session {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, Home: "/home/tester", Clock: exportTime})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	return s
}

// checkSameOMP is checkSamePi for sessions that may have sub-agents with files of their
// own.
func checkSameOMP(t *testing.T, s *store.Session, part export.Part) {
	t.Helper()
	switch {
	case len(s.Files()) == 1:
		checkSamePi(t, s, part)
	case part.Entry == "" || !isUnattachedAgent(readTree(s), part.Entry):
		checkSameAsSingleFile(t, s, part)
	}
}

// isUnattachedAgent reports whether an entry belongs to an agent whose file has entries
// with missing parents, which are shown under the first entry.
func isUnattachedAgent(tr *session.Tree, id string) bool {
	file := tr.At(tr.FindID(id)).Span.File
	for _, n := range tr.Notes() {
		if file != 0 && n.File == int(file) && (n.Code == session.NoteOrphan || n.Code == session.NoteCycle) {
			return true
		}
	}
	return false
}

func checkSameParts(t *testing.T, s *store.Session, part export.Part) {
	t.Helper()
	checkSameConversation(t, s, part, nil)
}
