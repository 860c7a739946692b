//go:build e2efirefox

// Package firefox tests the built explorer in a real Firefox: that the list, a session and
// an exported page work there. make e2e-firefox installs Firefox and runs it.
package firefox

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// newSession returns a session of many prompts with a branch next to the path to the leaf.
func newSession() (file *transcript.File, branch string) {
	f := transcript.New(transcript.Pi, "firefox", "/home/dev/project", harness.SessionStart)
	f.AddName("Small cache")
	for i := range 60 {
		f.AddPrompt(fmt.Sprintf("Question %d", i+1))
		f.AddReply(fmt.Sprintf("Answer %d.\n\nIt has a second paragraph.", i+1))
	}
	fork := f.LastID
	branch = f.AddPrompt("Use a library for it")
	f.AddReply("The library brings four modules along.")
	f.BranchFrom(fork)
	f.AddPrompt("Write a small cache")
	f.AddBashCall("Tests first.", "go test ./cache", "FAIL\n\nCommand exited with code 1", true)
	f.AddThinkingReply("The order is wrong.", "The cache works.")
	return f, branch
}

// A session opens from the list. Rows, keys, search, settings and updates work.
func TestSession(t *testing.T) {
	box := harness.NewSessionDir(t)
	f, branch := newSession()
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	b := startBrowser(t)
	b.open(server.URL)
	b.waitForText(".session-row .session-link", "Small cache")
	b.saveScreenshot("list")
	b.click(".session-row .session-link")
	b.waitForElement(`html[data-ready] #live-state[data-state="live"]`)
	b.waitForText("#path", "The cache works.")
	b.saveScreenshot("session")

	// With the mouse.
	b.click(fmt.Sprintf(`#tree .row--branch[data-entry=%q] .row-link`, branch))
	b.waitForText("#path", "The library brings four modules along.")
	b.click("#away")
	b.waitForText("#path", "The cache works.")
	b.click(`[data-do="tools"]`)
	b.waitForElement("#path details.tool[open]")

	// With keys: virtual rows, the search, the palette and the settings.
	b.click("#tree .row.is-selected .row-link")
	b.press(homeKey)
	b.waitUntil(`document.activeElement.matches('#tree [data-row="0"]')`)
	b.press(downKey)
	b.press("j")
	b.press(enterKey)
	b.waitForElement(`#tree [data-row="2"].is-selected`)
	b.press("/")
	b.typeText("Question 31")
	b.waitForElement("#tree mark")
	b.press(escapeKey)
	b.press(escapeKey)
	b.press(escapeKey)
	b.press(ctrlKey, "k")
	b.waitForElement("#palette[open]")
	b.typeText("Settings")
	b.press(enterKey)
	b.waitForElement("#settings[open]")
	b.click(`#settings label:has([value="compact"])`)
	b.waitUntil(`document.querySelector("#tree .row").getBoundingClientRect().height === 20`)
	b.click(`#settings label:has([data-setting="theme"][value="dark"])`)
	b.waitUntil(`getComputedStyle(document.body).backgroundColor === "rgb(16, 17, 20)"`)
	b.saveScreenshot("settings")
	b.press(escapeKey)

	// While the agent writes.
	b.press("l")
	b.waitForText("#path", "The cache works.")
	asked := f.AddPrompt("And across restarts?")
	box.AppendFile(path, f.LastLines(1))
	b.waitForElement(fmt.Sprintf(`#tree .row[data-entry=%q]`, asked))
	b.waitForText("#path", "And across restarts?")
}

// Every other page opens, without a message in the console.
func TestPages(t *testing.T) {
	box := harness.NewSessionDir(t)
	f, branch := newSession()
	session := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	b := startBrowser(t)
	base := server.SessionURL(session)
	for name, address := range map[string]string{
		"now": server.URL + "/now", "search": server.URL + "/search?q=cache", "spend": server.URL + "/spend",
		"branches": base + "/branches", "map": base + "/map", "files": base + "/files", "context": base + "/context?entry=" + f.LastID,
		"compare": base + "/compare?a=" + f.LastID + "&b=" + branch,
	} {
		b.open(address)
		if wide := b.evaluate(`document.documentElement.scrollWidth > innerWidth`); wide != false {
			t.Errorf("%s is wider than the window", address)
		}
		b.saveScreenshot(name)
	}
}

// An exported page opens from disk and works.
func TestExportedPage(t *testing.T) {
	box := harness.NewSessionDir(t)
	f, branch := newSession()
	path := box.WriteSession(f)
	out := filepath.Join(t.TempDir(), "page.html")
	cmd := exec.Command(harness.ExplorerPath(t), "export", path, "-o", out)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	b := startBrowser(t)
	b.open((&url.URL{Scheme: "file", Path: out}).String())
	b.waitForText("#path", "Question 1")
	b.click(`#tree [data-row="1"] .row-link`)
	b.press(endKey)
	b.click(fmt.Sprintf(`#tree .row--branch[data-entry=%q] .row-link`, branch))
	b.waitForText("#path", "The library brings four modules along.")
	b.press(",")
	b.waitForElement("#settings[open]")
	b.saveScreenshot("export")
}

// With the explorer stopped, the page of the service worker says so.
func TestOffline(t *testing.T) {
	box := harness.NewSessionDir(t)
	f, _ := newSession()
	box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	b := startBrowser(t)
	b.open(server.URL + "/now")
	b.waitUntil(`navigator.serviceWorker.getRegistration().then(r => r?.active?.state === "activated")`)
	harness.Until(t, "the service worker to have its part", func() bool {
		b.open(server.URL + "/spend")
		return b.evaluate(`navigator.serviceWorker.controller !== null`) == true
	})
	server.Stop()
	b.click(`.site-nav a[href="/"]`)
	b.waitForText("h1", "The explorer is not running")
	server.StartAgain()
	b.waitForText(".session-row .session-link", "Small cache")
	b.forgetConsole() // of requests without a server
}
