package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// exportedFiles are sessions of each format that the tests export.
var exportedFiles = []string{
	"claude/project/11111111-0000-4000-8000-000000000001.jsonl",
	"claude/project/22222222-0000-4000-8000-000000000002.jsonl",
	"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl",
	"wave/forms/compaction.jsonl",
	"pi/kitchen-sink/input.jsonl",
}

// An exported file is a session of its own: it is listed with its messages and has no
// notes about copies. So is an export of that file.
func TestExportedFile_Listing(t *testing.T) {
	for _, file := range exportedFiles {
		t.Run(file, func(t *testing.T) {
			s := openFile(t, testdata+filepath.FromSlash(file))
			for range 2 {
				path, err := exportText(t, s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL})
				if err != nil {
					t.Fatal(err)
				}
				again := openFile(t, path)
				checkListing(t, s, again, listSession(t, path))
				s = again
			}
		})
	}
}

// checkListing checks that the listing of an exported file agrees with the source
// session.
func checkListing(t *testing.T, s, again *store.Session, row catalog.Summary) {
	t.Helper()
	messages := 0
	from, to := readTree(s), readTree(again)
	for p := range session.Pos(to.Len()) {
		e := to.At(p)
		if e.Copied {
			t.Errorf("%s is read as a copy", e.ID)
		}
		if was := from.FindID(e.ID); was != session.NoPos && from.At(was).Kind != session.KindLabel && isMessage(from.At(was)) {
			messages++
		}
	}
	if row.Messages != messages || messages == 0 || row.Entries != to.EntryCount() || row.Name != from.Header().Name {
		t.Errorf("listed with %d messages, %d entries and the name %q, want %d, %d and %q", row.Messages, row.Entries, row.Name, messages, to.EntryCount(), from.Header().Name)
	}
	for _, n := range to.Notes() {
		if n.Code == session.NoteCopy {
			t.Errorf("line %d: %s", n.Line, n.Text)
		}
	}
}

// isMessage reports whether the list counts an entry as a message.
func isMessage(e *session.Entry) bool {
	switch e.Kind {
	case session.KindUser, session.KindAssistant, session.KindToolResult, session.KindShell, session.KindSystem, session.KindMessage:
		return !e.HasFlag(session.FlagArtifact) && !e.HasFlag(session.FlagCommand)
	}
	return false
}

// listSession returns the summary of a file that is alone in its directory.
func listSession(t *testing.T, path string) catalog.Summary {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(catalog.Config{Library: lib})
	if err := c.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := c.Sessions()
	if len(all) != 1 {
		t.Fatalf("%d sessions are listed, %v are not", len(all), c.Unreadable())
	}
	return all[0]
}

// Lines of Claude Code change only in their session id. This includes the lines of a
// fork, because the session that it was made from is not in the export.
func TestExportedFile_Lines(t *testing.T) {
	const head, from = `{"parentUuid":null,"isSidechain":false,"sessionId":"`, `,"forkedFrom":{"sessionId":"s1","messageUuid":"u1"}`
	rest := func(from string) string {
		return `","type":"user" , "uuid":"u1","message":{"role":"user","content":"x\u0020y"},"timestamp":"2026-01-01T10:00:00Z"` + from + "}\n"
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "s2.jsonl")
	if err := os.WriteFile(path, []byte(head+"s2"+rest(from)), 0o600); err != nil {
		t.Fatal(err)
	}
	job, err := export.Prepare(t.Context(), openFile(t, path), export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := job.Write(t.Context(), &b); err != nil || b.String() != head+job.SessionID()+rest("") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// A session name from a summary is exported, and an entry with a missing parent has a
// note.
func TestExportedFile_SummaryName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	text := `{"parentUuid":"gone","isSidechain":false,"sessionId":"s","type":"user","uuid":"u1","message":{"role":"user","content":"x"},"timestamp":"2026-01-01T10:00:00Z"}` + "\n" +
		`{"type":"summary","summary":"How it went","leafUuid":"u1"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, o := openFile(t, path), export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL}
	made, err := exportText(t, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if was, is := listSession(t, path).Name, listSession(t, made).Name; was != "How it went" || is != was {
		t.Errorf("%q is called %q", was, is)
	}
	job, err := export.Prepare(t.Context(), s, o)
	if want := "The parent of one entry is in none of the files. Its id is left out."; err != nil || job.Omitted() != want {
		t.Errorf("left %q, %v", job.Omitted(), err)
	}
}
