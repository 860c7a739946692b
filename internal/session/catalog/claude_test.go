package catalog_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/catalog"
)

// said is a line of a session of Claude Code, second s after ten.
func said(sid, id, parent string, s int, more string) string {
	up, role := fmt.Sprintf("%q", parent), "user"
	if parent == "" {
		up = "null"
	}
	if id[0] == 'a' {
		role = "assistant"
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":%q,"type":%q,"uuid":%q,"timestamp":"2026-01-01T10:00:%02dZ","message":{"role":%q,"content":[{"type":"text","text":%q}]}%s}`+"\n", up, sid, role, id, s, role, "words of "+id, more)
}

// A row for each session, with what is its own: agents are none, unless their
// session is gone; a copied prefix counts where it was said; a title may stand in
// another session's file.
func TestClaude(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, "-p", filepath.FromSlash(name)) }
	forked := `,"forkedFrom":{"sessionId":"s1","messageUuid":"x"}`
	agent := `,"isSidechain":true,"agentId":"b1"`
	write(t, in("s1.jsonl"), said("s1", "u1", "", 1, ""), said("s1", "a1", "u1", 2, ""))
	write(t, in("s2.jsonl"), said("s2", "u1", "", 1, forked), said("s2", "a1", "u1", 2, forked), said("s2", "u2", "a1", 3, ""))
	write(t, in("s3.jsonl"), said("s3", "u3", "a1", 4, ""), `{"type":"summary","summary":"The first one","leafUuid":"a1"}`+"\n")
	write(t, in("s4.jsonl"), said("s4", "u4", "", 5, ""), `{"type":"custom-title","customTitle":"By hand","sessionId":"s4"}`+"\n")
	write(t, in("s1/subagents/agent-b1.jsonl"), said("s1", "x1", "", 6, agent))
	write(t, in("s1/subagents/workflows/r/journal.jsonl"), `{"type":"started","agentId":"b1","key":"k"}`+"\n")
	write(t, in("agent-b2.jsonl"), said("s9", "x2", "", 7, agent))
	write(t, in("agent-b3.jsonl"), said("s2", "x3", "", 8, agent))
	write(t, in("s8.jsonl"))
	want := map[string]string{
		"s1": `name "The first one" parent "" messages 2 entries 2`, "s2": `name "" parent "s1" messages 1 entries 1`,
		"s3": `name "" parent "s1" messages 1 entries 2`, "s4": `name "By hand" parent "" messages 1 entries 2`, "s9": `name "" parent "" messages 1 entries 1`,
	}
	check := func(c *catalog.Catalog) {
		t.Helper()
		got := map[string]string{}
		for _, s := range c.Sessions() {
			got[s.ID] = fmt.Sprintf("name %q parent %q messages %d entries %d", s.Name, s.Parent, s.Messages, s.Entries)
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
	again.Touch(ctx, in("s3.jsonl"))
	want["s2"], want["s3"] = `name "The fourth" parent "s1" messages 1 entries 1`, `name "" parent "s1" messages 1 entries 3`
	check(again)
}
