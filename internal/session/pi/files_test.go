package pi

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// TestFiles reads the session files below the directories in SESSION_FILES, to test sessions that
// are not part of the repository.
func TestFiles(t *testing.T) {
	t.Parallel()
	dirs := filepath.SplitList(os.Getenv("SESSION_FILES"))
	if len(dirs) == 0 {
		t.Skip("SESSION_FILES names no directories")
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".jsonl") {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				t.Run(path, func(t *testing.T) { readWhole(t, text) })
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// readWhole checks that every line is counted and every body can be decoded.
func readWhole(t *testing.T, text []byte) {
	f := &Format
	if OMP.Sniff(text[:min(len(text), 64<<10)]) {
		f = &OMP
	}
	d := decode(t, f, text)
	lines := 0
	for range jsonl.Lines(text) {
		lines++
	}
	if n := len(d.entries) + len(d.bad) + d.skipped; n != lines {
		t.Errorf("%d lines accounted for, the file has %d", n, lines)
	}
	if !d.ok && len(d.entries) > 0 {
		t.Errorf("%d entries without a header", len(d.entries))
	}
	cost := 0.0
	for i := range d.entries {
		e := &d.entries[i]
		cost += e.Cost()
		body, err := f.DecodeBody(text[e.Span.Off : e.Span.Off+int64(e.Span.Len)])
		if err != nil {
			t.Errorf("line %d: %v", e.Span.Line, err)
		}
		if calls := countKind(body, session.BlockToolCall); e.Kind == session.KindAssistant && calls != len(e.Calls()) {
			t.Errorf("line %d: the body has %d calls, the entry %d", e.Span.Line, calls, len(e.Calls()))
		}
		if images := countKind(body, session.BlockImage); e.HasFlag(session.FlagImages) && images == 0 {
			t.Errorf("line %d: the body lacks the entry's images", e.Span.Line)
		}
	}
	t.Logf("%s %q: %d entries, %d bad lines, $%.7f", d.header.Format, d.header.Name, len(d.entries), len(d.bad), cost)
}

func countKind(b session.Body, kind session.BlockKind) (n int) {
	for _, k := range b.Blocks {
		if k.Kind == kind {
			n++
		}
	}
	return n
}
