package terminal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// Rows fit the width of the terminal, and the text at their end stays visible.
func TestDrawTree_Width(t *testing.T) {
	prompt := func(id, parent, text string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-02-03T09:00:01.000Z","message":{"role":"user","content":%q}}`+"\n", id, parent, text)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	text := `{"type":"session","version":3,"id":"one","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/atlas"}` + "\n" +
		prompt("aaaaaaaa", "", strings.Repeat("漢字 and more ", 30)) + prompt("bbbbbbbb", "aaaaaaaa", strings.Repeat("words ", 50)) +
		`{"type":"label","id":"cccccccc","parentId":"bbbbbbbb","timestamp":"2026-02-03T09:00:03.000Z","targetId":"bbbbbbbb","label":"here"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{0, 40, 61, 80} {
		var b bytes.Buffer
		out := NewColorWriter(&b)
		out.width = width
		s.ReadTree(func(tree *session.Tree, _ store.Revision) {
			DrawTree(out, tree, session.View{Entry: session.NoPos, Leaf: tree.Leaf(), DefaultOpen: true})
		})
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := DisplayWidth(strings.TrimSuffix(line, "\n")); width > 0 && n > width || width == 0 && strings.Contains(line, "…") && n < 90 {
				t.Errorf("at %d columns a row has %d: %q", width, n, line)
			}
		}
		if !strings.Contains(b.String(), "[here]") {
			t.Errorf("at %d columns the label is cut: %s", width, &b)
		}
	}
}
