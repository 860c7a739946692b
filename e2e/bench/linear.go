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

// linearSessions is the number of linear sessions to list, linearMessages their length,
// and longMessages the length of the session to fork.
const (
	linearSessions = 1000
	linearMessages = 40
	longMessages   = 2001
)

// measureLinear measures linear sessions against Wave's own targets: creating a session,
// adding a message, listing, finding the latest.
func (b *benchmark) measureLinear() {
	dir := filepath.Join(b.TempDir(), "projects", "home-dev-shop")
	paths := b.writeLinearSessions(dir)
	long := filepath.Join(b.TempDir(), "ffffffff-0000-4000-8000-000000000000.jsonl")
	if err := os.WriteFile(long, linearSessionText(0, longMessages), 0o644); err != nil {
		b.Fatalf("%v", err)
	}
	for _, synced := range []bool{true, false} {
		b.measureLinearForks(long, synced)
	}
	b.measureLinearLists(dir, paths)
}

// writeLinearSessions writes the sessions.
func (b *benchmark) writeLinearSessions(dir string) (paths []string) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatalf("%v", err)
	}
	for i := range linearSessions {
		path := filepath.Join(dir, fmt.Sprintf("%08x-0000-4000-8000-%012x.jsonl", i, i))
		if err := os.WriteFile(path, linearSessionText(i, linearMessages), 0o644); err != nil {
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

// linearSessionText returns the content of the i-th session.
func linearSessionText(i, messages int) []byte {
	at := time.Date(2026, 3, 2, 10, 0, i, 0, time.UTC)
	var text bytes.Buffer
	fmt.Fprintf(&text, `{"type":"metadata","workdir":"/home/dev/shop","createdAt":%q,"gitBranch":"main"}`+"\n", at.Format(time.RFC3339))
	for m := range messages {
		text.WriteString(linearMessageLine(i, m, at.Add(time.Duration(m)*time.Minute)))
	}
	return text.Bytes()
}

func linearMessageLine(i, m int, at time.Time) string {
	role := []string{"user", "assistant"}[m%2]
	return fmt.Sprintf(`{"timestamp":%q,"id":"msg-%08x-0000-4000-8000-%012x","role":%q,"blocks":[{"type":"text","content":"Message %d of session %d: %s"}]}`+"\n",
		at.Format(time.RFC3339), i, m, role, m, i, bytes.Repeat([]byte("the cart loses its items. "), 8))
}

func (b *benchmark) newLinearLibrary(dir string, synced bool) *store.Library {
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, Unsynced: !synced})
	if err != nil {
		b.Fatalf("%v", err)
	}
	return lib
}

// measureLinearForks measures forks of one message and of all, and the cost of each
// message.
func (b *benchmark) measureLinearForks(path string, synced bool) {
	s, err := b.newLinearLibrary(path, synced).Open(context.Background(), path)
	if err != nil {
		b.Fatalf("%v", err)
	}
	var first, last string
	s.ReadTree(func(t *session.Tree, _ store.Revision) { first, last = t.At(0).ID, t.At(t.Leaf()).ID })
	one, all := b.measureForks(s, first), b.measureForks(s, last)
	name := map[bool]string{true: "with fsync", false: "without fsync"}[synced]
	b.table.addWithTarget("fork of a path of 1 message, "+name, "warm", one, 10*time.Millisecond, "", "")
	each := max(all.median()-one.median(), 0) / (longMessages - 1)
	b.table.addResult(result{what: "each message more, " + name, cache: "warm", measured: fmt.Sprintf("%.3f ms", float64(each)/1e6), target: "< 5.0 ms", missed: each >= 5*time.Millisecond})
}

func (b *benchmark) measureForks(s *store.Session, leaf string) (ts durations) {
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

// measureLinearLists measures the list of all sessions, with the cache of an earlier
// start, and finding the latest session after a new message.
func (b *benchmark) measureLinearLists(dir string, paths []string) {
	cache := b.TempDir()
	ctx := context.Background()
	var fresh, again, latest durations
	for run := range b.runs {
		own := filepath.Join(cache, fmt.Sprint(run))
		_, d := b.measureLinearList(dir, own)
		fresh = append(fresh, d)
		c, d := b.measureLinearList(dir, own)
		again = append(again, d)
		path := paths[(run*37+11)%len(paths)]
		appendText(b, path, linearMessageLine(run, linearMessages, time.Now().Add(time.Duration(run)*time.Hour)))
		began := time.Now()
		c.UpdatePaths(ctx, path)
		if got := c.Sessions()[0].Path; got != path {
			b.Fatalf("the latest session is said to be %s, not %s", got, path)
		}
		latest = append(latest, time.Since(began))
	}
	what := fmt.Sprintf("list of %d sessions of one line", linearSessions)
	b.table.addResult(result{what: what + ", first time", cache: "warm", measured: fresh.formatSpread()})
	b.table.addWithTarget(what, "warm", again, 50*time.Millisecond, "", "")
	b.table.addWithTarget("latest of them, after a message", "warm", latest, 20*time.Millisecond, "", "")
}

// measureLinearList lists all sessions with a new catalog.
func (b *benchmark) measureLinearList(dir, cache string) (*catalog.Catalog, time.Duration) {
	began := time.Now()
	c := catalog.New(catalog.Config{Library: b.newLinearLibrary(dir, true), CacheDir: cache})
	if err := c.Fill(context.Background()); err != nil {
		b.Fatalf("%v", err)
	}
	if n := len(c.Sessions()); n != linearSessions {
		b.Fatalf("%d sessions are listed, not %d", n, linearSessions)
	}
	return c, time.Since(began)
}

// appendText appends a line to a file as an agent does.
func appendText(b *benchmark, path, line string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatalf("%v", err)
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		b.Fatalf("%v", err)
	}
}
