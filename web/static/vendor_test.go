package static_test

import (
	"crypto/sha512"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The checksum list next to the vendored files proves that they are unmodified.
func TestVendored(t *testing.T) {
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
	files, err := filepath.Glob("js/*.js")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d modules, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			_, from, ok := strings.Cut(line, "from '")
			if !ok || !strings.HasPrefix(line, "import ") {
				continue
			}
			name, _, _ := strings.Cut(from, "'")
			if _, err := os.Stat(filepath.Join("js", name)); err != nil {
				t.Errorf("%s imports %s: %v", file, name, err)
			}
		}
	}
}
