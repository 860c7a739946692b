package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/bench/transcript"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// longTalk is a session file of some thousand entries.
func longTalk(t *testing.T) string {
	t.Helper()
	f := transcript.New(transcript.Pi, "0198a000-0000-7000-8000-000000000001", "/project", time.Date(2026, 2, 3, 9, 0, 0, 0, time.UTC))
	for range 2000 {
		f.User("Go on.")
		f.Say(strings.Repeat("Going on. ", 20))
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Who stops an export finds no file.
func TestExportStopped(t *testing.T) {
	path := longTalk(t)
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, as := range []export.Kind{export.JSONL, export.Markdown} {
		ctx, stop := context.WithCancel(t.Context())
		told := 0
		o := export.Options{Part: export.Part{Scope: export.Tree}, As: as, Progress: func(done, total int) {
			if told++; done >= total {
				t.Errorf("%s: it went on to its end", as)
			}
			stop()
		}}
		job, err := export.Prepare(ctx, s, o)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		var said bytes.Buffer
		p := &program{out: &said, err: &said}
		if err := p.export(ctx, job, &exportFlags{out: filepath.Join(dir, "out")}); !errors.Is(err, context.Canceled) || told == 0 || said.Len() > 0 {
			t.Errorf("%s: %v after %d tellings, and %q is said", as, err, told, said.String())
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v is left", as, left)
		}
	}
}

// Progress is one line, which goes away whatever comes of the work.
func TestWaiting(t *testing.T) {
	for _, c := range []struct {
		done []int
		want string
	}{
		{[]int{500, 1000}, "\r500 of 1000\r1000 of 1000\r\x1b[K"},
		{[]int{500}, "\r500 of 1000\r\x1b[K"},
		{nil, ""},
	} {
		var said bytes.Buffer
		w := waiting{w: &said}
		for _, n := range c.done {
			w.tell(n, 1000)
		}
		if w.clear(); said.String() != c.want {
			t.Errorf("%v: %q, want %q", c.done, said.String(), c.want)
		}
	}
}
