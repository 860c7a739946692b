package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session/catalog"
)

// TestUpdatePaths_IsAFreshFill changes sessions in every way. A catalog that followed
// must equal a new one, and one that starts with the cache of an earlier state.
func TestUpdatePaths_IsAFreshFill(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		cache, err := os.MkdirTemp(dir, "cache")
		if err != nil {
			r.Fatal(err)
		}
		path := filepath.Join(dir, "sessions", "a.jsonl")
		g := &growing{lines: []string{header("s1")}}
		write(t, path, g.lines[0])
		c := filled(t, cache, filepath.Dir(path))
		lib := library(t, filepath.Dir(path))
		viewed := catalog.New(catalog.Config{Library: lib}) // with open sessions
		if _, err := lib.Open(ctx, path); err != nil {
			r.Fatal(err)
		}
		for range rapid.IntRange(1, 20).Draw(r, "steps") {
			switch rapid.IntRange(0, 9).Draw(r, "step") {
			case 0:
				g.lines = g.lines[:rapid.IntRange(1, len(g.lines)).Draw(r, "keep")]
				write(t, path, g.lines...)
			case 1:
				add(t, path, `{"type":"torn`)
				c.UpdatePaths(ctx, path)
				write(t, path, g.lines...)
			default:
				line := g.entry(r)
				add(t, path, line)
				g.lines = append(g.lines, line)
			}
			c.UpdatePaths(ctx, path)
			viewed.UpdatePaths(ctx, path)
			want := filled(t, "", filepath.Dir(path)).Sessions()
			for name, c := range map[string]*catalog.Catalog{"followed": c, "open": viewed, "cached": filled(t, cache, filepath.Dir(path))} {
				if diff := cmp.Diff(want, c.Sessions()); diff != "" {
					r.Fatalf("%s (-fresh +%s):\n%s\n%s", name, name, diff, strings.Join(g.lines, ""))
				}
			}
		}
	})
}

// growing is a session to which entries are added.
type growing struct {
	lines []string
	next  int
}

func (g *growing) entry(r *rapid.T) string {
	g.next++
	id, parent := fmt.Sprintf("e%d", g.next), ""
	switch n := rapid.IntRange(0, 9).Draw(r, "parent"); {
	case g.next > 1 && n > 2: // mostly the last entry
		parent = fmt.Sprintf("e%d", g.next-1)
	case n > 0:
		parent = fmt.Sprintf("e%d", rapid.IntRange(1, g.next+1).Draw(r, "other"))
	}
	minute := rapid.IntRange(0, 59).Draw(r, "minute")
	target := fmt.Sprintf("e%d", rapid.IntRange(1, g.next+1).Draw(r, "target"))
	switch rapid.IntRange(0, 13).Draw(r, "kind") {
	case 10:
		return line("branch_summary", id, parent, minute, `,"fromId":"e1","summary":"s"`)
	case 11: // a repeated id, on its own path
		g.next--
		return user(fmt.Sprintf("e%d", rapid.IntRange(1, g.next+1).Draw(r, "again")), "", minute, "again")
	case 0:
		return label(id, parent, target, minute, rapid.SampledFrom([]string{"", "x"}).Draw(r, "label"))
	case 1:
		return line("custom", id, parent, minute, `,"customType":"c"`)
	case 2:
		return line("model_change", id, parent, minute, `,"provider":"p","modelId":"m-2"`)
	case 3:
		return line("session_info", id, parent, minute, `,"name":"n"`)
	case 4:
		g.next--
		return "bad line\n"
	case 5, 6:
		return answer(id, parent, minute, 0.125)
	case 12:
		return calling(id, parent, minute, "c"+id, rapid.SampledFrom([]string{"edit", "bash", "ask", "write"}).Draw(r, "tool"), fmt.Sprintf(`{"path":"f%d"}`, g.next%3))
	case 13:
		return result(id, parent, minute, "ce"+fmt.Sprint(g.next-1), rapid.SampledFrom([]string{"", `,"details":{"diff":"+1 x\n-2 y"}`, `,"isError":true`}).Draw(r, "result"))
	case 7:
		return line("compaction", id, parent, minute, `,"summary":"s","firstKeptEntryId":"e1","tokensBefore":5`)
	}
	return user(id, parent, minute, rapid.SampledFrom([]string{"hello", "  "}).Draw(r, "text"))
}

func TestFill_SecondStart(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	for n := range 20 {
		write(t, filepath.Join(dir, "p", fmt.Sprintf("%d.jsonl", n)), header(fmt.Sprint(n)), user("u", "", n, "x"), answer("a", "u", n, 1))
	}
	first := filled(t, cache, dir)
	if p := first.Progress(); p.BytesFromCache != 0 || p.Files != 20 {
		t.Errorf("first start: %+v", p)
	}
	second := filled(t, cache, dir)
	if p := second.Progress(); p.BytesScanned != 0 {
		t.Errorf("second start: %+v", p)
	}
	if diff := cmp.Diff(first.Sessions(), second.Sessions()); diff != "" {
		t.Error(diff)
	}

	more := user("u2", "a", 30, "more")
	add(t, filepath.Join(dir, "p", "3.jsonl"), more)
	write(t, filepath.Join(dir, "p", "4.jsonl"), header("4"))
	if err := os.Remove(filepath.Join(dir, "p", "5.jsonl")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "p", "new.jsonl"), header("new"))
	third := filled(t, cache, dir)
	if p, read := third.Progress(), int64(len(more)+len(header("4"))+len(header("new"))); p.BytesScanned != read || p.Files != 20 {
		t.Errorf("third start: %+v, want %d bytes scanned", p, read)
	}
	if diff := cmp.Diff(filled(t, "", dir).Sessions(), third.Sessions()); diff != "" {
		t.Error(diff)
	}
}

// TestFill_GrowthOfADamagedFile appends to damaged sessions. No more than the appended
// lines may be read.
func TestFill_GrowthOfADamagedFile(t *testing.T) {
	long := strings.Repeat("long ", 20_000)
	for name, lines := range map[string][]string{
		"orphan":            {user("u", "missing", 1, long), answer("a", "u", 2, 1)},
		"label of nothing":  {user("u", "", 1, long), label("a", "u", "missing", 2, "x"), answer("a", "u", 2, 1)},
		"cycle":             {user("x", "y", 1, long), user("y", "x", 1, "y"), user("u", "y", 1, "u"), answer("a", "u", 2, 1)},
		"its own parent":    {user("u", "u", 1, long), answer("a", "u", 2, 1)},
		"repeated id":       {user("u", "", 1, long), user("u", "", 1, "again"), answer("a", "u", 2, 1)},
		"dead end":          {user("u", "", 1, long), answer("b", "u", 50, 1), answer("a", "u", 2, 1)},
		"newer elsewhere":   {user("u", "", 1, long), answer("b", "u", 4, 1), answer("a", "u", 2, 1)},
		"many of all kinds": damaged(300),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.jsonl")
			write(t, path, append([]string{header("1")}, lines...)...)
			c := filled(t, "", dir)
			leaf := "a"
			for n := range 5 {
				next := fmt.Sprintf("n%d", n)
				more := user(next, leaf, n+1, "more") + answer(next+"a", next, n+2, 1)
				add(t, path, more)
				fill(t, c)
				if p := c.Progress(); p.BytesScanned != int64(len(more)) {
					t.Fatalf("%d bytes were added and %d read", len(more), p.BytesScanned)
				}
				if diff := cmp.Diff(filled(t, "", dir).Sessions(), c.Sessions()); diff != "" {
					t.Fatal(diff)
				}
				leaf = next + "a"
			}
		})
	}
}

// damaged returns a session of n roots with missing parents, repeated ids and cycles;
// it continues from entry a.
func damaged(n int) (lines []string) {
	for i := range n {
		orphan, twice, cycle := fmt.Sprintf("o%d", i), fmt.Sprintf("t%d", i), fmt.Sprintf("c%d", i)
		lines = append(lines, user(orphan, "missing-"+orphan, i%60, "o"), user(twice, "", 1, "t"), user(twice, orphan, 1, "t"), user(cycle, cycle, 1, "c"))
	}
	return append(lines, user("u", "", 1, "u"), answer("a", "u", 2, 1))
}

// TestUpdatePaths_AwaitedIDs adds the missing entries of a damaged session.
func TestUpdatePaths_AwaitedIDs(t *testing.T) {
	for name, lines := range map[string][2]string{
		"parent":          {user("o", "late", 1, "o") + user("u", "", 2, "u"), user("late", "u", 3, "late")},
		"label's target":  {user("u", "", 1, "u") + label("l", "u", "late", 2, "x"), user("late", "l", 3, "late")},
		"the id again":    {user("t", "", 1, "t") + user("t", "", 1, "t") + user("u", "", 2, "u"), user("t", "u", 3, "t")},
		"below a parent":  {user("kid", "u", 1, "k") + user("u", "", 2, "u"), user("n", "u", 3, "n")},
		"dead end ends":   {user("u", "", 1, "u") + answer("b", "u", 9, 1) + answer("a", "u", 2, 1), user("n", "a", 10, "n")},
		"dead end begins": {user("u", "", 1, "u") + answer("b", "u", 9, 1) + line("branch_summary", "s", "u", 2, `,"fromId":"b","summary":"s"`), user("n", "s", 3, "n")},
		"branch on purpose": {user("u", "", 1, "u") + answer("b", "u", 9, 1) + answer("a", "u", 2, 1),
			line("branch_summary", "s", "a", 3, `,"fromId":"b","summary":"s"`)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.jsonl")
			write(t, path, header("1"), lines[0])
			c := filled(t, "", dir)
			add(t, path, lines[1])
			c.UpdatePaths(ctx, path)
			if diff := cmp.Diff(filled(t, "", dir).Sessions(), c.Sessions()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSave(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, header("1"), user("u", "", 1, "x"))
	c := filled(t, cache, dir)
	add(t, path, answer("a", "u", 2, 1))
	c.UpdatePaths(ctx, path)
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	next := catalog.New(catalog.Config{Library: library(t, dir), CacheDir: cache})
	next.UpdatePaths(ctx, path)
	if err := next.Save(); err != nil { // ended before it was filled
		t.Fatal(err)
	}
	again := filled(t, cache, dir)
	if p := again.Progress(); p.BytesScanned != 0 {
		t.Errorf("%+v: what was learned after Fill is read again", p)
	}
	if diff := cmp.Diff(c.Sessions(), again.Sessions()); diff != "" {
		t.Error(diff)
	}
	write(t, filepath.Join(cache, "file"))
	lost := catalog.New(catalog.Config{Library: library(t, dir), CacheDir: filepath.Join(cache, "file", "x")})
	_ = lost.Fill(ctx)
	add(t, path, user("u2", "a", 3, "y"))
	lost.UpdatePaths(ctx, path)
	if err := lost.Save(); err == nil || !strings.Contains(err.Error(), "cache") {
		t.Errorf("Save = %v", err)
	}
}

func TestFill_OtherRootsKeepTheirCache(t *testing.T) {
	one, two, cache := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(one, "a.jsonl"), header("1"))
	write(t, filepath.Join(two, "b.jsonl"), header("2"))
	filled(t, cache, one)
	filled(t, cache, two)
	if p := filled(t, cache, one, two).Progress(); p.BytesScanned != 0 {
		t.Errorf("%+v", p)
	}
}

func TestFill_CacheThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), header("1"), user("u", "", 1, "x"))
	for name, spoil := range map[string]func(file string) error{
		"empty":        func(file string) error { return os.Truncate(file, 0) },
		"cut":          func(file string) error { return os.Truncate(file, 40) },
		"a bit":        func(file string) error { return flip(file, 60) },
		"its checksum": func(file string) error { return flip(file, 3) },
		"garbage":      func(file string) error { return os.WriteFile(file, []byte(strings.Repeat("x", 500)), 0o600) },
		"no file":      func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file+".x", 0o700)) },
	} {
		cache := filepath.Join(t.TempDir(), "made", "when needed")
		filled(t, cache, dir)
		files, err := filepath.Glob(filepath.Join(cache, "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("cache files %v, %v", files, err)
		}
		if err := spoil(files[0]); err != nil {
			t.Fatal(err)
		}
		c := filled(t, cache, dir)
		if p := c.Progress(); p.BytesFromCache != 0 || len(c.Sessions()) != 1 {
			t.Errorf("%s: %+v, %d sessions", name, p, len(c.Sessions()))
		}
		if p := filled(t, cache, dir).Progress(); p.BytesScanned != 0 {
			t.Errorf("%s: the cache was not made anew: %+v", name, p)
		}
	}
}

func flip(file string, i int) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	data[i] ^= 1
	return os.WriteFile(file, data, 0o600)
}

func TestFill_CacheDirectoryThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), header("1"))
	c := catalog.New(catalog.Config{Library: library(t, dir), CacheDir: filepath.Join(dir, "a.jsonl", "x")})
	if err := c.Fill(ctx); err == nil || !strings.Contains(err.Error(), "cache") {
		t.Errorf("Fill = %v", err)
	}
	if len(c.Sessions()) != 1 || !c.Progress().Complete {
		t.Error("the list is not complete")
	}
}
