package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/transcript"
)

// writeLongSession writes a session file with some thousand entries.
func writeLongSession(t *testing.T) string {
	t.Helper()
	f := transcript.New(transcript.Pi, "0198a000-0000-7000-8000-000000000001", "/project", time.Date(2026, 2, 3, 9, 0, 0, 0, time.UTC))
	for range 2000 {
		f.AddPrompt("Go on.")
		f.AddReply(strings.Repeat("Going on. ", 20))
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// An interrupted export leaves no file.
func TestExportInterrupted(t *testing.T) {
	t.Parallel()
	path := writeLongSession(t)
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, as := range []export.Kind{export.JSONL, export.Markdown} {
		ctx, stop := context.WithCancel(t.Context())
		calls := 0
		o := export.Options{Part: export.Part{Scope: export.Tree}, Kind: as, Progress: func(done, total int) {
			if calls++; done >= total {
				t.Errorf("%s: it went on to its end", as)
			}
			stop()
		}}
		job, err := export.Prepare(ctx, s, o)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		var output bytes.Buffer
		p := &program{out: &output, err: &output}
		if err := writeExport(ctx, p, job, &exportFlags{out: filepath.Join(dir, "out")}); !errors.Is(err, context.Canceled) || calls == 0 || output.Len() > 0 {
			t.Errorf("%s: %v after %d tellings, and %q is said", as, err, calls, output.String())
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v is left", as, left)
		}
	}
}

// writeHTMLPage writes an HTML export as another person could make it, with any text
// under any name.
func writeHTMLPage(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	to64 := base64.NewEncoder(base64.StdEncoding, &b)
	z := gzip.NewWriter(to64)
	_, err := z.Write([]byte(text))
	if err = errors.Join(err, z.Close(), to64.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(fmt.Sprintf(`<!doctype html><script type="text/plain" id="session-file" data-name="%s">%s</script>`, name, &b)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A hostile HTML export creates no file but a session file, and none that another program
// reads.
func TestExport_HostileHTML(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	talk := headerLine + promptLine("a", "", "hello there")
	for _, tt := range []struct{ name, text, want string }{
		{"GNUmakefile", "all:\n\techo pwned\n", ""},
		{"s.jsonl", "ssh-ed25519 AAAA evil\n", ""},
		{"s.jsonl", "", ""},
		{"s.jsonl", talk[:30], ""},
		{"GNUmakefile", talk, "GNUmakefile.jsonl"},
		{"-rf", talk, "rf.jsonl"},
		{"../.ssh/authorized_keys", talk, "authorized_keys.jsonl"},
	} {
		page := writeHTMLPage(t, tt.name, tt.text)
		for _, args := range [][]string{{"export", page}, {"export", page, "--as", "jsonl", "-o", "named"}, {"export", page, "--as", "md", "-o", "named"}} {
			dir := t.TempDir()
			t.Chdir(dir)
			var out, bad bytes.Buffer
			status := runCommandLine(t.Context(), args, &out, &bad)
			left, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want != "" && len(args) > 2 {
				want = "named"
			}
			switch {
			case want == "" && (status != statusFailed || len(left) > 0):
				t.Errorf("%q with %q: status %d, %v is made; %s", tt.name, tt.text, status, left, &bad)
			case want != "" && (status != statusDone || len(left) != 1 || left[0].Name() != want):
				t.Errorf("%q: status %d, %v is made, want %s; %s", tt.name, status, left, want, &bad)
			}
		}
	}
}
