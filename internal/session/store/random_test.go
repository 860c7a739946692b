package store_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sessiontree/internal/bench/random"
	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// seeds are those of the random projects that a test tries: SOAK says how many there
// are, SEED names one.
func seeds(t testing.TB) (all []uint64) {
	if seed, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		return []uint64{seed}
	}
	n, err := strconv.Atoi(os.Getenv("SOAK"))
	if err != nil || n < 2 {
		n = 100
	}
	for i := range n {
		all = append(all, uint64(i))
	}
	return all
}

// recordingOf is a random project as a recording.
func recordingOf(p *random.Project) *recording {
	r := &recording{side: p.Side}
	for _, l := range p.Lines {
		r.lines = append(r.lines, recordedLine{file: l.File, text: l.Text})
	}
	return r
}

// Random projects, followed line by line, are what they would be if they were opened
// then.
func TestRandomClaude_LiveIsCold(t *testing.T) {
	for _, seed := range seeds(t) {
		r := recordingOf(random.Claude(seed))
		rng := rand.New(rand.NewPCG(seed, 2))
		if seed%3 == 0 {
			r = r.interleaved(rng)
		}
		p := newReplay(t)
		for k, l := range r.lines {
			p.write(r, l)
			if rng.IntN(16) == 0 || k+1 == len(r.lines) {
				p.compare(fmt.Sprintf("seed %d, line %d of %s: %.300s", seed, k, l.file, l.text))
			}
		}
	}
}

// Of a random project every uuid is in the tree once, every line is accounted for, and
// the order of names has no say where times tell.
func TestRandomClaude_Whole(t *testing.T) {
	for _, seed := range seeds(t) {
		p := random.Claude(seed)
		dir := t.TempDir()
		uuids := map[string]bool{}
		for name, text := range p.Files() {
			write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
			for line := range strings.Lines(text) {
				var l struct{ UUID string }
				if json.Unmarshal([]byte(line), &l) == nil && l.UUID != "" {
					uuids[l.UUID] = true
				}
			}
		}
		s, err := libraryWith(t, store.Config{Formats: format.All, Roots: []string{dir}}).OpenDir(ctx, dir)
		if err != nil {
			t.Fatal(seed, err)
		}
		account(t, s)
		s.Read(func(tree *session.Tree, _ store.Rev) {
			for id := range uuids {
				if tree.Find(id) == session.NoPos {
					t.Errorf("seed %d: %s is not in the tree", seed, id)
				}
			}
			reached := 0
			for todo := append([]session.Pos{}, tree.Roots()...); len(todo) > 0; reached++ {
				at := todo[len(todo)-1]
				todo = append(todo[:len(todo)-1], tree.Children(at)...)
			}
			if reached != tree.Len() {
				t.Errorf("seed %d: %d of %d entries are reached", seed, reached, tree.Len())
			}
		})
	}
}
