package prose

import (
	"go/ast"
	"slices"
	"testing"
	"unicode"
)

const (
	maxFileLines      = 250
	maxFuncLines90    = 24 // lines of the function that 90 % are no longer than
	maxFuncLines99    = 40
	maxOneWordNames   = 35 // % of functions
	minNamesFoundOnce = 70 // % of functions
)

func TestFiles_short(t *testing.T) {
	t.Parallel()
	_, _, files := functions(t)
	for name, lines := range files {
		if lines > maxFileLines {
			t.Errorf("%s has %d lines, the limit is %d: split it by what it contains", name, lines, maxFileLines)
		}
	}
}

func TestFunctions_short(t *testing.T) {
	t.Parallel()
	_, lines, _ := functions(t)
	slices.Sort(lines)
	for percent, limit := range map[int]int{90: maxFuncLines90, 99: maxFuncLines99} {
		if n := lines[(len(lines)-1)*percent/100]; n > limit {
			t.Errorf("%d %% of functions have up to %d lines, the limit is %d", percent, n, limit)
		}
	}
}

// A name of two words or more says what a function does, and a search for it finds one
// function.
func TestFunctions_namesAreFound(t *testing.T) {
	t.Parallel()
	all, _, _ := functions(t)
	oneWord, defined := 0, map[string]int{}
	for _, f := range all {
		defined[f.Name.Name]++
		if isOneWord(f) {
			oneWord++
		}
	}
	once := 0
	for _, n := range defined {
		if n == 1 {
			once++
		}
	}
	if percent := 100 * oneWord / len(all); percent > maxOneWordNames {
		t.Errorf("%d %% of functions have a name of one word, the limit is %d %%", percent, maxOneWordNames)
	}
	if percent := 100 * once / len(all); percent < minNamesFoundOnce {
		t.Errorf("a search finds %d %% of function names exactly once, want %d %%", percent, minNamesFoundOnce)
	}
}

func isOneWord(f *ast.FuncDecl) bool {
	for i, r := range f.Name.Name {
		if i > 0 && unicode.IsUpper(r) {
			return false
		}
	}
	return true
}
