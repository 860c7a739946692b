package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An interrupted verb reports it and exits with the usual status.
func TestRun_Interrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, bad bytes.Buffer
	if status := runCommandLine(ctx, []string{"tree", writeLongSession(t)}, &out, &bad); status != statusInterrupted || bad.String() != "explorer: interrupted\n" {
		t.Errorf("status %d, %q", status, &bad)
	}
}

// If the output fails after a change, the error contains that the change was made.
func TestRun_WrittenNotPrinted(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(headerLine+promptLine("aaaa", "", "one")+strings.Replace(promptLine("bbbb", "aaaa", "two"), `"user"`, `"assistant"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(t.TempDir(), "made")
	for _, args := range [][]string{
		{"label", path, "aaaa", "x"}, {"label", path, "aaaa", "y", "--json"}, {"rename", path, "z"}, {"branch", path, "aaaa"}, {"switch", path, "bbbb"}, {"fork", path, "bbbb"},
		{"export", path, "-o", made}, {"share", path, "--share-url", "https://share.example"},
	} {
		var bad bytes.Buffer
		status := runCommandLine(t.Context(), append(args, "--state", t.TempDir()), full, &bad)
		if status != statusFailed || !strings.Contains(bad.String(), " was ") || !strings.Contains(bad.String(), "no space left") {
			t.Errorf("%v: status %d, %q", args, status, &bad)
		}
	}
	if _, err := os.Stat(made); err != nil {
		t.Error(err)
	}
	var bad bytes.Buffer
	if runCommandLine(t.Context(), []string{"tree", path}, full, &bad); strings.Contains(bad.String(), " was ") {
		t.Errorf("tree has written: %q", fmt.Sprint(&bad))
	}
}
