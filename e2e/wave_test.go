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

const (
	shopFile     = "0aa11111-1111-4111-8111-111111111111.jsonl"
	askingAnswer = "msg-00000066-0000-4000-8000-000000000066" // the answer that calls two agents
	fixPrompt    = "msg-00000067-0000-4000-8000-000000000067"
	fixAnswer    = "msg-00000068-0000-4000-8000-000000000068"
	agentPrompt  = "msg-0000012d-0000-4000-8000-00000000012d" // the first entry of an agent
)

// copyWaveProject copies the sample project of Wave: two sessions and three sub-agents.
func copyWaveProject(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	project := filepath.Join(dir, "home-dev-shop")
	if err := os.CopyFS(project, os.DirFS(filepath.Join(harness.SourceRoot(t), "testdata", "wave", "project"))); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(project, shopFile)
}

// waveMessage returns a message line of Wave.
func waveMessage(id, role, text string) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-02T11:00:00.000Z","id":%q,"role":%q,"blocks":[{"type":"text","content":%q}]}`+"\n", id, role, text)
}

// Navigation from the index into a session, a tool and an agent; a label; and a new
// session from a path. The file stays unchanged.
func TestWave(t *testing.T) {
	dir, path := copyWaveProject(t)
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	holdToasts(p)
	p.Open(server.URL)
	p.WaitUntil(`document.querySelectorAll("a.session-link").length === 2`) // sub-agents are not sessions
	p.RunScript(`[...document.querySelectorAll("a.session-link")].find(a => a.innerText.includes("Find out why")).click()`)
	p.WaitForElement("#tree .row .leaf-tag")
	waitForLive(p)
	before := readText(t, path)

	// A tool has a row and a card with its result.
	p.WaitForText(fmt.Sprintf(`#tree .row.row--tool[data-entry=%q]`, askingAnswer), "Look for leaks")
	p.WaitUntil(`[...document.querySelectorAll("#path .tool")].some(t => t.textContent.includes("There is one in cart.ts"))`)

	// Into an agent, and back.
	p.WaitForText(branchRowSelector(agentPrompt), "Look for leaks")
	p.Click(branchRowSelector(agentPrompt) + " .row-link")
	p.WaitForText("#path", "Look for leaks in the cart module")
	waitForURL(p, "entry="+agentPrompt)
	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForText("#path", "Fixed.")

	// The label is stored in a sidecar.
	focusRow(p, fixPrompt)
	p.PressKey("L", harness.Shift)
	p.WaitForElement("#change-label:focus")
	p.TypeText("the order")
	p.PressKey(harness.Enter)
	p.WaitForText(rowSelector(fixPrompt)+" .chip", "the order")

	// Branching in place is refused; a new file is possible.
	openDialogFor(p, "fork", askingAnswer)
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForText("#toast", "Branched to")
	p.Click("#toast a")
	p.WaitForElement(rowSelector(askingAnswer))
	p.WaitForNone(rowSelector(fixPrompt))
	if got := readText(t, path); got != before {
		t.Errorf("the session's file was changed:\n%s", got)
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "1*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("new files: %v", files)
	}
	made := readText(t, files[0])
	head, rest, _ := strings.Cut(made, "\n")
	if !strings.HasPrefix(head, `{"type":"metadata","workdir":"/home/dev/shop","createdAt":`) || !strings.Contains(before, rest) || strings.Count(rest, "\n") != 2 {
		t.Errorf("the new file holds\n%s", made)
	}
}

// Messages that Wave retracts while the page is open become a branch, also after a
// restart.
func TestWave_Rewind(t *testing.T) {
	box := harness.NewSessionDir(t)
	dir, path := copyWaveProject(t)
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(fixAnswer))
	waitForLive(p)
	markDocument(p)
	whole := strings.SplitAfter(readText(t, path), "\n")
	box.AppendFile(path, []byte(waveMessage("n1", "user", "And test it")))
	p.WaitForElement(rowSelector("n1"))

	box.WriteFile(path, []byte(strings.Join(whole[1:3], ""))) // Wave removes the header too
	p.WaitForNone(rowSelector("n1"))
	p.WaitForText(branchRowSelector(fixPrompt), "retracted")
	p.WaitForText(branchRowSelector(fixPrompt), "Fix it")
	box.AppendFile(path, []byte(waveMessage("n2", "user", "Leave it as it is")))
	p.WaitForElement(rowSelector("n2"))
	p.Click(branchRowSelector(fixPrompt) + " .row-link")
	p.WaitForText("#path", "And test it")
	p.WaitForText("#path", "the explorer keeps it")
	checkNotReloaded(t, p)
	p.Close()

	server.Restart()
	p = sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.WaitForElement(pathItemSelector("n2"))
	p.RunScript(`location.href = document.querySelector("#app").dataset.base + "?entry=n1"`)
	p.WaitForText("#path", "And test it")
}

// Screenshots of Wave's blocks and of a retracted branch.
func TestShots_Wave(t *testing.T) {
	skipUnlessShots(t)
	box := harness.NewSessionDir(t)
	dir, path := copyWaveProject(t)
	blocks, err := os.ReadFile(filepath.Join(harness.SourceRoot(t), "testdata", "wave", "forms", "blocks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "home-dev-shop", "0ff66666-6666-4666-8666-666666666666.jsonl")
	box.WriteFile(other, blocks)
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	p.SetWindowSize(1440, 900)
	p.Open(server.SessionURL(other))
	waitForLive(p)
	p.SaveScreenshot("wave-blocks-end")
	p.RunScript(`document.querySelector("#tree .row--answer .row-link").click()`)
	p.WaitForElement(pathItemSelector("msg-00000003-0000-4000-8000-000000000003"))
	p.SaveScreenshot("wave-blocks")
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(fixAnswer))
	waitForLive(p)
	whole := strings.SplitAfter(readText(t, path), "\n")
	box.WriteFile(path, []byte(strings.Join(whole[1:3], "")+waveMessage("n2", "user", "Leave it as it is")))
	p.WaitForElement(rowSelector("n2"))
	p.SaveScreenshot("wave-rewound")
	p.Click(branchRowSelector(fixPrompt) + " .row-link")
	p.WaitForText("#path", "the explorer keeps it")
	p.SaveScreenshot("wave-rewound-open")
	p.EmulatePhone()
	p.SaveScreenshot("wave-phone")
}
