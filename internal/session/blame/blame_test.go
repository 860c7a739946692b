package blame

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"

	"sessiontree/internal/session/filediff"
)

// findOwners returns the owners without a limit of the work.
func findOwners(lines []string, edits []filediff.Edit) []int {
	r, err := newWalker(lines, math.MaxInt).findOwners(context.Background(), edits)
	if err != nil {
		panic(err)
	}
	return r.Owners
}

// file is a text with the owner of each line, as an exact history has it.
type file struct {
	lines  []string
	owners []int // number of the edit that wrote it, or Outside
}

// change replaces lines at a place by new ones of an owner.
func (f *file) change(at, cut int, texts []string, owner int) {
	owners := make([]int, len(texts))
	for i := range owners {
		owners[i] = owner
	}
	f.lines = slices.Replace(slices.Clone(f.lines), at, at+cut, texts...)
	f.owners = slices.Replace(slices.Clone(f.owners), at, at+cut, owners...)
}

func (f *file) text() string {
	if len(f.lines) == 0 {
		return ""
	}
	return strings.Join(f.lines, "\n") + "\n"
}

// drawChange draws a change of a few lines. Lines repeat, so that texts alone do not tell their
// places.
func drawChange(rt *rapid.T, f *file) (at, cut int, texts []string) {
	at = rapid.IntRange(0, len(f.lines)).Draw(rt, "at")
	cut = rapid.IntRange(0, min(4, len(f.lines)-at)).Draw(rt, "cut")
	texts = rapid.SliceOfN(rapid.SampledFrom([]string{"}", "", "\treturn nil", "a", "b", "c"}), 0, 4).Draw(rt, "texts")
	return at, cut, texts
}

// recordedEdit returns an edit as agents record it: the lines that differ, with numbers, or the
// whole text.
func recordedEdit(rt *rapid.T, before, after *file, number int) (filediff.Edit, *file) {
	if len(after.lines) > 0 && rapid.IntRange(0, 9).Draw(rt, "whole") == 0 {
		for i := range after.owners {
			after.owners[i] = number
		}
		return filediff.Edit{Content: after.text()}, after
	}
	context := rapid.SampledFrom([]int{0, 1, 3}).Draw(rt, "context")
	d, err := udiff.ToUnified("a", "b", before.text(), udiff.Lines(before.text(), after.text()), context)
	if err != nil {
		rt.Fatal(err)
	}
	e := filediff.Edit{Lines: filediff.Parse(d)}
	if d == "" {
		e.Lines = []filediff.Line{}
	}
	if context > 0 {
		renumber(e.Lines)
	}
	// The owners are those of the recorded diff: of equal lines it may name another one than was changed.
	owners, old := []int(nil), 0
	for _, l := range e.Lines {
		switch l.Sign {
		case '-':
			for old < l.Old-1 {
				owners, old = append(owners, before.owners[old]), old+1
			}
			old++
		case '+':
			for len(owners) < l.New-1 {
				owners, old = append(owners, before.owners[old]), old+1
			}
			owners = append(owners, number)
		}
	}
	return e, &file{after.lines, append(owners, before.owners[old:]...)}
}

// renumber sets the new numbers of the lines of a diff with context. In those of go-udiff, the equal
// lines between two changes of a hunk are not counted for the hunks after it.
func renumber(lines []filediff.Line) {
	old, shift := 1, 0
	for i := range lines {
		l := &lines[i]
		switch l.Sign {
		case '+':
			l.New = old + shift
			shift++
		case '-':
			old = l.Old + 1
			shift--
		case ' ':
			l.New = l.Old + shift
			old = l.Old + 1
		}
	}
}

// The owners are those that an exact history has, with the diffs that agents record.
func TestFindOwners_ofAnExactHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		now := &file{}
		now.change(0, 0, rapid.SliceOfN(rapid.SampledFrom([]string{"}", "", "x", "y"}), 0, 20).Draw(rt, "first"), Outside)
		var edits []filediff.Edit // oldest first
		for n := range rapid.IntRange(1, 12).Draw(rt, "edits") {
			at, cut, texts := drawChange(rt, now)
			next := &file{now.lines, now.owners}
			next.change(at, cut, texts, n)
			var e filediff.Edit
			e, now = recordedEdit(rt, now, next, n)
			edits = append(edits, e)
		}
		slices.Reverse(edits)
		got := findOwners(now.lines, edits)
		for i := range got {
			if got[i] != Outside {
				got[i] = len(edits) - 1 - got[i]
			}
		}
		if !slices.Equal(got, now.owners) {
			rt.Errorf("owners %v, want %v\n%q\n%+v", got, now.owners, now.lines, edits)
		}
	})
}

// If others changed the text too, an edit still owns only lines that it wrote, and lines of others
// have no owner.
func TestFindOwners_ofOtherChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		now := &file{}
		var edits []filediff.Edit
		wrote := map[int]map[string]bool{}
		for n := range rapid.IntRange(1, 12).Draw(rt, "edits") {
			at, cut, texts := drawChange(rt, now)
			if rapid.Bool().Draw(rt, "recorded") {
				for i := range texts {
					texts[i] = fmt.Sprintf("edit %d line %d", n, i)
				}
				next := &file{now.lines, now.owners}
				next.change(at, cut, texts, len(edits))
				var e filediff.Edit
				before := now
				e, now = recordedEdit(rt, before, next, len(edits))
				edits = append(edits, e)
				wrote[len(edits)-1] = map[string]bool{}
				for _, l := range e.Lines {
					if l.Sign == '+' {
						wrote[len(edits)-1][l.Text] = true
					}
				}
				for _, text := range filediff.SplitLines(e.Content) {
					wrote[len(edits)-1][text] = true
				}
				continue
			}
			for i := range texts {
				texts[i] = fmt.Sprintf("other %d line %d", n, i)
			}
			now.change(at, cut, texts, Outside)
		}
		reversed := slices.Clone(edits)
		slices.Reverse(reversed)
		for i, owner := range findOwners(now.lines, reversed) {
			if owner == Outside {
				if strings.HasPrefix(now.lines[i], "edit ") && now.owners[i] != Outside {
					rt.Errorf("line %d, %q of edit %d, has no owner\n%q", i, now.lines[i], now.owners[i], now.lines)
				}
				continue
			}
			if n := len(edits) - 1 - owner; !wrote[n][now.lines[i]] {
				rt.Errorf("edit %d owns %q, which it did not write", n, now.lines[i])
			}
		}
	})
}

// Agents that record no diff replace texts that may begin and end within lines.
func TestFindOwners_ofFragments(t *testing.T) {
	t.Parallel()
	replace := func(old, now string) filediff.Edit {
		return filediff.Edit{Lines: filediff.DiffTexts([]filediff.TextEdit{{OldText: old, NewText: now}})}
	}
	for _, c := range []struct {
		name  string
		text  string
		edits []filediff.Edit // newest first
		want  []int
	}{
		{"a word", "one\ntwo three four\nfive", []filediff.Edit{replace("2", "three")}, []int{Outside, 0, Outside}},
		{"the word before it", "one\ntwo three four", []filediff.Edit{replace("zwei", "two"), replace("drei vier", "three four")}, []int{Outside, 0}},
		{"a word of a line that was written", "a = func(two)", []filediff.Edit{replace("two(", "func("), replace("x", "a = two(two)")}, []int{0}},
		{"lines", "x(a,\n  b,\n  c)", []filediff.Edit{replace("a)", "a,\n  b,\n  c)")}, []int{0, 0, 0}},
		{"two places", "same\nsame", []filediff.Edit{replace("old same", "sam")}, []int{Outside, Outside}},
		{"lines with a line of others between them", "func one()\n// by hand\nfunc two()", []filediff.Edit{replace("x", "func one()\nfunc two()")}, []int{0, Outside, 0}},
		{"nothing recorded", "a", []filediff.Edit{{Lines: []filediff.Line{}}}, []int{Outside}},
		{"a file that was written, and changed since", "a\nb\nmine", []filediff.Edit{{Content: "a\nold\nb\n"}}, []int{0, 0, Outside}},
		{"an edit of a branch whose changes are gone", "a\nb", []filediff.Edit{replace("b", "what is gone"), {Content: "a\nb\n"}}, []int{1, 1}},
	} {
		if got := findOwners(filediff.SplitLines(c.text), c.edits); !slices.Equal(got, c.want) {
			t.Errorf("%s: owners %v, want %v", c.name, got, c.want)
		}
	}
}

// Lines that an edit removed are put back at a wrong place if others removed lines above them. A
// line of the whole text that was written before keeps its owner.
func TestFindOwners_removedLinesPutBack(t *testing.T) {
	edits := []filediff.Edit{
		{Lines: []filediff.Line{{Sign: '-', Old: 2, Text: "}"}, {Sign: '-', Old: 3, Text: "}"}}},
		{Content: "first\n}\n}\nkept\n"},
	}
	if got := findOwners([]string{"kept"}, edits); !slices.Equal(got, []int{1}) {
		t.Errorf("owners %v, want that of the written text", got)
	}
}
