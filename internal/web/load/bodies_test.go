package load_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

const header = `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-0123456789ab","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/proj"}` + "\n"

// message returns the line of a message.
func message(id, parent, role, content string) string {
	if parent = fmt.Sprintf("%q", parent); parent == `""` {
		parent = "null"
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-02-03T09:00:01.000Z","message":{"role":%q,"content":[%s]}}`+"\n", id, parent, role, content)
}

func openFile(t *testing.T, file, content string) *store.Session {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(file)}})
	if err != nil {
		t.Fatal(err)
	}
	sess, err := lib.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	return sess
}

// renderPath returns the HTML of the path to the leaf.
func renderPath(t *testing.T, sess *store.Session) string {
	t.Helper()
	m, err := load.New(view.Config{}).PathModel(t.Context(), load.SessionView{Session: sess}, view.Params{}, view.PathQuery{}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var html strings.Builder
	if err := components.PathItems(m).Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	return html.String()
}

// An entry whose line cannot be read any more shows what the tree holds.
func TestPathModel_FileGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.jsonl")
	sess := openFile(t, file, header+message("u1", "", "user", `{"type":"text","text":"use fs.watch"}`)+
		message("a1", "u1", "assistant", `{"type":"text","text":"done with fs.watch"}`))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	got := renderPath(t, sess)
	for _, want := range []string{"use fs.watch", "done with fs.watch", "The file is gone; this is what the explorer still has."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
}

// Pages do not refer to images whose files are missing.
func TestPathModel_MissingImage(t *testing.T) {
	dir := t.TempDir()
	there, gone := strings.Repeat("0a", 32), strings.Repeat("0b", 32)
	if err := os.Mkdir(filepath.Join(dir, "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "blobs", there), []byte("image"), 0o600); err != nil {
		t.Fatal(err)
	}
	image := func(name string) string {
		return fmt.Sprintf(`{"type":"image","mimeType":"image/png","data":"blob:sha256:%s"}`, name)
	}
	slot := `{"type":"title","v":1,"title":"t","updatedAt":"2026-02-03T09:00:00.000Z","pad":"` // makes it a session of oh-my-pi
	slot += strings.Repeat(" ", 253-len(slot)) + "\"}\n"
	got := renderPath(t, openFile(t, filepath.Join(dir, "s.jsonl"), slot+header+message("u1", "", "user", image(there)+","+image(gone))))
	if n := strings.Count(got, "<img"); n != 1 || !strings.Contains(got, "/image/0") || strings.Contains(got, "/image/1") {
		t.Errorf("%d images are shown: %s", n, got)
	}
	if n := strings.Count(got, "is missing"); n != 1 {
		t.Errorf("%d images are reported as missing", n)
	}
}
