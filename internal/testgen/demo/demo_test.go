package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The committed sessions in internal/cli/serve/demo match the output of this program. Run "go
// generate ./internal/testgen/demo" after a change.
func TestCommittedSamples(t *testing.T) {
	total := 0
	for _, s := range allSamples() {
		total += len(s.data)
		got, err := os.ReadFile(filepath.Join("../../../internal/cli/serve/demo", filepath.FromSlash(s.path)))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, s.data) {
			t.Errorf("%s differs from what the generator writes", s.path)
		}
	}
	if total > 600_000 {
		t.Errorf("%d bytes of samples in the program, want at most 600,000", total)
	}
}

func TestTitleSlot(t *testing.T) {
	if got := len(titleSlot("A title", newestDay)) + 1; got != 256 {
		t.Errorf("title line of %d bytes, want 256", got)
	}
}
