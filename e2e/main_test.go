//go:build e2e

// Package e2e tests the built explorer in a real Chromium, one file per use case. make
// e2e builds and runs it.
package e2e

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/sampletest"
	"sessiontree/internal/testgen/transcript"
)

var (
	browser     *harness.Browser
	browserOnce sync.Once
)

func TestMain(m *testing.M) {
	code := m.Run()
	if browser != nil {
		browser.Close()
	}
	os.Exit(code)
}

// sharedBrowser returns the browser shared by all tests.
func sharedBrowser(t *testing.T) *harness.Browser {
	t.Helper()
	browserOnce.Do(func() { browser = harness.NewBrowser(t, harness.CheapPages...) })
	if browser == nil {
		t.Fatal("no browser")
	}
	return browser
}

// newPageWithLook returns a page of a size, "desktop" or "phone", and of a theme.
func newPageWithLook(t *testing.T, size, theme string) *harness.Page {
	t.Helper()
	p := sharedBrowser(t).NewPage(t)
	if size == "phone" {
		p.EmulatePhone()
	}
	p.EmulateTheme(theme)
	return p
}

// runInEachLook runs a test with a page of each size, outside CI on a desktop only, and for screenshots
// with each theme: other tests need one, because p.CheckAccessibility checks the colors of both.
func runInEachLook(t *testing.T, test func(t *testing.T, p *harness.Page, size string)) {
	t.Helper()
	for _, size := range sizes() {
		for _, theme := range themes() {
			t.Run(size+" "+theme, func(t *testing.T) { test(t, newPageWithLook(t, size, theme), size) })
		}
	}
}

// sizes returns the sizes of the window that tests of a page run with.
func sizes() []string {
	if sampletest.InCI() || takesScreenshots() {
		return []string{"desktop", "phone"}
	}
	return []string{"desktop"}
}

// themes returns the themes that tests of a page run in.
func themes() []string {
	if takesScreenshots() {
		return []string{"light", "dark"}
	}
	return []string{"light"}
}

// takesScreenshots reports whether the tests write screenshots, as with make shots.
func takesScreenshots() bool { return os.Getenv("SHOTS") != "" }

// skipOutsideCI skips a test outside CI (see sampletest.SkipOutsideCI), but not its screenshots.
func skipOutsideCI(t *testing.T) {
	t.Helper()
	if !takesScreenshots() {
		sampletest.SkipOutsideCI(t)
	}
}

// someCases returns every third case outside CI, but all for screenshots.
func someCases[T any](all []T) []T {
	if takesScreenshots() {
		return all
	}
	return sampletest.Cases(all)
}

// skipUnlessShots skips a test that checks nothing: it writes screenshots, for comparison
// with the design (make shots).
func skipUnlessShots(t *testing.T) {
	t.Helper()
	if !takesScreenshots() {
		t.Skip("writes screenshots, only with SHOTS set (make shots)")
	}
}

// forkedSession is a session with two branches at the first answer next to the path to
// the leaf, and a branch within the first one.
type forkedSession struct {
	*transcript.File
	first, one, mid, oneTip, inner, two, twoTip, main, leaf string
}

func newForkedSession() forkedSession {
	f := transcript.New(transcript.Pi, "e2e-forked", "/home/dev/project", harness.SessionStart)
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	var k forkedSession
	k.File = f
	f.AddPrompt("Where does the time go?")
	k.first = f.AddReply("Into encoding the same picture again and again.")
	k.one = f.AddPrompt("Use a library for it")
	k.mid = f.AddReply("The library brings four modules along.")
	k.inner = f.AddPrompt("Could we copy the one function?")
	f.AddReply("We could, it has 40 lines.")
	f.BranchFrom(k.mid)
	f.AddPrompt("Go on with the library")
	k.oneTip = f.AddReply("The library is wired in.")
	f.BranchFrom(k.first)
	k.two = f.AddPrompt("Do nothing about it")
	k.twoTip = f.AddReply("Then it stays as slow as it is.")
	f.BranchFrom(k.first)
	k.main = f.AddPrompt("Write a small cache")
	f.AddBashCall("Tests first.", "go test ./cache", "FAIL\n\nCommand exited with code 1", true)
	f.AddThinkingReply("The order is wrong: count before the check.", "The limit was checked too early.")
	f.AddEditCall("", "cache.go", "a", "b", "- 40 \tfor c.used > c.limit {\n+ 40 \tfor c.used+len(b) > c.limit {\n  41 \t\tc.drop()\n")
	k.leaf = f.AddReply("The cache works: **3 ms** instead of 400.")
	return k
}

// longSession returns a session of n prompts and answers in one chain.
func longSession(id string, n int) *transcript.File {
	f := transcript.New(transcript.Pi, id, "/home/dev/project", harness.SessionStart)
	for i := range n {
		f.AddPrompt(fmt.Sprintf("Question %d of a long session", i+1))
		f.AddReply(fmt.Sprintf("Answer %d.\n\nIt has a second paragraph, so that the path is long enough to scroll.", i+1))
	}
	return f
}

// rowSelector returns the selector of an entry's row.
func rowSelector(entry string) string {
	return fmt.Sprintf(`#tree .row[data-entry=%q]:not(.row--branch)`, entry)
}

// branchRowSelector returns the selector of a branch row by the first entry of the
// branch.
func branchRowSelector(head string) string {
	return fmt.Sprintf(`#tree .row--branch[data-entry=%q]`, head)
}

// pathItemSelector returns the selector of an entry in the path.
func pathItemSelector(entry string) string { return fmt.Sprintf(`#path [data-entry=%q]`, entry) }

// waitForURL waits until the address contains a part.
func waitForURL(p *harness.Page, part string) {
	p.WaitUntil(fmt.Sprintf(`decodeURIComponent(location.href).includes(%q)`, part))
}

// waitForLive waits until the page is connected to the server.
func waitForLive(p *harness.Page) {
	p.WaitForElement(`#live-state[data-state="live"]`)
}
