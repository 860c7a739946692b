//go:build e2e

// Package e2e drives the built explorer in a real Chromium, one file per use
// case. make e2e builds both and runs it.
package e2e

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
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

// chromium is the one browser of all tests.
func chromium(t *testing.T) *harness.Browser {
	t.Helper()
	browserOnce.Do(func() { browser = harness.NewBrowser(t) })
	if browser == nil {
		t.Fatal("no browser")
	}
	return browser
}

// forked is a session with two branches beside the path to the leaf, both at the
// first answer, and one more inside the first of them.
type forked struct {
	*transcript.File
	first, one, mid, oneTip, inner, two, twoTip, main, leaf string
}

func newForked() forked {
	f := transcript.New(transcript.Pi, "e2e-forked", "/home/dev/project", harness.Start0)
	f.SetModel("anthropic", "claude-sonnet-4-5")
	var k forked
	k.File = f
	f.User("Where does the time go?")
	k.first = f.Say("Into encoding the same picture again and again.")
	k.one = f.User("Use a library for it")
	k.mid = f.Say("The library brings four modules along.")
	k.inner = f.User("Could we copy the one function?")
	f.Say("We could, it has 40 lines.")
	f.Back(k.mid)
	f.User("Go on with the library")
	k.oneTip = f.Say("The library is wired in.")
	f.Back(k.first)
	k.two = f.User("Do nothing about it")
	k.twoTip = f.Say("Then it stays as slow as it is.")
	f.Back(k.first)
	k.main = f.User("Write a small cache")
	f.Bash("Tests first.", "go test ./cache", "FAIL\n\nCommand exited with code 1", true)
	f.Think("The order is wrong: count before the check.", "The limit was checked too early.")
	f.Edit("", "cache.go", "a", "b", "- 40 \tfor c.used > c.limit {\n+ 40 \tfor c.used+len(b) > c.limit {\n  41 \t\tc.drop()\n")
	k.leaf = f.Say("The cache works: **3 ms** instead of 400.")
	return k
}

// long is a session of n prompts and answers in one chain.
func long(id string, n int) *transcript.File {
	f := transcript.New(transcript.Pi, id, "/home/dev/project", harness.Start0)
	for i := range n {
		f.User(fmt.Sprintf("Question %d of a long session", i+1))
		f.Say(fmt.Sprintf("Answer %d.\n\nIt has a second paragraph, so that the path is long enough to scroll.", i+1))
	}
	return f
}

// row is the selector of an entry's row.
func row(entry string) string { return fmt.Sprintf(`#tree .row[data-entry=%q]:not(.row--stub)`, entry) }

// stub is the selector of a branch's row by the first entry of the branch.
func stub(head string) string { return fmt.Sprintf(`#tree .row--stub[data-entry=%q]`, head) }

// item is the selector of an entry in the path.
func item(entry string) string { return fmt.Sprintf(`#path [data-entry=%q]`, entry) }

// inURL waits until the address holds a part.
func inURL(p *harness.Page, part string) {
	p.Wait(fmt.Sprintf(`decodeURIComponent(location.href).includes(%q)`, part))
}

// live waits until the page hears from the server.
func live(p *harness.Page) {
	p.Has(`#live-state[data-state="live"]`)
}
