package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// during returns a library that calls fn once, while it reads a line with word.
func during(t testing.TB, dir, word string, fn func()) *store.Library {
	t.Helper()
	var once sync.Once
	var formats []*session.Format
	for _, f := range format.All {
		hooked := *f
		hooked.ScanLine = func(line []byte, home string) (session.Record, error) {
			if bytes.Contains(line, []byte(word)) {
				once.Do(fn)
			}
			return f.ScanLine(line, home)
		}
		formats = append(formats, &hooked)
	}
	lib, err := store.New(store.Config{Formats: formats, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// many returns a session of some megabytes, so that it is read in several blocks.
func many(name string, n int) []string {
	lines := []string{header}
	for i := range n {
		lines = append(lines, user(name+strings.Repeat("'", i%3)+string(rune('a'+i%26))+strings.Repeat("x", i/26), "", strings.Repeat("long text ", 5000)))
	}
	return lines
}

func TestOpen_FileThatChangesWhileItIsRead(t *testing.T) {
	short := []string{header, user("s1", "", "short")}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, path string)
		want   string
	}{
		{"shrinks", func(t *testing.T, path string) { write(t, path, short...) }, "s1"},
		{"is cut within a line", func(t *testing.T, path string) {
			if err := os.Truncate(path, int64(len(header)+len(many("u", 1)[1])+100)); err != nil {
				t.Fatal(err)
			}
		}, "ua"},
		{"is rewritten", func(t *testing.T, path string) { write(t, path, many("v", 100)...) }, strings.Join(idsOf(many("v", 100)), " ")},
		{"grows", func(t *testing.T, path string) { add(t, path, user("last", "", "x")) }, strings.Join(idsOf(many("u", 100)), " ") + " last"},
		{"is replaced", func(t *testing.T, path string) {
			write(t, path+".tmp", short...)
			if err := os.Rename(path+".tmp", path); err != nil {
				t.Fatal(err)
			}
		}, "s1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			write(t, path, many("u", 100)...)
			lib := during(t, filepath.Dir(path), `"uaxxx"`, func() { test.change(t, path) })
			s, err := lib.Open(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Refresh(ctx); err != nil { // the watcher's event follows the change
				t.Fatal(err)
			}
			wantIDs(t, s, test.want)
		})
	}
}

// idsOf returns the ids in lines that user has written.
func idsOf(lines []string) (ids []string) {
	for _, line := range lines[1:] {
		_, rest, _ := strings.Cut(line, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		ids = append(ids, id)
	}
	return ids
}

func TestRefresh_FileThatShrinksWhileItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", "one"))
	lib := during(t, filepath.Dir(path), "shrink now", func() { write(t, path, header, user("v1", "", "new")) })
	s, err := lib.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	add(t, path, user("u2", "u1", "shrink now"), user("u3", "u2", "x"))
	refresh(t, s, store.Rewritten)
	wantIDs(t, s, "v1")
}

func TestOpen_GoesOnWithoutItsFirstCaller(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, many("u", 100)...)
	reading, goOn := make(chan struct{}), make(chan struct{})
	lib := during(t, filepath.Dir(path), `"uaxxx"`, func() { close(reading); <-goOn })
	first, leave := context.WithCancel(ctx)
	gone := make(chan error)
	go func() {
		_, err := lib.Open(first, path)
		gone <- err
	}()
	<-reading
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v for the caller who left", err)
	}
	close(goOn)
	if _, err := lib.Open(ctx, path); err != nil {
		t.Errorf("Open = %v for the next", err)
	}
}
