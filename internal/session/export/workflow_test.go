package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
)

// copyWorkflowProject writes a session of Claude Code whose workflow had two agents.
func copyWorkflowProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	line := func(id, up, more string) string {
		return `{"uuid":"` + id + `","parentUuid":` + up + `,"sessionId":"s","timestamp":"2026-03-01T10:00:0` + id[1:] + `.000Z",` + more + "}\n"
	}
	agent := func(id, name, said string) string {
		return line(id, "null", `"type":"user","isSidechain":true,"agentId":"`+name+`","message":{"role":"user","content":"`+said+`"}`)
	}
	for name, text := range map[string]string{
		"s.jsonl": line("u1", "null", `"type":"user","isSidechain":false,"message":{"role":"user","content":"Go"}`) +
			line("a2", `"u1"`, `"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Workflow","input":{"script":"export const meta = {name: 'birds'}"}}]}`) +
			line("r3", `"a2"`, `"type":"user","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Launched"}]},"toolUseResult":{"status":"async_launched","runId":"run1","taskId":"task1"}`) +
			`{"type":"queue-operation","operation":"enqueue","sessionId":"s","timestamp":"2026-03-01T10:00:09Z"}` + "\n",
		"s/subagents/workflows/run1/agent-wren.jsonl": agent("x4", "wren", "Sing low"),
		"s/subagents/workflows/run1/agent-lark.jsonl": agent("y5", "lark", "Sing high"),
		"s/subagents/workflows/run1/journal.jsonl":    `{"type":"started","agentId":"wren","key":"k"}` + "\n" + `{"type":"result","agentId":"wren","key":"k"}` + "\n",
		"s/workflows/run1.json":                       `{"runId":"run1","taskId":"task1","workflowProgress":[{"agentId":"wren","label":"low","phaseTitle":"Sing"},{"agentId":"lark","label":"high","phaseTitle":"Sing"}]}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "s.jsonl")
}

// A session file cannot hold the files of a workflow, and the export reports that. It
// contains the agents' entries.
func TestOmittedText_Workflow(t *testing.T) {
	s := openFile(t, copyWorkflowProject(t))
	const queue, names = "queue-operation", "The names that a workflow gave its agents are left out"
	for _, c := range []struct {
		part         export.Part
		left, absent []string
		entries      int
	}{
		{export.Part{Scope: export.Tree}, []string{"3 lines outside the conversation (", queue, names}, nil, 5},
		{export.Part{Scope: export.Subtree, Entry: "y5", Bare: true}, nil, []string{queue, names, "lines"}, 1},
		{export.Part{Scope: export.Path, Entry: "a2"}, nil, []string{queue, names, "lines"}, 2},
	} {
		job, err := export.Prepare(t.Context(), s, export.Options{Part: c.part, Kind: export.JSONL})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.left {
			if !strings.Contains(job.Omitted(), want) {
				t.Errorf("%+v: left %q, want %q", c.part, job.Omitted(), want)
			}
		}
		for _, not := range c.absent {
			if strings.Contains(job.Omitted(), not) {
				t.Errorf("%+v: left %q", c.part, job.Omitted())
			}
		}
		var b strings.Builder
		if r, err := job.Write(t.Context(), &b); err != nil || r.Entries != c.entries || strings.Count(b.String(), "\n") != c.entries {
			t.Errorf("%+v: told of %d entries, wrote %q, %v", c.part, r.Entries, b.String(), err)
		}
	}
	path, err := exportText(t, s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL})
	if err != nil {
		t.Fatal(err)
	}
	to := readTree(openFile(t, path))
	for _, id := range []string{"x4", "y5"} {
		if p := to.FindID(id); p == session.NoPos || !to.At(p).HasFlag(session.FlagAgent) || to.At(to.Parent(p)).ID != "r3" {
			t.Errorf("%s is no agent that hangs on r3", id)
		}
	}
}
