package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"sessiontree/internal/session"
	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

// header returns the header of session id, started at 03:00.
func header(id string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-01-02T03:00:00.000Z","cwd":"/home/dev/p"}`+"\n", id)
}

// line returns a recorded entry at minute m after 03:00.
func line(kind, id, parent string, m int, fields string) string {
	up := "null"
	if parent != "" {
		up = fmt.Sprintf("%q", parent)
	}
	return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,"timestamp":%q%s}`+"\n", kind, id, up, at(m).Format("2006-01-02T15:04:05.000Z"), fields)
}

func user(id, parent string, m int, text string) string {
	return line("message", id, parent, m, fmt.Sprintf(`,"message":{"role":"user","content":%q}`, text))
}

func answer(id, parent string, m int, cost float64) string {
	return line("message", id, parent, m, fmt.Sprintf(`,"message":{"role":"assistant","content":[{"type":"text","text":"x"}],"provider":"p","model":"m-1","usage":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":2,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":%g}},"stopReason":"stop","timestamp":%d}`, cost, at(m).UnixMilli()+500))
}

func label(id, parent, target string, m int, text string) string {
	return line("label", id, parent, m, fmt.Sprintf(`,"targetId":%q,"label":%q`, target, text))
}

func at(m int) time.Time { return time.Date(2026, 1, 2, 3, m, 0, 0, time.UTC) }

func write(t testing.TB, path string, lines ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func add(t testing.TB, path string, lines ...string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(strings.Join(lines, ""))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func library(t testing.TB, roots ...string) *store.Library {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: roots, FollowLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// filled returns a catalog of roots after Fill.
func filled(t testing.TB, cacheDir string, roots ...string) *catalog.Catalog {
	t.Helper()
	c := catalog.New(catalog.Config{Library: library(t, roots...), CacheDir: cacheDir})
	fill(t, c)
	return c
}

func fill(t testing.TB, c *catalog.Catalog) {
	t.Helper()
	if err := c.Fill(ctx); err != nil {
		t.Fatal(err)
	}
	p := c.Progress()
	if !p.Complete || p.BytesScanned+p.BytesFromCache != p.BytesPresent {
		t.Fatalf("progress %+v does not add up", p)
	}
}

// paths returns the paths of the sessions in order, relative to dir.
func paths(c *catalog.Catalog, dir string) string {
	var out []string
	for _, s := range c.Sessions() {
		rel, _ := filepath.Rel(dir, s.Path)
		out = append(out, filepath.ToSlash(rel))
	}
	return strings.Join(out, " ")
}

func TestSummary(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "--home-dev-p--", "a.jsonl")
	write(t, path, header("s1"),
		line("model_change", "m1", "", 1, `,"provider":"p","modelId":"m-0"`),
		line("message", "u1", "m1", 2, `,"message":{"role":"user","content":[{"type":"text","text":"  first"},{"type":"text","text":"prompt\n"}],"timestamp":5}`),
		answer("a1", "u1", 3, 0.25),
		user("u2", "a1", 4, "second"), answer("a2", "u2", 5, 0.5),
		label("l0", "a2", "u1", 6, "start"), label("l1", "l0", "u2", 6, "gone"), label("l2", "l1", "u2", 6, ""),
		user("u3", "a1", 7, "other branch"), answer("a3", "u3", 8, 0.125),
		line("session_info", "n1", "a3", 9, `,"name":" The name "`),
		"bad\n",
	)
	c := filled(t, "", dir)
	got := c.Sessions()
	if len(got) != 1 {
		t.Fatalf("%d sessions", len(got))
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	want := catalog.Summary{
		Activity: &activity.Track{
			Began: at(7).UnixMilli(), Changed: at(8).UnixMilli(), Prompt: "other branch",
			Answer: session.Span{Off: 1776, Len: 377, Line: 11}, Said: activity.Said{Text: "x"},
		},
		Key: store.DeriveKey("pi", "s1", path), Format: "pi", Path: path, Root: dir, ID: "s1", Cwd: "/home/dev/p", Name: "The name",
		FirstMessage: "first prompt", Messages: 6, Entries: 11, Branches: 1, Labels: 1, LabelTexts: []string{"start"}, Leaf: "n1",
		Created: at(0).Local(), Modified: at(8).Add(500 * time.Millisecond).Local(), FileTime: info.ModTime(), AgentWrote: info.ModTime(),
		Model: "m-1", Cost: 0.875, Size: info.Size(), Notes: 1,
		Shape: []catalog.Lane{{From: -1, X1: 1000}, {From: 0, Lane: 1, X0: 200, X1: 700}},
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestSessions_NewestFirst(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p", "old.jsonl"), header("1"), user("u", "", 1, "x"))
	write(t, filepath.Join(dir, "p", "new.jsonl"), header("2"), user("u", "", 9, "x"))
	write(t, filepath.Join(dir, "q", "middle.jsonl"), header("3"), user("u", "", 5, "x"))
	write(t, filepath.Join(dir, "q", "empty.jsonl"), header("4"))
	c := filled(t, "", dir)
	if got := paths(c, dir); got != "p/new.jsonl q/middle.jsonl p/old.jsonl q/empty.jsonl" {
		t.Errorf("order %s", got)
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "good.jsonl"), header("1"))
	write(t, filepath.Join(dir, "zero.jsonl"))
	write(t, filepath.Join(dir, "other.jsonl"), "{\"type\":\"other\"}\n")
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link.jsonl")); err != nil {
		t.Skip(err)
	}
	c := filled(t, "", dir)
	want := []catalog.Unreadable{
		{Path: filepath.Join(dir, "link.jsonl"), Reason: "broken link: no such file or directory"},
		{Path: filepath.Join(dir, "other.jsonl"), Reason: "not a session file: no session header in the first line"},
		{Path: filepath.Join(dir, "zero.jsonl"), Reason: "the file is empty: not a session file"},
	}
	if diff := cmp.Diff(want, c.Unreadable()); diff != "" {
		t.Errorf("unreadable (-want +got):\n%s", diff)
	}
	write(t, filepath.Join(dir, "zero.jsonl"), header("2"))
	c.UpdatePaths(ctx, filepath.Join(dir, "zero.jsonl"))
	if len(c.Sessions()) != 2 || len(c.Unreadable()) != 2 {
		t.Errorf("%d sessions, unreadable %v", len(c.Sessions()), c.Unreadable())
	}
}

func TestFind(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	a, b := filepath.Join(dir, "p", "a.jsonl"), filepath.Join(dir, "q", "b.jsonl")
	write(t, a, header("same"), user("u1", "", 1, "one"))
	write(t, b, header("same"), user("u1", "", 2, "two")) // a copy has the same id
	c := filled(t, cache, dir)
	keyA, keyB := store.DeriveKey("pi", "same", a), store.DeriveKey("pi", "same", b)
	find := func(c *catalog.Catalog, key, path string) {
		t.Helper()
		if s, ok := c.FindByKey(key); !ok || s.Path != path {
			t.Errorf("Find(%s) = %q %v, want %q", key, s.Path, ok, path)
		}
	}
	find(c, keyA, a)
	find(c, keyB, b)
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(ctx, b)
	find(c, keyB, a) // the remaining one with its id

	moved := filepath.Join(dir, "r", "moved.jsonl")
	if err := errors.Join(os.Mkdir(filepath.Dir(moved), 0o755), os.Rename(a, moved)); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(ctx, filepath.Dir(moved))
	c.UpdatePaths(ctx, a)
	find(c, keyA, moved)
	find(c, keyB, moved)
	fill(t, c)
	again := filled(t, cache, dir) // the next run knows the old keys
	find(again, keyA, moved)
	if _, ok := again.FindByKey("0000000000000000"); ok {
		t.Error("found a session that never was")
	}
}

func TestUpdatePaths_DirectoriesAndLinks(t *testing.T) {
	dir := t.TempDir()
	root, other := filepath.Join(dir, "root"), filepath.Join(dir, "other")
	write(t, filepath.Join(root, "p", "a.jsonl"), header("1"))
	write(t, filepath.Join(other, "o.jsonl"), header("2"))
	c := filled(t, "", root)
	check := func(step, want string) {
		t.Helper()
		if got := paths(c, dir); got != want {
			t.Errorf("%s: %q, want %q", step, got, want)
		}
	}
	write(t, filepath.Join(root, "q", "deep", "b.jsonl"), header("3"), user("u", "", 1, "x"))
	c.UpdatePaths(ctx, filepath.Join(root, "q"))
	check("new directory", "root/q/deep/b.jsonl root/p/a.jsonl")
	if err := os.RemoveAll(filepath.Join(root, "p")); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(ctx, filepath.Join(root, "p"))
	check("removed directory", "root/q/deep/b.jsonl")
	link := filepath.Join(root, "linked")
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	c.UpdatePaths(ctx, link)
	check("new link", "root/q/deep/b.jsonl other/o.jsonl")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(ctx, link)
	check("removed link", "root/q/deep/b.jsonl")
	c.UpdatePaths(ctx, dir) // outside the roots
	check("outside", "root/q/deep/b.jsonl")
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(ctx, root)
	check("removed root", "")
	write(t, filepath.Join(root, "p", "a.jsonl"), header("1"))
	c.UpdatePaths(ctx, root)
	check("root made again", "root/p/a.jsonl")
}

func TestChanged_IsCoalesced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.jsonl")
		var notified atomic.Int64
		c := catalog.New(catalog.Config{Library: library(t, dir), OnChange: func() { notified.Add(1) }})
		check := func(after string, want int64) {
			t.Helper()
			synctest.Wait()
			if n := notified.Load(); n != want {
				t.Errorf("%s: %d notifications, want %d", after, n, want)
			}
		}
		write(t, path, header("1"), user("u0", "", 1, "x"))
		c.UpdatePaths(ctx, path)
		check("the first change", 1)
		const changes = 100
		for n := range changes {
			add(t, path, user(fmt.Sprintf("u%d", n+1), fmt.Sprintf("u%d", n), 1, "x"))
			c.UpdatePaths(ctx, path)
		}
		check("many changes at once", 1)
		time.Sleep(time.Second)
		check("a second later", 2)
		c.UpdatePaths(ctx, path)
		time.Sleep(time.Second)
		check("an update without a change", 2)
		if c.Sessions()[0].Entries != changes+1 {
			t.Errorf("%d entries", c.Sessions()[0].Entries)
		}
	})
}

func TestFill_WhileFilesChange(t *testing.T) {
	dir := t.TempDir()
	const files = 60
	path := func(n int) string { return filepath.Join(dir, fmt.Sprint(n%7), fmt.Sprintf("%d.jsonl", n)) }
	for n := range files {
		write(t, path(n), header(fmt.Sprint(n)), user("u0", "", 1, "x"))
	}
	c := catalog.New(catalog.Config{Library: library(t, dir), CacheDir: t.TempDir()})
	var g sync.WaitGroup
	g.Go(func() {
		for range 3 {
			if err := c.Fill(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	for part := range 2 {
		g.Go(func() {
			for n := part; n < files; n += 2 {
				add(t, path(n), user("u1", "u0", 2, "y"))
				c.UpdatePaths(ctx, path(n))
			}
		})
	}
	g.Go(func() {
		for range 200 {
			for _, s := range c.Sessions() {
				c.FindByKey(s.Key)
			}
			c.Progress()
			c.Unreadable()
		}
	})
	g.Wait()
	fill(t, c)
	for _, s := range c.Sessions() {
		if s.Entries != 2 || s.Leaf != "u1" {
			t.Errorf("%s: %d entries, leaf %s", s.Path, s.Entries, s.Leaf)
		}
	}
	if n := len(c.Sessions()); n != files {
		t.Errorf("%d sessions", n)
	}
}

func TestFill_ItsContextEndsIt(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), header("1"))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	c := catalog.New(catalog.Config{Library: library(t, dir)})
	if err := c.Fill(cancelled); !errors.Is(err, context.Canceled) || c.Progress().Complete {
		t.Errorf("Fill = %v, %+v", err, c.Progress())
	}
}
