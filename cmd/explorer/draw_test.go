package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
)

// Rows fit the width of the terminal, and the text at their end stays visible.
func TestDrawTree_Width(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	text := headerLine + promptLine("aaaaaaaa", "", strings.Repeat("漢字 and more ", 30)) + promptLine("bbbbbbbb", "aaaaaaaa", strings.Repeat("words ", 50)) +
		`{"type":"label","id":"cccccccc","parentId":"bbbbbbbb","timestamp":"2026-02-03T09:00:03.000Z","targetId":"bbbbbbbb","label":"here"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &program{out: &bytes.Buffer{}, err: &bytes.Buffer{}}
	s, err := p.openSession(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{0, 40, 61, 80} {
		var b bytes.Buffer
		out := newColorWriter(&b)
		out.width = width
		s.ReadTree(func(tree *session.Tree, _ store.Revision) {
			o := outline.Build(tree, outline.View{Entry: session.NoPos, Leaf: tree.Leaf(), DefaultOpen: true})
			for _, r := range o.Rows.All() {
				drawGraph(out, r, tree.At(r.Title))
				drawRow(out, tree, r, outline.LayoutSpine)
			}
		})
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := displayWidth(strings.TrimSuffix(line, "\n")); width > 0 && n > width || width == 0 && strings.Contains(line, "…") && n < 90 {
				t.Errorf("at %d columns a row has %d: %q", width, n, line)
			}
		}
		if !strings.Contains(b.String(), "[here]") {
			t.Errorf("at %d columns the label is cut: %s", width, &b)
		}
	}
}

// An interrupted verb reports it and exits with the usual status.
func TestRun_Interrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, bad bytes.Buffer
	if status := runCommandLine(ctx, []string{"tree", writeLongSession(t)}, &out, &bad); status != statusInterrupted || bad.String() != "explorer: interrupted\n" {
		t.Errorf("status %d, %q", status, &bad)
	}
}

// If the output fails after a change, the error contains that the change was made.
func TestRun_WrittenNotPrinted(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(headerLine+promptLine("aaaa", "", "one")+strings.Replace(promptLine("bbbb", "aaaa", "two"), `"user"`, `"assistant"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(t.TempDir(), "made")
	for _, args := range [][]string{
		{"label", path, "aaaa", "x"}, {"label", path, "aaaa", "y", "--json"}, {"rename", path, "z"}, {"branch", path, "aaaa"}, {"switch", path, "bbbb"}, {"fork", path, "bbbb"},
		{"export", path, "-o", made}, {"share", path, "--share-url", "https://share.example"},
	} {
		var bad bytes.Buffer
		status := runCommandLine(t.Context(), append(args, "--state", t.TempDir()), full, &bad)
		if status != statusFailed || !strings.Contains(bad.String(), " was ") || !strings.Contains(bad.String(), "no space left") {
			t.Errorf("%v: status %d, %q", args, status, &bad)
		}
	}
	if _, err := os.Stat(made); err != nil {
		t.Error(err)
	}
	var bad bytes.Buffer
	if runCommandLine(t.Context(), []string{"tree", path}, full, &bad); strings.Contains(bad.String(), " was ") {
		t.Errorf("tree has written: %q", fmt.Sprint(&bad))
	}
}
