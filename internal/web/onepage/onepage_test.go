package onepage_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/onepage"
)

// comb is a session of n prompts in a chain, each with an answer beside the next.
func comb(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-000000000009","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}` + "\n")
	line := func(id, parent, text string) {
		fmt.Fprintf(&b, `{"type":"message","id":%q,"parentId":%s,"timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":%q}}`+"\n", id, parent, text)
	}
	parent := "null"
	for i := range n {
		id := fmt.Sprint("m", i)
		line(id, parent, fmt.Sprint("main ", i))
		parent = fmt.Sprintf("%q", id)
		line(fmt.Sprint("s", i), parent, fmt.Sprint("side ", i))
	}
	line("end", parent, "end")
	return b.String()
}

func BenchmarkComb(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "s.jsonl")
			if err := os.WriteFile(path, []byte(comb(n)), 0o600); err != nil {
				b.Fatal(err)
			}
			lib, err := store.New(store.Config{Formats: format.All, Roots: []string{path}})
			if err != nil {
				b.Fatal(err)
			}
			s, err := lib.Open(context.Background(), path)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				job, err := export.Prepare(context.Background(), s, export.Options{Part: export.Part{Scope: export.Tree}, As: export.HTML, Page: onepage.Painter(onepage.Options{})})
				if err == nil {
					_, err = job.Write(context.Background(), io.Discard)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
