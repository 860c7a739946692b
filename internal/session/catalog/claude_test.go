package catalog_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/catalog"
)

// recordedLine returns a line of a session of Claude Code, second s after ten.
func recordedLine(sid, id, parent string, s int, more string) string {
	up, role := fmt.Sprintf("%q", parent), "user"
	if parent == "" {
		up = "null"
	}
	if id[0] == 'a' {
		role = "assistant"
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":%q,"type":%q,"uuid":%q,"timestamp":"2026-01-01T10:00:%02dZ","message":{"role":%q,"content":[{"type":"text","text":%q}]}%s}`+"\n", up, sid, role, id, s, role, "words of "+id, more)
}

// Each session has a row with its own entries. Agents have none, unless their session
// is missing. A copied prefix counts in its source. A title may be in another session's
// file.
func TestClaude(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, "-p", filepath.FromSlash(name)) }
	forked := `,"forkedFrom":{"sessionId":"s1","messageUuid":"x"}`
	agent := `,"isSidechain":true,"agentId":"b1"`
	write(t, in("s1.jsonl"), recordedLine("s1", "u1", "", 1, ""), recordedLine("s1", "a1", "u1", 2, ""))
	write(t, in("s2.jsonl"), recordedLine("s2", "u1", "", 1, forked), recordedLine("s2", "a1", "u1", 2, forked), recordedLine("s2", "u2", "a1", 3, ""))
	write(t, in("s3.jsonl"), recordedLine("s3", "u3", "a1", 4, ""), `{"type":"summary","summary":"The first one","leafUuid":"a1"}`+"\n")
	write(t, in("s4.jsonl"), recordedLine("s4", "u4", "", 5, ""), `{"type":"custom-title","customTitle":"By hand","sessionId":"s4"}`+"\n")
	write(t, in("s1/subagents/agent-b1.jsonl"), recordedLine("s1", "x1", "", 6, agent))
	write(t, in("s1/subagents/workflows/r/journal.jsonl"), `{"type":"started","agentId":"b1","key":"k"}`+"\n")
	write(t, in("agent-b2.jsonl"), recordedLine("s9", "x2", "", 7, agent))
	write(t, in("agent-b3.jsonl"), recordedLine("s2", "x3", "", 8, agent))
	write(t, in("s8.jsonl"))
	want := map[string]string{
		"s1": `name "The first one" parent "" messages 2 entries 2 agents 1`, "s2": `name "" parent "s1" messages 1 entries 1 agents 1`,
		"s3": `name "" parent "s1" messages 1 entries 1 agents 0`, "s4": `name "By hand" parent "" messages 1 entries 1 agents 0`, "s9": `name "" parent "" messages 1 entries 1 agents 1`,
	}
	check := func(c *catalog.Catalog) {
		t.Helper()
		got := map[string]string{}
		for _, s := range c.Sessions() {
			got[s.ID] = fmt.Sprintf("name %q parent %q messages %d entries %d agents %d", s.Name, s.Parent, s.Messages, s.Entries, s.Agents)
		}
		for id, w := range want {
			if got[id] != w {
				t.Errorf("%s: %s, want %s", id, got[id], w)
			}
		}
		if len(got) != len(want) || len(c.Unreadable()) != 1 {
			t.Errorf("sessions %v, unreadable %v", got, c.Unreadable())
		}
	}
	c := filled(t, cache, dir)
	check(c)
	again := filled(t, cache, dir)
	check(again)
	if p := again.Progress(); p.BytesScanned != 0 {
		t.Errorf("%d bytes were read again", p.BytesScanned)
	}
	add(t, in("s3.jsonl"), `{"type":"summary","summary":"The fourth","leafUuid":"u2"}`+"\n")
	again.UpdatePaths(ctx, in("s3.jsonl"))
	want["s2"] = `name "The fourth" parent "s1" messages 1 entries 1 agents 1`
	check(again)
}

// The list shows the name that the user set last: a line of the file, one that clears
// the name, the agent's copy in another file, or the sidecar's.
func TestClaude_Names(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, "-p", filepath.FromSlash(name)) }
	titled := func(title string) string {
		return fmt.Sprintf(`{"type":"custom-title","customTitle":%q,"sessionId":"s1"}`+"\n", title)
	}
	write(t, in("s1/custom-title.json"), `{"customTitle":"Beside"}`)
	write(t, in("s1.jsonl"), recordedLine("s1", "u1", "", 1, ""), recordedLine("s1", "a1", "u1", 2, ""))
	c := filled(t, cache, dir)
	check := func(want string) {
		t.Helper()
		c.UpdatePaths(ctx, in("s1.jsonl"))
		for _, c := range []*catalog.Catalog{c, filled(t, cache, dir), filled(t, t.TempDir(), dir)} {
			if all := c.Sessions(); len(all) != 1 || all[0].Name != want {
				t.Errorf("sessions %+v, want the name %q", all, want)
			}
		}
	}
	check("Beside")
	add(t, in("s1.jsonl"), titled("First"))
	check("First")
	add(t, in("s1.jsonl"), recordedLine("s1", "u2", "a1", 3, ""), titled("Second"))
	check("Second")
	add(t, in("s1.jsonl"), titled(""))
	check("")
}

// Appended lines are counted, whatever their parent is, without reading the session
// again, except for a prompt that starts a branch.
func TestClaude_Grows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "-p", "s1.jsonl")
	write(t, path, recordedLine("s1", "u1", "", 1, ""), recordedLine("s1", "a1", "u1", 2, ""), recordedLine("s1", "a2", "a1", 3, ""))
	c := filled(t, "", dir)
	c.Sessions()
	result := func(id, up string, s int) string {
		return fmt.Sprintf(`{"parentUuid":%q,"sessionId":"s1","type":"user","uuid":%q,"timestamp":"2026-01-01T10:00:%02dZ","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}}`+"\n", up, id, s)
	}
	for _, step := range []struct {
		added, leaf       string
		messages, entries int
		branches          int
		name              string
	}{
		{result("r1", "a1", 4), "r1", 4, 4, 0, ""},
		{`{"type":"queue-operation","operation":"enqueue","sessionId":"s1"}` + "\n", "r1", 4, 4, 0, ""},
		{result("r2", "a2", 5) + recordedLine("s1", "a3", "r2", 6, ""), "a3", 6, 6, 0, ""},
		{`{"type":"ai-title","aiTitle":"Found","sessionId":"s1"}` + "\n", "a3", 6, 6, 0, "Found"},
		{recordedLine("s1", "u2", "a3", 7, ""), "u2", 7, 7, 0, "Found"},
		{recordedLine("s1", "u3", "a3", 8, "") + recordedLine("s1", "a4", "u3", 9, ""), "a4", 9, 9, 1, "Found"},
	} {
		add(t, path, step.added)
		c.UpdatePaths(ctx, path)
		s := c.Sessions()[0]
		if s.Leaf != step.leaf || s.Messages != step.messages || s.Entries != step.entries || s.Branches != step.branches || s.Name != step.name {
			t.Errorf("after %.60s: leaf %s, %d messages, %d entries, %d branches, name %q", step.added, s.Leaf, s.Messages, s.Entries, s.Branches, s.Name)
		}
	}
}

// A session that grows by the entry from which another one continues becomes its parent.
func TestParentAfterGrowth(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "-p", "s1.jsonl")
	write(t, first, recordedLine("s1", "u1", "", 1, ""))
	write(t, filepath.Join(dir, "-p", "s2.jsonl"), recordedLine("s2", "u3", "a2", 3, ""))
	c := filled(t, t.TempDir(), dir)
	for _, step := range []struct{ add, parent string }{
		{"", ""},
		{recordedLine("s1", "a1", "u1", 2, ""), ""}, // ties them not
		{recordedLine("s1", "a2", "a1", 2, ""), "s1"},
	} {
		add(t, first, step.add)
		c.UpdatePaths(ctx, first)
		for _, s := range c.Sessions() {
			if s.ID == "s2" && s.Parent != step.parent {
				t.Errorf("with %q its parent is %q, want %q", step.add, s.Parent, step.parent)
			}
		}
	}
}
