package store_test

import (
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// The start of a file is read once to list it, and once to open it.
func TestSniffOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "0a6d4e27-5ab5-4a52-9c83-5b1e6c2d7f10.jsonl")
	write(t, path, `{"parentUuid":null,"isSidechain":false,"uuid":"u1","sessionId":"0a6d4e27-5ab5-4a52-9c83-5b1e6c2d7f10","timestamp":"2027-01-01T00:00:00Z","type":"user","message":{"role":"user","content":"x"}}`+"\n")
	sniffed := 0
	var formats []*session.Format
	for _, f := range format.All {
		counted := *f
		counted.Sniff = func(head []byte) bool {
			ok := f.Sniff(head)
			if ok {
				sniffed++
			}
			return ok
		}
		formats = append(formats, &counted)
	}
	lib, err := store.New(store.Config{Formats: formats, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lib.SummarizeFile(ctx, path, lib.NewOwnerFinder()); err != nil || sniffed != 1 {
		t.Errorf("Survey recognized the format %d times, %v", sniffed, err)
	}
	sniffed = 0
	if _, err := lib.Open(ctx, path); err != nil || sniffed != 1 {
		t.Errorf("Open recognized the format %d times, %v", sniffed, err)
	}
}

// An open session whose first lines could be of two agents is read again, by the rules of the one
// that an added line tells.
func TestRefresh_AgentBecomesKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	first := `{"type":"session","version":3,"id":"0a6d4e27-5ab5-4a52-9c83-5b1e6c2d7f10","timestamp":"2027-01-01T00:00:00Z","cwd":"/p"}` + "\n" +
		`{"type":"message","id":"aaaaaaaa","parentId":null,"timestamp":"2027-01-01T00:00:01Z","message":{"role":"user","content":"x","timestamp":1}}` + "\n"
	write(t, path, first)
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(ctx, path)
	if err != nil || s.Format().Name != "pi" {
		t.Fatalf("opened as %v, %v", s.Format().Name, err)
	}
	write(t, path, first+`{"type":"mode_change","id":"bbbbbbbb","parentId":"aaaaaaaa","timestamp":"2027-01-01T00:00:02Z","mode":"plan"}`+"\n")
	c, err := s.Refresh(ctx)
	if err != nil || c.Kind != store.Rewritten || s.Format().Name != "omp" {
		t.Errorf("after the line of oh-my-pi: %v, %s, %v", c.Kind, s.Format().Name, err)
	}
}
