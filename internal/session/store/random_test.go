package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/random"
)

// generators make random sessions of each format.
var generators = map[string]func(seed uint64) *random.Project{"claude": random.Claude, "pi": random.Pi, "omp": random.OMP, "wave": random.Wave}

// eachRandom calls fn with the random sessions of each format.
func eachRandom(t *testing.T, fn func(t *testing.T, seed uint64, p *random.Project)) {
	for name, generate := range generators {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, seed := range random.Seeds(100) {
				if fn(t, seed, generate(seed)); t.Failed() {
					t.Fatalf("with SEED=%d", seed)
				}
			}
		})
	}
}

// recordingOf returns a random project as a recording.
func recordingOf(p *random.Project) *recording {
	r := &recording{side: p.SideFiles}
	for _, l := range p.Lines {
		r.lines = append(r.lines, recordedLine{file: l.File, text: l.Text, rewrite: l.Rewrite})
	}
	return r
}

// Random sessions that are followed, line by line and within lines, equal ones opened
// at that moment, in any order of their files.
func TestRandom_LiveIsCold(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	eachRandom(t, func(t *testing.T, seed uint64, p *random.Project) {
		r := recordingOf(p)
		rng := rand.New(rand.NewPCG(seed, 2))
		if seed%3 == 0 {
			r = r.interleaved(rng)
		}
		f := newReplay(t)
		for k, l := range r.lines {
			name := fmt.Sprintf("seed %d, line %d of %s: %.300s", seed, k, l.file, l.text)
			if half := len(l.text) / 2; rng.IntN(12) == 0 {
				begins := l
				begins.text = l.text[:half]
				f.write(r, begins)
				if rng.IntN(8) == 0 {
					f.compare("half of " + name)
				}
				l.text, l.rewrite = l.text[half:], false
			}
			f.write(r, l)
			if rng.IntN(40) == 0 || k+1 == len(r.lines) {
				f.compare(name)
			}
		}
	})
}

// Every line of a random project is reachable in a tree once, or the subject of a note.
// Reading the files again, created in another order, gives the same trees.
func TestRandom_Whole(t *testing.T) {
	eachRandom(t, func(t *testing.T, seed uint64, p *random.Project) {
		dir := t.TempDir()
		files := p.Files()
		names := slices.Sorted(maps.Keys(files))
		one := writeFiles(t, filepath.Join(dir, "1", "p"), files, names)
		slices.Reverse(names)
		two := writeFiles(t, filepath.Join(dir, "2", "p"), files, names)
		read := map[string]bool{}
		sessions := p.Sessions
		if p.SharesFiles { // a tree of all files, or of those of one session
			sessions = []string{"", p.Sessions[int(seed)%len(p.Sessions)]}[seed%2:][:1]
		}
		for _, name := range sessions {
			s := openedIn(t, one, name)
			if s == nil {
				continue
			}
			for _, path := range account(t, s) {
				read[path] = true
			}
			wantIDsOnce(t, s)
			if diff := diffLines(described(s), described(openedIn(t, two, name))); diff != "" {
				t.Fatalf("%s, read again (-first +second):\n%s", cmp.Or(name, "all"), diff)
			}
		}
		for _, name := range names {
			if path := filepath.Join(one, name); strings.HasSuffix(path, ".jsonl") && !read[path] && files[name] != "" && len(read) > 0 && (!p.SharesFiles || seed%2 == 0) {
				t.Errorf("%s is read with no session", name)
			}
		}
	})
}

// writeFiles writes files in the order of names, and returns their directory.
func writeFiles(t *testing.T, dir string, files map[string]string, names []string) string {
	t.Helper()
	for _, name := range names {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), files[name])
	}
	return dir
}

// openedIn opens a file in a directory, or with "" the whole directory as one tree. It
// returns nil if there is no session.
func openedIn(t *testing.T, dir, name string) *store.Session {
	t.Helper()
	lib := library(t, dir)
	path := filepath.Join(dir, filepath.FromSlash(name))
	if name == "" {
		s, _ := lib.OpenDir(ctx, dir) // not every format supports it
		return s
	}
	s, err := lib.Open(ctx, path)
	if errors.Is(err, session.ErrNoSession) || errors.Is(err, fs.ErrNotExist) {
		return nil // no line of a session was written
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wantIDsOnce fails unless every id occurs once in the tree of a session.
func wantIDsOnce(t *testing.T, s *store.Session) {
	t.Helper()
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for p := range session.Pos(tree.Len()) {
			if id := tree.At(p).ID; tree.FindID(id) != p {
				t.Errorf("%s is there twice", id)
			}
		}
	})
}
