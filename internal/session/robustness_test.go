package session_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The table of attacks and faults names tests that exist, each row at least one.
func TestRobustness_namesTests(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../../docs/robustness.md")
	if err != nil {
		t.Fatal(err)
	}
	known, function := map[string]bool{}, regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, f := range function.FindAllSubmatch(text, -1) {
			known[string(f[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	name, rows := regexp.MustCompile("`(Test\\w+)`"), 0
	for row := range strings.Lines(string(table)) {
		names := name.FindAllStringSubmatch(row, -1)
		if !strings.HasPrefix(row, "| ") || strings.Contains(row, "| test |") {
			continue
		}
		if rows++; len(names) == 0 {
			t.Errorf("no test shows %s", row)
		}
		for _, n := range names {
			if !known[n[1]] {
				t.Errorf("there is no %s, of %s", n[1], row)
			}
		}
	}
	if rows == 0 {
		t.Error("the table has no rows")
	}
}
