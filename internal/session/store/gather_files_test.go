package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/store"
)

// A file that is made in the tick of the file system's clock in which its directory
// was read leaves the directory's time as it was, and is found all the same.
func TestRefresh_fileMadeInTheSameTick(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home-dev-shop")
	path := filepath.Join(dir, linearID+".jsonl")
	write(t, path, linearHeader, spoken("m1", "user", "hello"))
	tick := time.Now().Add(-time.Hour)
	sameTick := func() {
		if err := os.Chtimes(dir, tick, tick); err != nil {
			t.Fatal(err)
		}
	}
	sameTick()
	s := openFiles(t, libraryWith(t, store.Config{Roots: []string{dir}, Clock: func() time.Time { return tick.Add(time.Millisecond) }}), path)
	write(t, filepath.Join(dir, firstAgent+".jsonl"), spoken("a1", "user", "Look"))
	sameTick()
	if refresh(t, s, store.Appended); !strings.Contains(shape(s), "a1<") {
		t.Errorf("the subagent is not found:\n%s", shape(s))
	}
}

// A subagent is first shown with the session that seems to run. When another one
// records its call, both show so at once.
func TestRefresh_subagentOfTheOtherSession(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home-dev-shop")
	file := func(name string) string { return filepath.Join(dir, name+".jsonl") }
	one, other := file(linearID), file("0bb22222-2222-4222-8222-222222222222")
	write(t, one, timed("10:00:00", spoken("m1", "user", "hello")))
	write(t, other, timed("10:00:30", spoken("n1", "user", "hello")))
	lib := library(t, dir)
	a, b := openFiles(t, lib, one), openFiles(t, lib, other)
	shows := func(want string) {
		t.Helper()
		for i, s := range []*store.Session{a, b} {
			if _, err := s.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
			if has := strings.Contains(shape(s), "a1<"); has != (want[i] == 'x') {
				t.Errorf("session %d shows the subagent: %v", i+1, has)
			}
		}
	}
	write(t, file(firstAgent)) // there is nothing in it yet
	shows("..")
	add(t, file(firstAgent), timed("10:01:00", spoken("a1", "user", cartPrompt)))
	shows(".x")
	add(t, one, timed("10:00:59", asks("m2", cartPrompt)))
	shows("x.")
	if !strings.Contains(shape(a), "a1<m2") {
		t.Errorf("the first session shows\n%s", shape(a))
	}
}
