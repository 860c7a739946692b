//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"sessiontree/e2e/harness"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/testgen/secrets"
)

// Of 100 secrets in a session those that the redactor knows are nowhere in what a hub stores in
// its directory.
func TestHub_StoresNoSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	hub := harness.StartHub(t, "--store", dir)
	checkStoresNoSecrets(t, hub, signInAdmin(t, hub), func() []byte { return readStoredFiles(t, dir) })
}

// checkStoresNoSecrets pushes a session with 100 secrets to a hub and searches what it stores.
// That the search finds secrets shows when they are pushed on purpose.
func checkStoresNoSecrets(t *testing.T, hub *harness.Server, client *http.Client, readStored func() []byte) {
	t.Helper()
	all := plantSecrets(t)
	l := newPushingLaptop(t, 1, client, hub)
	rules, known := redact.New(redact.Options{Home: l.home}), 0
	for i, s := range all {
		l.f.AddPrompt("A prompt with " + s.Text)
		l.f.AddBashCall("", "cat settings", s.Text, false)
		if out, _ := rules.RedactText(s.Text, map[string]bool{redact.ClassKeys: true}); !bytes.Contains([]byte(out), []byte(s.Value)) {
			known++
		} else {
			all[i].Value = ""
		}
	}
	if known < 95 {
		t.Errorf("the redactor knows %d of 100 secrets", known)
	}
	l.rewrite()
	count := func() (left int) {
		stored := readStored()
		if !bytes.Contains(stored, []byte("A prompt with ")) {
			t.Fatal("the session was not found in the store")
		}
		for _, s := range all {
			if s.Value != "" && bytes.Contains(stored, quoteSecret(t, s.Value)) {
				left++
			}
		}
		return left
	}
	harness.RunCommand(t, l.home, "push", "--project", "/home/dev/project")
	if left := count(); left > 0 {
		t.Errorf("%d secrets are stored", left)
	}
	harness.RunCommand(t, l.home, "push", "--project", "/home/dev/project", "--redact", "none", "--yes")
	if left := count(); left != known {
		t.Errorf("the search finds %d of %d secrets that were pushed on purpose", left, known)
	}
}

// plantSecrets returns 100 secrets by the published rules.
func plantSecrets(t *testing.T) []secrets.PlantedSecret {
	t.Helper()
	rules, err := os.ReadFile(filepath.Join(harness.SourceRoot(t), "internal", "session", "redact", "rules", "gitleaks.toml"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := secrets.MakeSecrets(string(rules), nil, 100, 9)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// quoteSecret returns a secret as it is written in a line of JSON.
func quoteSecret(t *testing.T, secret string) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(secret); err != nil {
		t.Fatal(err)
	}
	return bytes.Trim(b.Bytes(), "\"\n")
}

// readStoredFiles returns the contents of all files below a directory, and what is compressed in
// them.
func readStoredFiles(t *testing.T, dir string) []byte {
	t.Helper()
	var all bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		addStoredText(&all, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}

// addStoredText adds a text and what its zstd frames contain.
func addStoredText(all *bytes.Buffer, text []byte) {
	all.Write(text)
	magic := []byte("\x28\xb5\x2f\xfd")
	for rest := text; ; rest = rest[1:] {
		i := bytes.Index(rest, magic)
		if i < 0 {
			return
		}
		rest = rest[i:]
		r, err := zstd.NewReader(bytes.NewReader(rest), zstd.WithDecoderConcurrency(1))
		if err != nil {
			continue
		}
		_, _ = io.Copy(all, r) // up to the end of the frame
		r.Close()
	}
}
