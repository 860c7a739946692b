package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/catalog"
)

// many writes n sessions of some 440 KB and returns their directory.
func many(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	code := strings.Repeat("if err != nil {\n\t\treturn fmt.Errorf(\"open %s: %w\", path, err)\n\t}\n", 30)
	lines := []string{""}
	for i := range 200 {
		parent := ""
		if i > 0 {
			parent = fmt.Sprintf("%08x", i-1)
		}
		lines = append(lines, user(fmt.Sprintf("%08x", i), parent, i%60, code[:1200+i%7*90]))
	}
	for i := range n {
		lines[0] = header(fmt.Sprint(i))
		write(b, filepath.Join(dir, fmt.Sprintf("project-%d", i%25), fmt.Sprintf("%d.jsonl", i)), lines...)
	}
	return dir
}

// BenchmarkFill lists 1,000 sessions of 440 KB with a warm page cache: on the first
// start, and later from the catalog's cache.
func BenchmarkFill(b *testing.B) {
	dir, cache := many(b, 1000), b.TempDir()
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			c := filled(b, "", dir)
			b.SetBytes(c.Progress().BytesPresent)
		}
	})
	filled(b, cache, dir)
	b.Run("cached", func(b *testing.B) {
		for b.Loop() {
			c := filled(b, cache, dir)
			b.SetBytes(c.Progress().BytesPresent)
		}
	})
}

// BenchmarkFill_Agents lists a directory of Wave with as many sub-agents as sessions that were
// all just written: the cost for each file must not depend on their number.
func BenchmarkFill_Agents(b *testing.B) {
	message := func(id, role, text string) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:01.000Z","id":%q,"role":%q,"blocks":[{"type":"text","content":%q}]}`+"\n", id, role, text)
	}
	for _, n := range []int{200, 1600} {
		b.Run(fmt.Sprintf("files=%d", 2*n), func(b *testing.B) {
			dir := b.TempDir()
			for i := range n {
				write(b, filepath.Join(dir, fmt.Sprintf("0aa11111-1111-4111-8111-%012d.jsonl", i)), message("m", "user", "hello"))
				write(b, filepath.Join(dir, fmt.Sprintf("subagent-0bb11111-1111-4111-8111-%012d.jsonl", i)), message("a", "user", "look"))
			}
			for b.Loop() {
				filled(b, "", dir)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(2*n), "µs/file")
		})
	}
}

// BenchmarkUpdatePaths updates one session among 1,000, small or large, after an
// appended line: the cost must not depend on the size of the file.
func BenchmarkUpdatePaths(b *testing.B) {
	for _, mb := range []int{1, 100} {
		b.Run(fmt.Sprintf("MB=%d", mb), func(b *testing.B) {
			dir := many(b, 100)
			path := filepath.Join(dir, "project-0", "0.jsonl")
			text, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			lines := strings.SplitAfter(string(text), "\n")[1:]
			grown := []string{header("large")}
			for n := range mb * 1_000_000 / len(text) { // the same lines with other ids
				for i, line := range lines {
					if line != "" {
						id, up := fmt.Sprintf("%d-%d", n, i), fmt.Sprintf("%d-%d", n, i-1)
						if i == 0 {
							up = fmt.Sprintf("%d-%d", n-1, len(lines)-2)
						}
						line = strings.Replace(line, fmt.Sprintf(`"id":"%08x"`, i), `"id":"`+id+`"`, 1)
						line = strings.Replace(line, fmt.Sprintf(`"parentId":"%08x"`, i-1), `"parentId":"`+up+`"`, 1)
						grown = append(grown, line)
					}
				}
			}
			write(b, path, grown...)
			c := catalog.New(catalog.Config{Library: library(b, dir)})
			if err := c.Fill(ctx); err != nil {
				b.Fatal(err)
			}
			sum, _ := c.FindByKey(keyOf(c, path))
			n, last := 0, sum.Leaf
			for b.Loop() {
				n++
				id := fmt.Sprintf("new%d", n)
				add(b, path, user(id, last, 59, "one more"))
				c.UpdatePaths(ctx, path)
				last = id
			}
			if now, _ := c.FindByKey(sum.Key); now.Entries != sum.Entries+n {
				b.Fatalf("%d entries, want %d", now.Entries, sum.Entries+n)
			}
		})
	}
}

func keyOf(c *catalog.Catalog, path string) string {
	for _, s := range c.Sessions() {
		if s.Path == path {
			return s.Key
		}
	}
	return ""
}
