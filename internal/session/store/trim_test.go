package store_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/store"
)

// Unused sessions are evicted; one in use stays the same.
func TestTrimMemory(t *testing.T) {
	root := t.TempDir()
	lib := library(t, root)
	open := func(i int) string {
		path := filepath.Join(root, fmt.Sprintf("%d.jsonl", i))
		write(t, path, header, user("u1", "", "words"))
		return path
	}
	held, err := lib.Open(ctx, open(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if _, err := lib.Open(ctx, open(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	lib.TrimMemory(0)
	waitForOpenSessions(t, lib, 1) // the one that is held
	if again, err := lib.Open(ctx, held.Path()); err != nil || again != held {
		t.Errorf("Open of the held session = %p, %v, want %p", again, err, held)
	}
}

// The files of agents count with their session, those read at first and what came
// later: a session is let go of by all that it takes.
func TestTrim_Agents(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, later int // lines of the agent
	}{{"read at first", 50, 1}, {"come later", 1, 50}} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			main, agent := p.path("s1.jsonl"), p.path("s1/subagents/agent-a1.jsonl")
			write(t, main, recordedLines("s1", "", "u01 - hello", "a02 u01 hello"))
			all := []string{"x03 - look"}
			for i := 4; len(all) < c.before+c.later; i++ {
				all = append(all, fmt.Sprintf("a%02d %s%02d %s", i, all[i-4][:1], i-1, strings.Repeat("seen ", 20)))
			}
			write(t, agent, agentLines("s1", "a1", all[:c.before]...))
			if _, err := p.lib.Open(ctx, main); err != nil {
				t.Fatal(err)
			}
			add(t, agent, agentLines("s1", "a1", all[c.before:]...))
			for range 2 { // the second time knows what the first found
				if _, err := p.lib.Open(ctx, main); err != nil {
					t.Fatal(err)
				}
			}
			p.lib.TrimMemory(10 << 10)
			waitForOpenSessions(t, p.lib, 0)
		})
	}
}

// waitForOpenSessions collects garbage until n sessions are open.
func waitForOpenSessions(t *testing.T, lib *store.Library, n int) {
	t.Helper()
	for late := time.Now().Add(time.Minute); ; runtime.GC() {
		open := len(lib.OpenSessions())
		if open == n {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("%d sessions are open, want %d", open, n)
		}
	}
}
