package export_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
)

// openWithAgents opens a session of oh-my-pi with a sub-agent that has a sub-agent.
func openWithAgents(t *testing.T) *store.Session {
	t.Helper()
	dir := t.TempDir()
	file := func(name, parent string, entries ...string) {
		if parent != "" {
			parent = fmt.Sprintf(`,"parentSession":"/x/%s.jsonl"`, parent)
		}
		text := `{"type":"title","v":1,"title":"T","updatedAt":"2026-02-03T09:00:00.000Z","pad":""}` + "\n" +
			fmt.Sprintf(`{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-%012d","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/p"%s}`+"\n", len(name), parent)
		above := "null"
		for i, e := range entries {
			id := fmt.Sprintf(`"%08x"`, i+1)
			text += fmt.Sprintf(`{"id":%s,"parentId":%s,"timestamp":"2026-02-03T09:00:%02d.000Z",%s}`+"\n", id, above, i, e)
			above = id
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	say := func(role, text string) string {
		return fmt.Sprintf(`"type":"message","message":{"role":%q,"content":[{"type":"text","text":%q}],"stopReason":"stop"}`, role, text)
	}
	call := func(name string) string {
		return fmt.Sprintf(`"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"task","arguments":{"tasks":[{"name":%q}]}}],"stopReason":"toolUse"}`, name)
	}
	init := `"type":"session_init","systemPrompt":"","task":"look","tools":[]`
	file("main.jsonl", "", say("user", "begin"), call("A"), say("assistant", "end"))
	file("main/A.jsonl", "main", init, say("user", "look"), call("B"), `"type":"label","targetId":"00000002","label":"here"`, say("assistant", "found"))
	file("main/A/A.B.jsonl", "A", init, say("user", "look closer"), say("assistant", "nothing"))
	return openFile(t, filepath.Join(dir, "main.jsonl"))
}

// An export contains the lines of one file. It reports that it omits those of other
// files.
func TestSubAgents(t *testing.T) {
	s := openWithAgents(t)
	if readTree(s).Len() != 11 {
		t.Fatalf("%d entries", readTree(s).Len())
	}
	for _, part := range sampleParts(readTree(s)) {
		checkSameAsSingleFile(t, s, part)
	}
	for _, c := range []struct {
		part export.Part
		left string
	}{
		{export.Part{Scope: export.Tree}, "2 sub-agents (A, A.B) are in separate files and are left out."},
		{export.Part{Scope: export.Path}, ""},
		{export.Part{Scope: export.Path, Entry: "A:00000002"}, "The file contains the sub-agent only; the session that started it is left out."},
		{export.Part{Scope: export.Subtree, Entry: "A:00000002", Bare: true}, "The sub-agent A.B is in a separate file and is left out."},
		{export.Part{Scope: export.Path, Entry: "A/A.B:00000002"}, "The file contains the sub-agent only; the session that started it is left out. The sub-agent A is in a separate file and is left out."},
	} {
		job, err := export.Prepare(t.Context(), s, export.Options{Part: c.part, Kind: export.JSONL})
		if err != nil || job.Omitted() != c.left {
			t.Errorf("%+v: left %q, %v", c.part, job.Omitted(), err)
		}
	}
}

// A fork at a sub-agent's entry is a session of the agent.
func TestSubAgents_Fork(t *testing.T) {
	s := openWithAgents(t)
	out := filepath.Join(t.TempDir(), "fork.jsonl")
	made, err := s.Fork(t.Context(), "A:00000005", out)
	if err != nil || !strings.Contains(made.LossWarning, "the session that started it is left out") {
		t.Fatalf("%+v %v", made, err)
	}
	fork := readTree(openFile(t, out))
	if got := drawOutline(fork); !strings.Contains(got[1], "leaf") || fork.Len() != 5 || fork.FindID("00000005") == session.NoPos {
		t.Errorf("%s", got)
	}
	if l, ok := fork.Label(fork.FindID("00000002")); !ok || l.Text != "here" {
		t.Errorf("labels: %+v", fork.Labels())
	}
	if made, err := s.Fork(t.Context(), "00000002", filepath.Join(t.TempDir(), "own.jsonl")); err != nil || made.LossWarning != "" {
		t.Errorf("%+v %v", made, err)
	}
}
