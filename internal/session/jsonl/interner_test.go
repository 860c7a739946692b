package jsonl_test

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/session/jsonl"
)

func TestInternerText(t *testing.T) {
	t.Parallel()
	var in jsonl.Interner
	texts := []string{`""`, `"a"`, `"a\n"`, "\"\xff\"", `12`, `null`, `"` + strings.Repeat("x", 300) + `"`, `"` + strings.Repeat("é", 120) + `"`}
	for i := range 1000 {
		texts = append(texts, fmt.Sprintf("%q", fmt.Sprint("id ", i%300)))
	}
	for _, text := range texts {
		c := jsonl.NewCursor([]byte(text))
		v := c.Value()
		for range 2 {
			if got, want := in.Intern(v), v.Text(); got != want {
				t.Errorf("Text(%s) = %q, want %q", text, got, want)
			}
		}
	}
}

// TestInternerAllocations checks that equal texts are allocated once, and that a returned string
// does not alias the line.
func TestInternerAllocations(t *testing.T) {
	var in jsonl.Interner
	line := []byte(`"/home/dev/project"`)
	c := jsonl.NewCursor(line)
	v := c.Value()
	first := in.Intern(v)
	if n := testing.AllocsPerRun(100, func() { in.Intern(v) }); n != 0 {
		t.Errorf("%v allocations for a text that was asked for before", n)
	}
	clear(line)
	if first != "/home/dev/project" {
		t.Errorf("the string changed with the line: %q", first)
	}
}
