package static_test

import (
	"crypto/sha512"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The checksum list next to the vendored files proves that they are unmodified.
func TestVendored(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("vendor/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("vendor/idiomorph*")
	if err != nil || len(files) != 2 {
		t.Fatalf("found %q, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(data)
		if !strings.Contains(string(list), hex.EncodeToString(sum[:])) {
			t.Errorf("%s differs from what vendor/README.md lists", file)
		}
	}
}

// All imported modules must exist: a missing one breaks all others.
func TestModules(t *testing.T) {
	t.Parallel()
	files, count := os.DirFS("."), 0
	err := fs.WalkDir(files, "js", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		count++
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		for _, imported := range moduleImports(string(data)) {
			if _, err := fs.Stat(files, path.Join(path.Dir(name), imported)); err != nil {
				t.Errorf("%s imports %s: %v", name, imported, err)
			}
		}
		return nil
	})
	if err != nil || count < 10 {
		t.Fatalf("found %d modules, %v", count, err)
	}
}

// moduleImports returns the relative paths that a script imports, also in types of comments.
func moduleImports(script string) []string {
	var imports []string
	for _, match := range regexp.MustCompile(`(?:from |import\()'(\.[^']+)'`).FindAllStringSubmatch(script, -1) {
		imports = append(imports, match[1])
	}
	return imports
}
