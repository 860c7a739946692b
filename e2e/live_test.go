//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// markDocument marks the document; a reload removes the mark.
func markDocument(p *harness.Page) { p.RunScript(`window.sameDocument = true`) }

func checkNotReloaded(t *testing.T, p *harness.Page) {
	t.Helper()
	if !harness.EvalScript[bool](p, `window.sameDocument === true`) {
		t.Error("the page was loaded again")
	}
}

// Appended entries appear without a reload. An incomplete line waits for its end.
func TestAppend(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)
	markDocument(p)

	ask := f.AddPrompt("And across restarts?")
	p.RunScript(fmt.Sprintf(`new MutationObserver(() => { window.rowAlsoShown ??= document.querySelector(%q) ? !!document.querySelector(%q) : undefined })
		.observe(document.querySelector("#path-pages"), { childList: true, subtree: true })`, pathItemSelector(ask), rowSelector(ask)))
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(rowSelector(ask))
	p.WaitForElement(pathItemSelector(ask)) // the viewer was at the leaf, so the page follows
	if !harness.EvalScript[bool](p, `window.rowAlsoShown === false`) {
		t.Error("the row was shown with the item of the path, not in the frame after")
	}

	answer := f.AddReply("It starts empty again.")
	tail := f.LastLines(1)
	half := len(tail) / 2
	box.AppendFile(path, tail[:half])
	f.AddPrompt("unrelated")
	box.AppendFile(path, tail[half:])
	p.WaitForElement(rowSelector(answer))
	p.WaitForText("#path", "It starts empty again")

	f.BranchFrom(answer)
	f.AddToolCall("", "bash", transcript.Object{"command", "sleep 60"})
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("#tree", "sleep 60")
	f.AddResult("done sleeping")
	box.AppendFile(path, f.LastLines(1))
	p.WaitUntil(`!document.querySelector("#tree .running")`)

	f.AddLabel(ask, "restart question")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText(rowSelector(ask)+" .chip", "restart question")
	p.WaitForElement(`#live-state:not([hidden])`)
	checkNotReloaded(t, p)
}

// A path that is followed keeps its last items only. What is open in them stays open, and the
// earlier ones come back when the viewer scrolls up.
func TestAppend_LongFollowedPath(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-followed", 10)
	f.AddToolCall("", "bash", transcript.Object{"command", "make"})
	call := f.LastID
	f.AddResult("the output of make")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(pathItemSelector(call))
	waitForLive(p)
	markDocument(p)
	for i := range 200 {
		id := f.AddPrompt(fmt.Sprintf("prompt %d", i))
		box.AppendFile(path, f.LastLines(1))
		if i%20 == 0 {
			p.WaitForElement(pathItemSelector(id))
		}
	}
	opened := f.AddToolCall("", "bash", transcript.Object{"command", "make test"})
	f.AddResult("the output of the tests")
	box.AppendFile(path, f.LastLines(2))
	p.WaitForElement(pathItemSelector(opened) + " details.tool[data-result]")
	p.RunScript(fmt.Sprintf(`document.querySelector(%q).open = true`, pathItemSelector(opened)+" details.tool"))
	p.RunScript(`document.querySelector("#main").scrollTop = 1e9`)
	harness.EvalScript[bool](p, twoFrames) // until the page has seen that it is at the end again
	for i := range 40 {
		f.AddPrompt(fmt.Sprintf("late prompt %d", i))
		box.AppendFile(path, f.LastLines(1))
	}
	p.WaitForElement(pathItemSelector(f.LastID))
	p.WaitUntil(`document.querySelectorAll("#path-pages .entry").length <= 120`)
	p.WaitForNone(pathItemSelector(call))
	p.WaitForElement(pathItemSelector(opened) + " details.tool[open]")

	// The server does not send the rows of which only the set has grown.
	p.WaitForElement(rowSelector(f.LastID))
	size := harness.EvalScript[string](p, fmt.Sprintf(`document.querySelector(%q).getAttribute("aria-posinset")`, rowSelector(f.LastID)))
	for at, row := range map[string]string{"1e9": size, "0": "1"} {
		p.RunScript(`document.querySelector("#tree").scrollTop = ` + at)
		p.WaitForElement(fmt.Sprintf(`#tree .row[aria-posinset="%s"]`, row))
		if sizes := harness.EvalScript[[]string](p, `[...new Set([...document.querySelectorAll("#tree .row")].map(row => row.getAttribute("aria-setsize")))]`); !slices.Equal(sizes, []string{size}) {
			t.Errorf("the tree at %s has sets of %v rows, want %s", at, sizes, size)
		}
	}

	p.WaitForElement("#path-before:not([hidden])")
	p.WaitUntil(`(document.querySelector("#main").scrollTop = 0, document.querySelector("#path-before").hidden)`)
	p.WaitForElement(pathItemSelector(call))
	ids := harness.EvalScript[[]string](p, `[...document.querySelectorAll("#path-pages .entry--user")].map(el => el.dataset.entry)`)
	slices.Sort(ids)
	if got, want := len(slices.Compact(ids)), 10+200+40; len(ids) != want || got != want {
		t.Errorf("%d prompts in the path, %d of them different, want %d", len(ids), got, want)
	}
	checkNotReloaded(t, p)
}

// The tree stays where it was scrolled after the notice of an append came and before its row is shown.
func TestAppend_TreeScrolledMeanwhile(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-scrolled-tree", 60)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.LastID))
	waitForLive(p)
	p.RunScript(`new MutationObserver(() => { document.querySelector("#tree").scrollTop = 0 }).observe(document.querySelector("#path-pages"), { childList: true, subtree: true })`)
	added := f.AddPrompt("One more thing")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(pathItemSelector(added))
	p.WaitForElement(`#tree .row[aria-posinset="1"][aria-setsize="121"]`)
	if top := harness.EvalScript[float64](p, `document.querySelector("#tree").scrollTop`); top != 0 {
		t.Errorf("the tree is scrolled to %v, want its start", top)
	}
}

// A viewer at another entry gets a notice, and the page does not scroll.
func TestAppend_NoticeWhileAtOtherEntry(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "?entry=" + f.two)
	p.WaitForText("#path", "Then it stays as slow as it is")
	waitForLive(p)
	markDocument(p)
	p.Click(rowSelector(f.twoTip)) // focuses the row
	where := p.Location()
	next := f.AddPrompt("One more thing")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(rowSelector(next))
	p.WaitForText("#new-pill", "1 new")
	p.WaitForNone(pathItemSelector(next))
	if p.Location() != where {
		t.Errorf("the address changed to %s", p.Location())
	}
	waitForFocus(p, rowSelector(f.twoTip))
	p.Click(`#new-pill button`)
	p.WaitForElement(pathItemSelector(next))
	p.WaitForElement(`#new-pill[hidden]`)
	checkNotReloaded(t, p)
}

// Two tabs of one session follow it, each with its own view.
func TestTwoTabs(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	visit := sharedBrowser(t).NewProfile(t)
	a, b := visit.NewPage(), visit.NewPage()
	a.Open(server.SessionURL(path))
	b.Open(server.SessionURL(path) + "?entry=" + f.one + "&filter=user-only")
	a.WaitForElement(rowSelector(f.leaf))
	b.WaitForElement(branchRowSelector(f.one))
	waitForLive(a)
	waitForLive(b)
	next := f.AddPrompt("Seen by both")
	box.AppendFile(path, f.LastLines(1))
	a.WaitForElement(pathItemSelector(next))
	b.WaitForElement(rowSelector(next))
	b.WaitForText("#path", "The library is wired in")
	b.WaitForNone(pathItemSelector(next))
}

// The index follows the directories: new files and directories, growth, names, deleted
// files.
func TestIndexFollows(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	waitForLive(p)
	markDocument(p)

	other := longSession("e2e-new", 2)
	elsewhere := filepath.Join(box.Dir, "--elsewhere--", "deeper", other.FileName(harness.SessionStart))
	box.WriteFile(elsewhere, other.Bytes())
	p.WaitForText("a.session-link", "Question 1 of a long session")
	p.WaitForElement(`.session-row .spark .spark-live`)

	f.AddName("A name of its own")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("a.session-link", "A name of its own")

	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	p.WaitUntil(`document.querySelectorAll("a.session-link").length === 1`)
	checkNotReloaded(t, p)
}

// A file that is replaced, truncated or overwritten at its beginning is read again.
func TestRewrite(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)
	markDocument(p)

	lines := bytes.SplitAfter(f.Bytes(), []byte("\n"))
	box.WriteFile(path, bytes.Join(lines[:4], nil)) // header, model, first prompt and answer
	p.WaitForNone(rowSelector(f.leaf))
	p.WaitForElement(rowSelector(f.first))

	box.ReplaceFile(path, f.Bytes())
	p.WaitForElement(rowSelector(f.leaf))
	p.WaitForText("#path", "The cache works")
	checkNotReloaded(t, p)
}

// atPathEnd is true when the path is scrolled to its end.
const atPathEnd = `(() => { const m = document.querySelector("#main"); return m.scrollTop > 0 && m.scrollHeight - m.scrollTop - m.clientHeight < 2 })()`

// At the leaf the page stays at the end when the window is resized or a banner appears,
// and continues to follow.
func TestFollow_AfterResize(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-geometry", 30)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.SetWindowSize(1200, 900)
	p.Open(server.SessionURL(path))
	p.WaitForElement(pathItemSelector(f.LastID))
	waitForLive(p)
	p.WaitUntil(atPathEnd)
	last := rowSelector(f.LastID)
	inTree := `(() => { const r = document.querySelector(` + quoteScript(last) + `)?.getBoundingClientRect(), t = document.querySelector("#tree").getBoundingClientRect(); return r && r.bottom <= t.bottom })()`
	p.WaitUntil(inTree)

	p.SetWindowSize(1000, 500)
	p.WaitUntil(atPathEnd)
	p.WaitUntil(inTree)
	p.SetWindowSize(640, 400)
	p.WaitUntil(atPathEnd)
	// A browser may report the scrolling that a new size causes before the size.
	p.RunScript(`(() => { const m = document.querySelector("#main"); m.style.maxHeight = "150px"; m.dispatchEvent(new Event("scroll")) })()`)
	p.WaitUntil(`document.querySelector("#main").clientHeight === 150`)
	p.WaitUntil(atPathEnd)
	p.RunScript(`document.querySelector("#main").style.maxHeight = ""`)
	p.WaitUntil(atPathEnd)

	box.AppendFile(path, []byte("{]\n"))
	p.WaitForText("#notes summary", "1 line could not be read")
	p.WaitUntil(atPathEnd)
	next := f.AddPrompt("Still followed?")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(pathItemSelector(next))
	p.WaitUntil(atPathEnd)

	// After scrolling up the page does not move.
	p.RunScript(`document.querySelector("#main").scrollTop = 200`)
	p.WaitUntil(`document.querySelector("#main").scrollTop === 200`)
	harness.EvalScript[bool](p, twoFrames) // the page has received the notice
	p.SetWindowSize(640, 380)
	f.AddPrompt("And now?")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("#new-pill", "1 new")
	if harness.EvalScript[bool](p, atPathEnd) {
		t.Error("a reader who went up was taken to the end")
	}
}

// twoFrames resolves after two animation frames.
const twoFrames = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

// A new name appears in the heading and title of an open page.
func TestRename(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)
	f.AddName("Named while open")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("h1", "Named while open")
	p.WaitUntil(`document.title.startsWith("Named while open")`)
}

// A removed file is no longer shown as live.
func TestRemoved(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.AddToolCall("", "bash", transcript.Object{"command", "sleep 60"})
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.WaitForElement(`#live-state:not([hidden])`)
	p.WaitForElement("#tree .running")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	p.WaitForText("#banners", "The file is gone. What was read stays here until the explorer exits.")
	p.WaitForElement(`#live-state[hidden]`)
	p.WaitForNone("#tree .running, #path .running, #path .spin, #path .is-running")
	if text := p.Text("#path .leaf-end"); strings.Contains(text, "writing") {
		t.Errorf("the end of the path says %q", text)
	}
	p.WaitForText("#path", "The cache works")
}

// A page follows its session when the file is moved, within its directory or into another
// one.
func TestMoved(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	for _, to := range []string{filepath.Join(filepath.Dir(path), "renamed.jsonl"), filepath.Join(box.Dir, "other", "moved.jsonl")} {
		before := harness.EvalScript[string](p, `location.pathname`)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Rename(path, to)); err != nil {
			t.Fatal(err)
		}
		path = to
		p.WaitUntil(fmt.Sprintf(`location.pathname !== %q`, before))
		waitForLive(p)
		p.WaitForNone("#banners .banner--error")
	}
	f.AddPrompt("After the move")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("#path", "After the move")
}

// A page whose scripts differ from the server's shows a notice.
func TestUpdated(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.WaitForElement("#updated[hidden]")
	p.AddInitScript(`addEventListener("DOMContentLoaded", () => { document.documentElement.dataset.assets = "/static/older"; })`)
	p.Open(server.SessionURL(path))
	p.WaitForText("#updated:not([hidden])", "The explorer was updated.")
	p.RunScript(`window.marked = true`)
	p.Click(`#updated [data-do="reload"]`)
	p.WaitUntil(`window.marked === undefined`)
}

// A rewrite keeps the viewed entry, even if the whole path was visible before.
func TestRewrite_KeepsViewedEntry(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-rewrite", "/home/dev/project", harness.SessionStart)
	ask := f.AddPrompt("What grows?")
	f.AddReply("This file.")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "?entry=" + ask)
	p.WaitForElement(pathItemSelector(ask) + ".is-target")
	waitForLive(p)
	for range 30 {
		f.AddPrompt("And then?")
		f.AddReply(strings.Repeat("It grows on.\n\n", 6))
	}
	box.ReplaceFile(path, f.Bytes())
	p.WaitForElement(rowSelector(f.LastID))
	p.WaitUntil(`document.querySelector("#main").scrollHeight > 2 * innerHeight`)
	p.WaitUntil(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight })()`, pathItemSelector(ask)))
	if harness.EvalScript[bool](p, atPathEnd) {
		t.Error("the reader was taken to the end")
	}
}
