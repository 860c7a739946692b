package catalog_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/testgen/random"
)

// A list whose data is on disk is the same as one in memory: when it is read, when sessions
// grow, and after the next start.
func TestMoveColdData(t *testing.T) {
	for _, format := range random.Formats {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			moved := 0
			for _, seed := range random.Seeds(3) {
				files := random.Long(format, seed, random.Length{Steps: 100, Sessions: 3}).Files()
				if atOnce := testColdData(t, files, true); atOnce > 0 {
					t.Errorf("%d bytes of sessions that rest were in memory", atOnce)
				}
				moved += testColdData(t, files, false)
				if t.Failed() {
					t.Fatalf("with SEED=%d", seed)
				}
			}
			if moved == 0 {
				t.Error("nothing was moved")
			}
		})
	}
}

// testColdData returns how many bytes MoveColdData moved to disk. If restedBefore is set, the
// sessions rest when they are read, otherwise from then on.
func testColdData(t *testing.T, files map[string]string, restedBefore bool) (moved int) {
	t.Helper()
	dir, cache, rest := t.TempDir(), t.TempDir(), map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, "-p", filepath.FromSlash(name))
		lines := strings.SplitAfter(text, "\n")
		keep := max(1, len(lines)*9/10)
		rest[path] = strings.Join(lines[keep:], "")
		write(t, path, lines[:keep]...)
	}
	paths := slices.Collect(maps.Keys(rest))
	age := func() {
		old := time.Now().Add(-time.Hour)
		for _, path := range paths {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if restedBefore {
		age()
	}
	cold := catalog.New(catalog.Config{Library: library(t, dir), CacheDir: cache})
	fill(t, cold)
	if !restedBefore {
		age()
		cold.UpdatePaths(ctx, paths...)
	}
	wantSameList(t, cold, filled(t, "", dir), "before")
	moved = catalog.MovableBytes(cold)
	if err := cold.MoveColdData(); err != nil {
		t.Fatal(err)
	}
	if in := catalog.MovableBytes(cold); in > 0 {
		t.Errorf("%d bytes are still in memory", in)
	}
	wantSameList(t, cold, filled(t, "", dir), "on disk")
	for path, text := range rest {
		add(t, path, text)
	}
	cold.UpdatePaths(ctx, paths...)
	wantSameList(t, cold, filled(t, "", dir), "grown")
	if err := cold.Save(); err != nil {
		t.Fatal(err)
	}
	next := catalog.New(catalog.Config{Library: library(t, dir), CacheDir: cache})
	fill(t, next)
	wantSameList(t, next, filled(t, "", dir), "after a start")
	if names, _ := filepath.Glob(filepath.Join(cache, ".moved*")); len(names) > 0 {
		t.Errorf("%q have names", names)
	}
	return moved
}

// wantSameList compares what the lists and the records of costs say.
func wantSameList(t *testing.T, got, want *catalog.Catalog, when string) {
	t.Helper()
	if diff := cmp.Diff(describeSpend(want), describeSpend(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}

func describeSpend(c *catalog.Catalog) (rows []string) {
	for _, s := range c.Sessions() {
		row := fmt.Sprintf("%s %d messages, $%.9f, %+v", filepath.Base(s.Path), s.Messages, s.Cost, c.Ledger().Brief(s.Path))
		if own := c.Ledger().Session(s.Path); own != nil {
			row += fmt.Sprintf(" %+v", own.Requests)
		}
		rows = append(rows, row)
	}
	return rows
}
