package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/store"
)

// A file that is created in the same clock tick in which its directory was read does
// not change the directory's time, and is found nevertheless.
func TestRefresh_fileMadeInTheSameTick(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home-dev-shop")
	path := filepath.Join(dir, linearID+".jsonl")
	write(t, path, linearHeader, messageLine("m1", "user", "hello"))
	tick := time.Now().Add(-time.Hour)
	sameTick := func() {
		if err := os.Chtimes(dir, tick, tick); err != nil {
			t.Fatal(err)
		}
	}
	sameTick()
	s := openSession(t, libraryWith(t, store.Config{Roots: []string{dir}, Clock: func() time.Time { return tick.Add(time.Millisecond) }}), path)
	write(t, filepath.Join(dir, firstAgent+".jsonl"), messageLine("a1", "user", "Look"))
	sameTick()
	if refresh(t, s, store.Appended); !strings.Contains(shape(s), "a1<") {
		t.Errorf("the subagent is not found:\n%s", shape(s))
	}
}

// A sub-agent is first shown in the session that seems to run. When another session
// records its call, both sessions show so at once.
func TestRefresh_subagentOfTheOtherSession(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home-dev-shop")
	file := func(name string) string { return filepath.Join(dir, name+".jsonl") }
	one, other := file(linearID), file("0bb22222-2222-4222-8222-222222222222")
	write(t, one, timed("10:00:00", messageLine("m1", "user", "hello")))
	write(t, other, timed("10:00:30", messageLine("n1", "user", "hello")))
	lib := library(t, dir)
	a, b := openSession(t, lib, one), openSession(t, lib, other)
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
	write(t, file(firstAgent)) // the call is not recorded yet
	shows("..")
	add(t, file(firstAgent), timed("10:01:00", messageLine("a1", "user", cartPrompt)))
	shows(".x")
	add(t, one, timed("10:00:59", spawnCallLine("m2", cartPrompt)))
	shows("x.")
	if !strings.Contains(shape(a), "a1<m2") {
		t.Errorf("the first session shows\n%s", shape(a))
	}
}
