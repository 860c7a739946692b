package blame

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"sessiontree/internal/session/filediff"
)

// numbered returns a text of lines, and a text without any of them.
func numbered(n int) (lines []string, other string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	return lines, "what is gone"
}

// Hunks that left no trace are not compared with each line: the work grows with the lines and the
// hunks, not with their product.
func TestFindOwners_workOfUnknownHunks(t *testing.T) {
	t.Parallel()
	lines, other := numbered(20_000)
	var edits []filediff.Edit
	for n := range 2000 {
		edits = append(edits, filediff.Edit{Lines: []filediff.Line{{Sign: '-', Old: 9*n + 1, Text: other}, {Sign: '+', New: 9*n + 1, Text: fmt.Sprint(other, n)}, {Sign: ' ', Old: 9*n + 2, New: 9*n + 2, Text: lines[9*n+1]}}})
	}
	w := newWalker(lines, math.MaxInt)
	if _, err := w.findOwners(t.Context(), edits); err != nil {
		t.Fatal(err)
	}
	if most := 10 * (len(lines) + len(edits)); w.work > most {
		t.Errorf("%d comparisons of %d lines and %d hunks, want at most %d", w.work, len(lines), len(edits), most)
	}
}

// A long run of lines that is found by its unique lines is walked once.
func TestFindOwners_workOfRuns(t *testing.T) {
	t.Parallel()
	lines, other := numbered(5000)
	edit := filediff.Edit{Lines: []filediff.Line{{Sign: '+', New: 1, Text: other}}}
	for i, text := range lines {
		edit.Lines = append(edit.Lines, filediff.Line{Sign: '+', New: i + 2, Text: text})
	}
	w := newWalker(lines, math.MaxInt)
	r, err := w.findOwners(t.Context(), []filediff.Edit{edit})
	if err != nil || slices.Contains(r.Owners, Outside) {
		t.Fatalf("owners %v, %v", r.Owners, err)
	}
	if most := 10 * len(lines); w.work > most {
		t.Errorf("%d comparisons of %d lines, want at most %d", w.work, len(lines), most)
	}
}

// Above the limit of the work, the oldest edits are not compared. What was found before stays.
func TestFindOwners_budget(t *testing.T) {
	t.Parallel()
	lines := slices.Repeat([]string{"same", "other"}, 1000)
	lines[0] = "the newest"
	edits := []filediff.Edit{{Lines: []filediff.Line{{Sign: '+', New: 1, Text: "the newest"}}}}
	for range 100 { // each is compared with all lines
		edits = append(edits, filediff.Edit{Lines: []filediff.Line{{Sign: '+', New: 1, Text: "other"}, {Sign: '+', New: 2, Text: "other"}}})
	}
	const budget = 20_000
	w := newWalker(lines, budget)
	r, err := w.findOwners(t.Context(), edits)
	if err != nil || r.Owners[0] != 0 || r.NotCompared == 0 || r.NotCompared >= len(edits) {
		t.Errorf("%d of %d edits were not compared, owner %d, %v", r.NotCompared, len(edits), r.Owners[0], err)
	}
	if w.work > budget+2*len(lines) {
		t.Errorf("%d comparisons, want at most about %d", w.work, budget)
	}
	if r, err := FindOwners(t.Context(), lines, edits); err != nil || r.NotCompared != 0 {
		t.Errorf("%d edits were not compared within the limit, %v", r.NotCompared, err)
	}
}

func TestFindOwners_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := FindOwners(ctx, []string{"a"}, []filediff.Edit{{Lines: []filediff.Line{{Sign: '+', New: 1, Text: "a"}}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// BenchmarkFindOwners finds the owners of the lines of a large file with many edits, half of which left
// no trace.
func BenchmarkFindOwners(b *testing.B) {
	f := &file{}
	for i := range 20_000 {
		f.lines = append(f.lines, fmt.Sprintf("line %d", i))
	}
	var edits []filediff.Edit
	for n := range 2000 {
		text := fmt.Sprintf("edit %d", n)
		edits = append(edits, filediff.Edit{Lines: []filediff.Line{{Sign: '-', Old: 10*n%20_000 + 1, Text: f.lines[10*n%20_000]}, {Sign: '+', New: 10*n%20_000 + 1, Text: text}}})
		if n%2 == 0 {
			f.lines[10*n%20_000] = text
		}
	}
	slices.Reverse(edits)
	for b.Loop() {
		findOwners(f.lines, edits)
	}
}
