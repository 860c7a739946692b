package retracted_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/retracted"
)

// Files are listed from the newest to the oldest. Those that cannot be read become notes.
func TestListFiles(t *testing.T) {
	dir := retracted.Dir(t.TempDir(), "one")
	if files, notes := retracted.ListFiles(dir); len(files) != 0 || len(notes) != 0 {
		t.Errorf("of a missing directory: %v, %v", files, notes)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"old.jsonl": `{"sessionExplorerKept":{"session":"s","time":1,"lines":1}}` + "\n{}\n",
		"new.jsonl": `{"sessionExplorerKept":{"session":"s","time":2,"lines":3}}` + "\n{}\n",
		"bad.jsonl": "{}\n{}\n",
		"other.txt": "no session file\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, notes := retracted.ListFiles(dir)
	if len(files) != 2 || filepath.Base(files[0].Path) != "new.jsonl" || filepath.Base(files[1].Path) != "old.jsonl" {
		t.Fatalf("files %+v", files)
	}
	if len(notes) != 1 || notes[0].Code != retracted.NoteCode || !strings.Contains(notes[0].Text, "bad.jsonl cannot be read: its first line does not say") {
		t.Errorf("notes %+v", notes)
	}
	if n := files[0].Note("Agent", 2); !strings.Contains(n.Text, "Agent retracted 2 entries (noticed "+time.UnixMilli(2).UTC().Format("2006-01-02 15:04 UTC")+")") {
		t.Errorf("note %q", n.Text)
	}
	if _, ok := files[0].MissingLinesNote(nil); !ok {
		t.Error("no note about missing lines")
	}
}
