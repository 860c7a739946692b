//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// birds copies the sample project of Claude Code: two sessions, one going on from
// the other, and an agent.
func birds(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(harness.Root(t), "testdata", "claude", "project"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// choose opens a session of the index by its title.
func choose(p *harness.Page, title string) {
	p.Wait(`document.querySelectorAll("a.srow").length === 2`)
	p.Exec(`[...document.querySelectorAll("a.srow")].find(a => a.innerText.includes("` + title + `")).click()`)
	p.Has("#tree .row .leaf-tag")
	live(p)
}

// A reader goes from a session into its agent and back, on into the session that
// continues it and back, and to where it was compacted.
func TestClaude(t *testing.T) {
	server := harness.Start(t, birds(t))
	p := chromium(t).Page(t)
	p.Open(server.URL)
	choose(p, "A wren that sings softly")
	p.Says("#path", "It does not: there is no build script.")

	// Into the agent by its row, back to the call that started it.
	const agent = "#tree .row--stub.row--agent"
	p.Says(agent, "Compare with a robin")
	p.Click(agent + " .row-link")
	p.Has(item("g1"))
	p.Says("#path", "Compare the wren with a robin.")
	inURL(p, "entry=g1")
	p.Says("#h-g1", "Agent")
	p.Click("#h-g1 a")
	inURL(p, "entry=r4")
	inURL(p, "leaf=g4")
	p.Has("#e-r4.is-target")
	p.Click(`#away a[data-do="leaf"]`)
	p.Has(item("ab"))

	// Into it by its line on the path.
	p.Says("#j-r4-g1", "4 entries")
	p.Click("#j-r4-g1 a")
	inURL(p, "entry=g1")
	p.Back()
	p.Has(item("ab"))

	// On into the next session, and back to where it began.
	p.Has("#j-a9-v1")
	p.Says("#j-a9-v1", "continues from here, 5 entries")
	p.Click("#j-a9-v1 a")
	p.Says("#path", "One egg, speckled.")
	p.Says("#h-v1", "Now a nest")
	p.Says("#h-v1", "in A wren that sings softly")
	p.Click("#h-v1 a")
	inURL(p, "entry=a9")
	p.Back()
	inURL(p, "entry=v1")
	p.Has("#e-v1.is-target")

	// To the compaction, by the list of commands.
	p.Click(`#away a[data-do="leaf"]`)
	p.Has(item("b1"))
	p.Key("k", harness.Control)
	p.Has("#palette[open]")
	p.Type("compaction")
	p.Says("#palette-list", "Go to compaction, 115k tokens, manual")
	p.Key(harness.Enter)
	inURL(p, "entry=b1")
	p.Has("#e-b1.is-target")
	p.Says("#e-b1", "Compacted 115k tokens")
}

// The session that goes on begins with a row of its own; it leads to its first
// prompt.
func TestClaude_continued(t *testing.T) {
	server := harness.Start(t, birds(t))
	p := chromium(t).Page(t)
	p.Open(server.URL)
	choose(p, "Now a nest")
	p.Says("#tree .row--head", "Now a nest")
	p.Click("#tree .row--head .row-link")
	inURL(p, "entry=v1")
	p.Has("#e-v1.is-target")
	p.Says("#h-u1", "A wren that sings softly")

	// Prompts alone: no commands, no summary, no results.
	p.Click(`#filters a[data-filter="user-only"]`)
	p.Lacks("#tree .row--asst")
	texts := harness.Eval[string](p, `[...document.querySelectorAll("#tree .row--user .row-link, #tree .row--stub .row-link")].map(e => e.innerText.trim()).join("; ")`)
	for _, words := range []string{"Draw a bird that sings", "Make it softer", "Now a nest", "And an egg"} {
		if !strings.Contains(texts, words) {
			t.Errorf("%q is not among the prompts: %s", words, texts)
		}
	}
	for _, words := range []string{"compact", "Caveat", "being continued"} {
		if strings.Contains(texts, words) {
			t.Errorf("%q is no prompt: %s", words, texts)
		}
	}
}

// On a phone the same lines lead on.
func TestClaude_phone(t *testing.T) {
	server := harness.Start(t, birds(t))
	p := chromium(t).Page(t)
	p.Phone()
	p.Open(server.URL)
	choose(p, "A wren that sings softly")
	p.Open(p.Location() + "?entry=a9")
	p.Says("#j-a9-v1", "Now a nest")
	p.Exec(`document.querySelector("#j-a9-v1 a").scrollIntoView({block: "center"})`)
	p.Click("#j-a9-v1 a")
	inURL(p, "entry=v1")
	p.Says("#path", "One egg, speckled.")
	fits(t, p, "session")
}

// A session that goes on from this one while it is read appears where it begins;
// nothing is new on the leaf.
func TestClaude_live(t *testing.T) {
	dir := birds(t)
	server := harness.Start(t, dir)
	p := chromium(t).Page(t)
	p.Open(server.URL)
	choose(p, "A wren that sings softly")
	p.Has("#j-a9-v1")
	p.Lacks("#j-a6-n1")
	line := `{"parentUuid":"a6","isSidechain":false,"userType":"external","cwd":"/home/tester/bird","sessionId":"33333333-0000-4000-8000-000000000003","version":"2.1.0","type":"user","uuid":"n1","timestamp":"2026-03-01T11:00:00.000Z","message":{"role":"user","content":"Now an owl"}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "33333333-0000-4000-8000-000000000003.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Has("#j-a6-n1")
	p.Says("#j-a6-n1", "Now an owl")
	p.Says("#tree .row--session", "Now an owl")
	if !harness.Eval[bool](p, `document.querySelector("#new-pill").hidden`) {
		t.Errorf("the page says %q of a session that goes on elsewhere", p.Text("#new-pill"))
	}
}
