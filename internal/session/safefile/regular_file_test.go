package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadRegular(path, 5); err != nil || string(text) != "12345" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := ReadRegular(path, 4); err == nil || err.Error() != path+": it is longer than 4 bytes: invalid" {
		t.Errorf("of a file that is too long: %v", err)
	}
	if _, err := ReadRegular(dir, 5); !errors.Is(err, ErrNotRegular) || !strings.HasSuffix(err.Error(), ": it is not a regular file") {
		t.Errorf("of a directory: %v", err)
	}
}
