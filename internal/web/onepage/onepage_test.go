package onepage_test

import (
	"compress/flate"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

// made is a page of a session.
func made(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
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
	var b strings.Builder
	job, err := export.Prepare(t.Context(), s, export.Options{Part: export.Part{Scope: export.Tree}, As: export.HTML, Page: onepage.Painter(onepage.Options{})})
	if err == nil {
		_, err = job.Write(t.Context(), &b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever paths lead through it, an entry stands once in what the script shows.
func TestPainter_Once(t *testing.T) {
	page := made(t, comb(200))
	var path strings.Builder
	for _, m := range regexp.MustCompile(`id="part-path-\d+">([^<]*)<`).FindAllStringSubmatch(page, -1) {
		text, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1]))))
		if err != nil {
			t.Fatal(err)
		}
		path.Write(text)
	}
	for i := range 200 {
		for _, text := range []string{fmt.Sprintf("<p>main %d</p>", i), fmt.Sprintf("<p>side %d</p>", i)} {
			if n := strings.Count(path.String(), text); n != 1 {
				t.Errorf("%s stands there %d times", text, n)
			}
		}
	}
	first, _, _ := strings.Cut(page, `<script type="text/plain"`)
	if n := strings.Count(first, "<p>main "); n < 50 || n > 110 {
		t.Errorf("%d prompts are painted first", n)
	}
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
