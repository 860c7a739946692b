package share_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// The live share of a session of any agent equals a new share of it.
func TestUpdateLive_AllFormats(t *testing.T) {
	for _, c := range []struct {
		file string
		part export.Part
	}{
		{"claude/project/11111111-0000-4000-8000-000000000001.jsonl", export.Part{Scope: export.Tree}},
		{"claude/project/11111111-0000-4000-8000-000000000001.jsonl", export.Part{Scope: export.Path}},
		{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", export.Part{Scope: export.Tree}},
		{"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl", export.Part{Scope: export.Tree}},
		{"wave/forms/compaction.jsonl", export.Part{Scope: export.Path}},
		{"dialects/omp18-summaries/input.jsonl", export.Part{Scope: export.Tree}},
		{"dialects/omp18-title-slot/input.jsonl", export.Part{Scope: export.Tree}},
		{"dialects/pi15-labels/input.jsonl", export.Part{Scope: export.Tree}},
		{"dialects/pi15-context-edit/input.jsonl", export.Part{Scope: export.Tree}},
	} {
		t.Run(c.file+" "+string(c.part.Scope), func(t *testing.T) { checkGrownShare(t, testdata+c.file, c.part) })
	}
}

// checkGrownShare writes a session line by line and checks its live share.
func checkGrownShare(t *testing.T, file string, part export.Part) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, again := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "0aa11111-1111-4111-8111-111111111111.jsonl")
	lines := bytes.SplitAfter(text, []byte("\n"))
	s, c := openShares(t, t.TempDir(), newClock()), newClock()
	var src, reader *store.Session
	var made share.Share
	token, compared := "", 0
	for n := range lines {
		if err := os.WriteFile(path, bytes.Join(lines[:n+1], nil), 0o600); err != nil {
			t.Fatal(err)
		}
		if token == "" {
			lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, Home: "/home/tester", Clock: c.now})
			if err != nil {
				t.Fatal(err)
			}
			if src, err = lib.Open(ctx, path); err != nil {
				continue
			}
			q := wholeRequest(src)
			q.Live, q.Options.Part = true, part
			if token, made, err = s.Create(ctx, q); err != nil {
				token = "" // nothing to share yet
				continue
			}
			src.ReadTree(func(t *session.Tree, _ store.Revision) {
				if part.Scope != export.Tree {
					part.Entry = made.Source.Entry
				}
			})
			if reader, _, err = s.OpenSnapshot(ctx, token); err != nil {
				t.Fatal(err)
			}
		}
		s.UpdateLive(ctx, src)
		if now, err := s.FindByToken(token); err != nil {
			t.Fatal(n, err, now.RevokeReason)
		}
		if _, err := reader.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		src.ReadTree(func(t *session.Tree, _ store.Revision) { part, err = part.ExtendToTip(t) })
		if err != nil {
			t.Fatal(err)
		}
		fresh, _ := createFresh(t, again, src, made, part)
		is, want := readSnapshot(t, reader), readSnapshot(t, fresh)
		if diff := cmp.Diff(want, is); diff != "" {
			t.Fatalf("after line %d:\n%s", n+1, diff)
		}
		compared++
	}
	if compared < 2 {
		t.Errorf("only %d states were compared", compared)
	}
}

// Lines that an agent retracts disappear from the share.
func TestUpdateLive_RetractedLines(t *testing.T) {
	text, err := os.ReadFile(testdata + "wave/project/0aa11111-1111-4111-8111-111111111111.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "0aa11111-1111-4111-8111-111111111111.jsonl")
	lines := bytes.SplitAfter(text, []byte("\n"))
	write := func(n int) {
		if err := os.WriteFile(path, bytes.Join(lines[:n], nil), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(len(lines))
	dir, notices := t.TempDir(), 0
	s, err := share.New(share.Config{Dir: dir, Formats: format.All, Redactor: rules, Changed: func(*store.Session, store.Change) { notices++ }})
	if err != nil {
		t.Fatal(err)
	}
	src := openSource(t, path)
	q := wholeRequest(src)
	q.Live = true
	token, _ := createShare(t, s, q)
	reader, _, err := s.OpenSnapshot(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	before := len(entryIDs(reader))
	write(3)
	s.UpdateLive(t.Context(), src)
	if after := len(entryIDs(reader)); after >= before || notices == 0 {
		t.Errorf("%d entries became %d, the reader was told %d times", before, after, notices)
	}
	if leftovers := listFiles(t, filepath.Join(dir, "rewound")); len(leftovers) != 0 {
		t.Error(leftovers)
	}
}

// The leaf is recorded only while it is part of the snapshot.
func TestUpdateLive_LeafOutsideSnapshot(t *testing.T) {
	dir, again := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "0aa11111-1111-4111-8111-111111111111.jsonl")
	line := func(id, above, typ string) string {
		return `{"type":"` + typ + `","uuid":"` + id + `","parentUuid":` + above + `,"sessionId":"0aa11111-1111-4111-8111-111111111111","isSidechain":false,` +
			`"message":{"role":"` + typ + `","content":[{"type":"text","text":"` + id + `"}]},"timestamp":"2026-01-01T00:00:00.000Z"}` + "\n"
	}
	text := line("u0", "null", "user") + line("a0", `"u0"`, "assistant") + line("u1", `"a0"`, "user") + line("a1", `"u1"`, "assistant") + line("a2", `"u1"`, "assistant") +
		`{"type":"last-prompt","lastPrompt":"","leafUuid":"a1","sessionId":"0aa11111-1111-4111-8111-111111111111"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src := openSource(t, path)
	s := openShares(t, t.TempDir(), newClock())
	q := wholeRequest(src)
	q.Live, q.Options.Part = true, export.Part{Scope: export.Subtree, Entry: "u1"}
	token, made := createShare(t, s, q)
	reader, _, err := s.OpenSnapshot(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if got := readSnapshot(t, reader).Leaf; got != "a1" {
		t.Errorf("the leaf is %s", got)
	}
	if err := os.WriteFile(path, []byte(text+line("u9", `"a0"`, "user")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.UpdateLive(t.Context(), src)
	fresh, _ := createFresh(t, again, src, made, q.Options.Part)
	if diff := cmp.Diff(readSnapshot(t, fresh), readSnapshot(t, reader)); diff != "" {
		t.Error(diff)
	}
}
