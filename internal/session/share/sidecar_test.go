package share_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// openCopy makes a copy of a session file that may be changed, with a state directory.
func openCopy(t *testing.T, file string) *store.Session {
	text, err := os.ReadFile(testdata + file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}, StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Labels that the format cannot hold are shown with the snapshot, updated with the
// session, redacted, and deleted with the share.
func TestSidecarLabels(t *testing.T) {
	src := openCopy(t, "claude/project/22222222-0000-4000-8000-000000000002.jsonl")
	label := func(text string) {
		var entry string
		src.ReadTree(func(t *session.Tree, _ store.Revision) { entry = t.At(t.Leaf()).ID })
		if _, err := src.ApplyChange(t.Context(), session.Change{Op: session.OpLabel, Entry: entry, Text: text}, store.Precondition{}); err != nil {
			t.Fatal(err)
		}
	}
	label("ask " + secrets[2])
	dir, c := t.TempDir(), newClock()
	s := openShares(t, dir, c)
	q := wholeRequest(src)
	q.Live = true
	token, made := createShare(t, s, q)
	reader, _, err := openShares(t, dir, c).OpenSnapshot(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	shows := func(want string) {
		t.Helper()
		s.UpdateLive(t.Context(), src)
		if _, err := reader.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []string
		reader.ReadTree(func(t *session.Tree, _ store.Revision) {
			for _, l := range t.Labels() {
				got = append(got, l.Text)
			}
		})
		if strings.Join(got, ", ") != want {
			t.Errorf("labels are %q", got)
		}
	}
	shows("ask user@example.org")
	label("ask nobody")
	shows("ask nobody")
	before := len(readAll(t, dir, "sidecar"))
	shows("ask nobody")
	if after := len(readAll(t, dir, "sidecar")); after != before || before == 0 {
		t.Errorf("%d bytes became %d", before, after)
	}
	label("")
	shows("")
	checkNoSecrets(t, dir)
	if err := s.Revoke(t.Context(), made.ID); err != nil || len(readAll(t, dir, "sidecar")) != 0 {
		t.Error(err, listFiles(t, dir))
	}
}

// readAll returns the content of all files in a subdirectory.
func readAll(t *testing.T, dir, below string) (all []byte) {
	for _, file := range listFiles(t, filepath.Join(dir, below)) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return all
}

// Images in separate files are copied with the snapshot that refers to them, and no
// others. They remain when the session is deleted, and are not searched for elsewhere.
func TestBlobs(t *testing.T) {
	named, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	dir := t.TempDir()
	path := filepath.Join(dir, "session.jsonl")
	head := `{"type":"session","version":3,"id":"0190f5a2-0000-7000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}` + "\n"
	slot := `{"type":"title","v":1,"title":"","updatedAt":"2026-01-01T00:00:00.000Z","pad":"`
	slot += strings.Repeat(" ", 255-len(slot)-2) + "\"}\n"
	image := func(id, parent, name string) string {
		return `{"type":"message","id":"` + id + `","parentId":` + parent + `,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[` +
			`{"type":"text","text":"look"},{"type":"image","mimeType":"image/png","data":"blob:sha256:` + name + `"}]}}` + "\n"
	}
	write := func(path, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(path, slot+head+image("e1", "null", named))
	write(filepath.Join(dir, "blobs", named), "picture")
	write(filepath.Join(dir, "blobs", other), "another")
	src := openSource(t, path)
	shareDir := t.TempDir()
	write(filepath.Join(shareDir, "blobs", other), "not of this share")
	s := openShares(t, shareDir, newClock())
	q := wholeRequest(src)
	q.Live = true
	token, made := createShare(t, s, q)
	open, _, err := s.OpenSnapshot(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	holds := func(name, want string) {
		t.Helper()
		if data, err := open.ReadBlob(context.Background(), name); string(data) != want || (err == nil) != (want != "") {
			t.Errorf("%q, %v", data, err)
		}
	}
	holds(named, "picture")
	holds(other, "")
	write(path, slot+head+image("e1", "null", named)+image("e2", `"e1"`, other))
	s.UpdateLive(t.Context(), src)
	holds(other, "another")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	holds(named, "picture")
	if err := s.Revoke(t.Context(), made.ID); err != nil || slices.ContainsFunc(listFiles(t, shareDir), func(f string) bool { return strings.HasSuffix(f, named) }) {
		t.Error(err, listFiles(t, shareDir))
	}
	if _, _, err := s.OpenSnapshot(t.Context(), token); !errors.Is(err, share.ErrGone) {
		t.Error(err)
	}
}

// A session of several files is shared completely, also by a program that was just
// started.
func TestRelatedFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(testdata+"claude/project")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "11111111-0000-4000-8000-000000000001.jsonl")
	open := func() *store.Session {
		lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := lib.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	shareDir, c := t.TempDir(), newClock()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	alone := bytes.Count(text, []byte("\n"))
	q := wholeRequest(open())
	q.Live = true
	_, made := createShare(t, openShares(t, shareDir, c), q)
	if made.SessionEntries <= alone {
		t.Fatalf("%d entries of %d: nothing was joined", made.SessionEntries, alone)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"type":"user","uuid":"new","parentUuid":null,"sessionId":"11111111-0000-4000-8000-000000000001","message":{"role":"user","content":"more"},"timestamp":"2027-01-01T00:00:00.000Z"}` + "\n")
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	s := openShares(t, shareDir, c)
	s.UpdateLive(t.Context(), open())
	if now := s.List()[0]; now.Entries != made.Entries+1 || now.SessionEntries != made.SessionEntries+1 || !now.Revoked.IsZero() {
		t.Errorf("%d of %d entries became %d of %d: %s", made.Entries, made.SessionEntries, now.Entries, now.SessionEntries, now.RevokeReason)
	}
}
