package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// linearSessions is how many files of one line of messages are listed, and
// linearMessages how long each is; longMessages is how long the one is that is
// forked.
const (
	linearSessions = 1000
	linearMessages = 40
	longMessages   = 2001
)

// linear measures sessions that are one line of messages, against the targets that
// Wave set itself: making a session, adding a message, listing, finding the latest.
func (b *bench) linear() {
	dir := filepath.Join(b.TempDir(), "projects", "home-dev-shop")
	paths := b.writeLinear(dir)
	long := filepath.Join(b.TempDir(), "ffffffff-0000-4000-8000-000000000000.jsonl")
	if err := os.WriteFile(long, linearText(0, longMessages), 0o644); err != nil {
		b.Fatalf("%v", err)
	}
	for _, synced := range []bool{true, false} {
		b.linearForks(long, synced)
	}
	b.linearLists(dir, paths)
}

// writeLinear makes the sessions.
func (b *bench) writeLinear(dir string) (paths []string) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatalf("%v", err)
	}
	for i := range linearSessions {
		path := filepath.Join(dir, fmt.Sprintf("%08x-0000-4000-8000-%012x.jsonl", i, i))
		if err := os.WriteFile(path, linearText(i, linearMessages), 0o644); err != nil {
			b.Fatalf("%v", err)
		}
		old := time.Date(2026, 3, 2, 11, 0, i, 0, time.UTC)
		if err := os.Chtimes(path, old, old); err != nil {
			b.Fatalf("%v", err)
		}
		paths = append(paths, path)
	}
	return paths
}

// linearText is the i-th session's file.
func linearText(i, messages int) []byte {
	at := time.Date(2026, 3, 2, 10, 0, i, 0, time.UTC)
	var text bytes.Buffer
	fmt.Fprintf(&text, `{"type":"metadata","workdir":"/home/dev/shop","createdAt":%q,"gitBranch":"main"}`+"\n", at.Format(time.RFC3339))
	for m := range messages {
		text.WriteString(linearLine(i, m, at.Add(time.Duration(m)*time.Minute)))
	}
	return text.Bytes()
}

func linearLine(i, m int, at time.Time) string {
	role := []string{"user", "assistant"}[m%2]
	return fmt.Sprintf(`{"timestamp":%q,"id":"msg-%08x-0000-4000-8000-%012x","role":%q,"blocks":[{"type":"text","content":"Message %d of session %d: %s"}]}`+"\n",
		at.Format(time.RFC3339), i, m, role, m, i, bytes.Repeat([]byte("the cart loses its items. "), 8))
}

func (b *bench) linearLibrary(dir string, synced bool) *store.Library {
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, Unsynced: !synced})
	if err != nil {
		b.Fatalf("%v", err)
	}
	return lib
}

// linearForks measures forks of one message and of all, and what a message costs.
func (b *bench) linearForks(path string, synced bool) {
	s, err := b.linearLibrary(path, synced).Open(context.Background(), path)
	if err != nil {
		b.Fatalf("%v", err)
	}
	var first, last string
	s.Read(func(t *session.Tree, _ store.Rev) { first, last = t.At(0).ID, t.At(t.Leaf()).ID })
	one, all := b.forks(s, first), b.forks(s, last)
	name := map[bool]string{true: "with fsync", false: "without fsync"}[synced]
	b.limit("fork of a path of 1 message, "+name, "warm", one, 10*time.Millisecond, "", "")
	each := max(all.median()-one.median(), 0) / (longMessages - 1)
	b.table.add(result{what: "each message more, " + name, cache: "warm", ours: fmt.Sprintf("%.3f ms", float64(each)/1e6), target: "< 5.0 ms", missed: each >= 5*time.Millisecond})
}

func (b *bench) forks(s *store.Session, leaf string) (ts times) {
	dir := b.TempDir()
	for i := range 10 * b.runs {
		began := time.Now()
		if _, err := s.Fork(context.Background(), leaf, filepath.Join(dir, fmt.Sprint(i, ".jsonl"))); err != nil {
			b.Fatalf("%v", err)
		}
		ts = append(ts, time.Since(began))
	}
	return ts
}

// linearLists measures the list of all sessions, with what an earlier start knew,
// and finding the latest after a message came.
func (b *bench) linearLists(dir string, paths []string) {
	cache := b.TempDir()
	ctx := context.Background()
	var fresh, again, latest times
	for run := range b.runs {
		own := filepath.Join(cache, fmt.Sprint(run))
		_, d := b.linearList(dir, own)
		fresh = append(fresh, d)
		c, d := b.linearList(dir, own)
		again = append(again, d)
		path := paths[(run*37+11)%len(paths)]
		b.append(path, linearLine(run, linearMessages, time.Now().Add(time.Duration(run)*time.Hour)))
		began := time.Now()
		c.Touch(ctx, path)
		if got := c.Sessions()[0].Path; got != path {
			b.Fatalf("the latest session is said to be %s, not %s", got, path)
		}
		latest = append(latest, time.Since(began))
	}
	what := fmt.Sprintf("list of %d sessions of one line", linearSessions)
	b.table.add(result{what: what + ", first time", cache: "warm", ours: fresh.spread()})
	b.limit(what, "warm", again, 50*time.Millisecond, "", "")
	b.limit("latest of them, after a message", "warm", latest, 20*time.Millisecond, "", "")
}

// linearList lists all sessions as a program does that has just started.
func (b *bench) linearList(dir, cache string) (*catalog.Catalog, time.Duration) {
	began := time.Now()
	c := catalog.New(catalog.Config{Library: b.linearLibrary(dir, true), CacheDir: cache})
	if err := c.Fill(context.Background()); err != nil {
		b.Fatalf("%v", err)
	}
	if n := len(c.Sessions()); n != linearSessions {
		b.Fatalf("%d sessions are listed, not %d", n, linearSessions)
	}
	return c, time.Since(began)
}

// append adds a line to a file as an agent does.
func (b *bench) append(path, line string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatalf("%v", err)
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		b.Fatalf("%v", err)
	}
}
