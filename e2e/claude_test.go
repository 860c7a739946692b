//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// copyClaudeProject copies the sample project of Claude Code: two sessions, one
// continuing the other, and an agent.
func copyClaudeProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(harness.SourceRoot(t), "testdata", "claude", "project"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// openFromIndex opens a session from the index by its title.
func openFromIndex(p *harness.Page, title string) {
	p.WaitUntil(`document.querySelectorAll("a.session-link").length === 2`)
	p.RunScript(`[...document.querySelectorAll("a.session-link")].find(a => a.innerText.includes("` + title + `")).click()`)
	p.WaitForElement("#tree .row .leaf-tag")
	waitForLive(p)
}

// Navigation from a session into its agent and back, into the session that continues it
// and back, and to the compaction.
func TestClaude(t *testing.T) {
	server := harness.StartServer(t, copyClaudeProject(t))
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	openFromIndex(p, "A wren that sings softly")
	p.WaitForText("#path", "It does not: there is no build script.")

	// Into the agent by its row, and back to the call that started it.
	const agent = "#tree .row--branch.row--agent"
	p.WaitForText(agent, "Compare with a robin")
	p.Click(agent + " .row-link")
	p.WaitForElement(pathItemSelector("g1"))
	p.WaitForText("#path", "Compare the wren with a robin.")
	waitForURL(p, "entry=g1")
	p.WaitForText("#h-g1", "Sub-agent")
	p.Click("#h-g1 a")
	waitForURL(p, "entry=r4")
	waitForURL(p, "leaf=g4")
	p.WaitForElement("#e-r4.is-target")
	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForElement(pathItemSelector("ab"))

	// Into it by its line on the path.
	p.WaitForText("#j-r4-g1", "4 entries")
	p.RunScript(`document.querySelector("#j-r4-g1").scrollIntoView({block: "center"})`) // the prompt of the turn covers the top
	p.Click("#j-r4-g1 a")
	waitForURL(p, "entry=g1")
	p.GoBack()
	// The viewer is again where they were, above the end.
	p.WaitUntil(fmt.Sprintf(`(document.querySelector("#main").scrollTop = 1e9, !!document.querySelector(%q))`, pathItemSelector("ab")))

	// Into the next session, and back to where it began.
	p.WaitForElement("#j-a9-v1")
	p.WaitForText("#j-a9-v1", "continues from here, 5 entries")
	p.Click("#j-a9-v1 a")
	p.WaitForText("#path", "One egg, speckled.")
	p.WaitForText("#h-v1", "Now a nest")
	p.WaitForText("#h-v1", "in A wren that sings softly")
	p.Click("#h-v1 a")
	waitForURL(p, "entry=a9")
	p.GoBack()
	waitForURL(p, "entry=v1")
	p.WaitForElement("#e-v1.is-target")

	// To the compaction, by the command palette.
	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForElement(pathItemSelector("b1"))
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette[open]")
	p.TypeText("compaction")
	p.WaitForText("#palette-list", "Go to compaction, 115k tokens, manual")
	p.PressKey(harness.Enter)
	waitForURL(p, "entry=b1")
	p.WaitForElement("#e-b1.is-target")
	p.WaitForText("#e-b1", "Compacted 115k tokens")
}

// The continuing session begins with its own row, which links to its first prompt.
func TestClaude_continued(t *testing.T) {
	server := harness.StartServer(t, copyClaudeProject(t))
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	openFromIndex(p, "Now a nest")
	p.WaitForText("#tree .row--head", "Now a nest")
	p.Click("#tree .row--head .row-link")
	waitForURL(p, "entry=v1")
	p.WaitForElement("#e-v1.is-target")
	p.WaitForText("#h-u1", "A wren that sings softly")

	// Prompts only: no commands, no summary, no results.
	p.Click(`#filters a[data-filter="user-only"]`)
	p.WaitForNone("#tree .row--answer")
	texts := harness.EvalScript[string](p, `[...document.querySelectorAll("#tree .row--user .row-link, #tree .row--branch .row-link")].map(e => e.innerText.trim()).join("; ")`)
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

// The same links work on a phone.
func TestClaude_phone(t *testing.T) {
	server := harness.StartServer(t, copyClaudeProject(t))
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.URL)
	openFromIndex(p, "A wren that sings softly")
	p.Open(p.Location() + "?entry=a9")
	p.WaitForText("#j-a9-v1", "Now a nest")
	p.RunScript(`document.querySelector("#j-a9-v1 a").scrollIntoView({block: "center"})`)
	p.Click("#j-a9-v1 a")
	waitForURL(p, "entry=v1")
	p.WaitForText("#path", "One egg, speckled.")
	checkWidth(t, p, "session")

	// In a sub-agent, the bar names only it, and the way back has room.
	p.Open(strings.SplitN(p.Location(), "?", 2)[0] + "?entry=g1")
	p.WaitForText("#agent-crumb", "Sub-agent Compare with a robin")
	p.WaitUntil(`document.querySelector("#title").getBoundingClientRect().width === 0`)
	p.WaitUntil(`document.querySelector("#away .btn").getBoundingClientRect().right < innerWidth`)
}

// A session that continues the open one appears where it begins. The leaf shows nothing
// new.
func TestClaude_live(t *testing.T) {
	dir := copyClaudeProject(t)
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	openFromIndex(p, "A wren that sings softly")
	p.WaitForElement("#j-a9-v1")
	p.WaitForNone("#j-a6-n1")
	line := `{"parentUuid":"a6","isSidechain":false,"userType":"external","cwd":"/home/tester/bird","sessionId":"33333333-0000-4000-8000-000000000003","version":"2.1.0","type":"user","uuid":"n1","timestamp":"2026-03-01T11:00:00.000Z","message":{"role":"user","content":"Now an owl"}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "33333333-0000-4000-8000-000000000003.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	p.WaitForElement("#j-a6-n1")
	p.WaitForText("#j-a6-n1", "Now an owl")
	p.WaitForText("#tree .row--session", "Now an owl")
	if !harness.EvalScript[bool](p, `document.querySelector("#new-pill").hidden`) {
		t.Errorf("the page says %q of a session that goes on elsewhere", p.Text("#new-pill"))
	}
}
