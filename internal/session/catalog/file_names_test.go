package catalog

import (
	"strings"
	"testing"

	"sessiontree/internal/session"
)

// A name that is longer than any file's is not a changed file.
func TestFileChanges_longNames(t *testing.T) {
	t.Parallel()
	var c fileChanges
	for _, name := range []string{strings.Repeat("n", maxFileNameBytes+1), "x.go"} {
		c.addCall(&session.ToolCall{Name: "edit", Arg: name, Outcome: &session.Outcome{}})
	}
	if c.finish(); len(c.Files) != 1 || len(c.names) != 1 {
		t.Errorf("%d files were changed, %d names are known, want 1", len(c.Files), len(c.names))
	}
}
