package pi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
)

// migrate returns the migrated file and the ids of its entries.
func (f *file) migrate(t testing.TB) (out string, ids []string) {
	t.Helper()
	m := f.format.Write.NewMigrator(f.mint())
	var text strings.Builder
	for line := range strings.Lines(string(f.text)) {
		line := strings.TrimRight(line, "\r\n")
		rewritten, id, err := m.MigrateLine([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if id != "" {
			ids = append(ids, id)
		}
		text.Write(rewritten)
		text.WriteByte('\n')
	}
	return text.String(), ids
}

// shape returns a tree as text without ids: the kind and the parent of each entry.
func shape(tree *session.Tree) (out []string) {
	for p := range session.Pos(tree.Len()) {
		e := *tree.At(p)
		kept := tree.FindID(e.Target())
		if e.Kind != session.KindCompaction {
			kept = session.NoPos
		}
		role := strings.Replace(e.Role, "stack_", "branch_", 1) // the draft had both
		out = append(out, strings.Join([]string{role, e.Preview, e.Name}, "|")+" under "+at(tree.Parent(p))+" keeps "+at(kept))
	}
	return out
}

func at(p session.Pos) string { return strings.Repeat("i", int(p)+1) }

// TestMigrateKeepsTheTree checks that a migrated file has the same tree as before and is current.
func TestMigrateKeepsTheTree(t *testing.T) {
	var old []string
	for _, pattern := range []string{"pi/v*", "dialects/draft-*", "pi-formats/*"} {
		files, err := filepath.Glob("../../../testdata/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no files at ", pattern, err)
		}
		old = append(old, files...)
	}
	tried := 0
	for _, path := range old {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		if !strings.HasSuffix(path, ".jsonl") {
			path = filepath.Join(path, "input.jsonl")
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := &file{format: &Format, text: text}
		if OMP.Sniff(text) {
			f.format = &OMP
		}
		before := f.tree(t)
		out, ids := f.migrate(t)
		if !before.Header().Migrated {
			if out != string(text) {
				t.Errorf("%s is current and was changed", path)
			}
			continue
		}
		tried++
		after := &file{format: f.format, text: []byte(out)}
		tree := after.tree(t)
		if h := tree.Header(); h.Migrated || h.Version != 3 || h.ID != before.Header().ID || h.Cwd != before.Header().Cwd {
			t.Errorf("%s: header %+v", path, h)
		}
		if diff := cmp.Diff(shape(before), shape(tree)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", path, diff)
		}
		for i, id := range ids {
			if tree.At(session.Pos(i)).ID != id {
				t.Errorf("%s: entry %d is %s, told was %s", path, i, tree.At(session.Pos(i)).ID, id)
			}
		}
		again, _ := after.migrate(t)
		if again != out {
			t.Errorf("%s: migrated twice it changes", path)
		}
		if strings.Contains(out, "Uuid") || strings.Contains(out, `"uuid"`) || strings.Contains(out, "hookMessage") {
			t.Errorf("%s: something old is left:\n%s", path, out)
		}
		checkLatePoints(t, f, after)
	}
	if tried < 12 {
		t.Errorf("only %d files were migrated", tried)
	}
}

// checkLatePoints compares forks of an old file with forks of the migrated one.
func checkLatePoints(t *testing.T, old, migrated *file) {
	t.Helper()
	before, after := old.tree(t), migrated.tree(t)
	for p := range session.Pos(before.Len()) {
		_, a, err1 := old.forkOf(t, p)
		_, b, err2 := migrated.forkOf(t, p)
		if (err1 == nil) != (err2 == nil) {
			t.Errorf("fork at %s: %v, migrated first: %v", before.At(p).ID, err1, err2)
		}
		if err1 != nil {
			continue
		}
		if diff := cmp.Diff(shape(b.tree(t)), shape(a.tree(t))); diff != "" {
			t.Errorf("fork at %s (-migrated first +old):\n%s", after.At(p).ID, diff)
		}
	}
}

func TestMigrateLines(t *testing.T) {
	f := &file{format: &Format, text: []byte(` { "type" : "session", "version":2, "uuid":"h", "parentUuid" : null }
{"type":"message", "uuid" : "a","parentUuid":"h" ,"message":{"role":"user","content":"x"}}

{"torn
[1]
{"type":"stack_summary","uuid":"b","parentUuid":"a","fromUuid":"a","summary":"s"}
{"type":"message","message":{"role":"hookMessage" , "content":"x"}}
{"type":"label","uuid":"c","parentUuid":"b","targetUuid":"a","label":"l"}
`)}
	out, _ := f.migrate(t)
	want := ` { "type" : "session", "version":3, "id":"h" }
{"type":"message", "id" : "a","parentId":null ,"message":{"role":"user","content":"x"}}

{"torn
[1]
{"type":"branch_summary","id":"b","parentId":"a","fromId":"a","summary":"s"}
{"type":"message","message":{"role":"custom" , "content":"x"},"id":"a0000001","parentId":null}
{"type":"label","id":"c","parentId":"b","targetId":"a","label":"l"}
`
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMigrateLabels checks that labels from the sidecar become lines at the end, each a child of
// the one before.
func TestMigrateLabels(t *testing.T) {
	m := Format.Write.NewMigrator((&file{}).mint())
	for _, line := range []string{`{"type":"session","id":"s"}`, `{"type":"message","message":{"role":"user","content":"x"}}`} {
		if _, _, err := m.MigrateLine([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	got := []session.Line{m.EncodeLabel("a0000001", "one", 1740823201000), m.EncodeLabel("a0000001", "two", session.NoTime)}
	want := `{"type":"label","id":"a0000002","parentId":"a0000001","timestamp":"2025-03-01T10:00:01.000Z","targetId":"a0000001","label":"one"}
{"type":"label","id":"a0000003","parentId":"a0000002","timestamp":"2025-03-02T07:20:00.000Z","targetId":"a0000001","label":"two"}
`
	if diff := cmp.Diff(want, join(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
