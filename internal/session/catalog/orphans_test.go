package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// The agents of a missing session are one row, whatever their number, and open
// together; those of an existing session have no row.
func TestSessions_Orphaned(t *testing.T) {
	dir := t.TempDir()
	line := func(session, agent, uuid string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":null,"sessionId":%q,"agentId":%q,"isSidechain":%v,"timestamp":"2026-01-01T00:00:0%d.000Z","cwd":"/p","version":"2","userType":"external","message":{"role":"user","content":"Warmup %s"}}`+"\n",
			uuid, session, agent, agent != "", len(agent), uuid)
	}
	for name, text := range map[string]string{
		"agent-a.jsonl": line("gone", "a", "u1"), "agent-bb.jsonl": line("gone", "bb", "u2"), "agent-ccc.jsonl": line("gone", "ccc", "u3"),
		"there.jsonl": line("there", "", "u4"), "agent-d.jsonl": line("there", "d", "u5"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(catalog.Config{Library: lib})
	if err := c.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := map[string]catalog.Summary{}
	for _, s := range c.Sessions() {
		all[filepath.Base(s.Path)] = s
	}
	lost, ok := all["agent-a.jsonl"]
	if len(all) != 2 || !ok || !lost.Orphaned || lost.Messages != 3 || all["there.jsonl"].Orphaned {
		t.Fatalf("listed: %+v", all)
	}
	s, err := lib.Open(t.Context(), lost.Path)
	if err != nil {
		t.Fatal(err)
	}
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		if tree.Len() != 3 || len(tree.Roots()) != 3 {
			t.Errorf("%d entries, %d roots, want the three agents", tree.Len(), len(tree.Roots()))
		}
	})
	// The session is back: its agents are part of it at once.
	if err := os.WriteFile(filepath.Join(dir, "gone.jsonl"), []byte(line("gone", "", "u6")), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Rescan(t.Context())
	back, ok := c.FindByPath(filepath.Join(dir, "gone.jsonl"))
	if all := c.Sessions(); len(all) != 2 || !ok || back.Agents != 3 {
		t.Errorf("%d sessions, %d agents, want 2 and 3", len(all), back.Agents)
	}
}
