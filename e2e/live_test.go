//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// mark makes a reload visible: it is gone after one.
func mark(p *harness.Page) { p.Exec(`window.sameDocument = true`) }

func unloaded(t *testing.T, p *harness.Page) {
	t.Helper()
	if !harness.Eval[bool](p, `window.sameDocument === true`) {
		t.Error("the page was loaded again")
	}
}

// What an agent appends appears without a reload; a torn line waits for its end.
func TestAppend(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has(row(f.leaf))
	live(p)
	mark(p)

	ask := f.User("And across restarts?")
	box.Append(path, f.Tail(1))
	p.Has(row(ask))
	p.Has(item(ask)) // the reader was at the end of the leaf path, so it follows

	answer := f.Say("It starts empty again.")
	tail := f.Tail(1)
	half := len(tail) / 2
	box.Append(path, tail[:half])
	f.User("unrelated")
	box.Append(path, tail[half:])
	p.Has(row(answer))
	p.Says("#path", "It starts empty again")

	f.Back(answer)
	f.Call("", "bash", transcript.O{"command", "sleep 60"})
	box.Append(path, f.Tail(1))
	p.Says("#tree", "sleep 60")
	f.Result("done sleeping")
	box.Append(path, f.Tail(1))
	p.Wait(`!document.querySelector("#tree .running")`)

	f.Label(ask, "restart question")
	box.Append(path, f.Tail(1))
	p.Says(row(ask)+" .chip", "restart question")
	p.Has(`#live-state:not([hidden])`)
	unloaded(t, p)
}

// A reader who looks elsewhere is told, not moved.
func TestAppend_ElsewhereOnlyTells(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path) + "?entry=" + f.two)
	p.Says("#path", "Then it stays as slow as it is")
	live(p)
	mark(p)
	p.Click(row(f.twoTip)) // gives the row the focus
	where := p.Location()
	next := f.User("One more thing")
	box.Append(path, f.Tail(1))
	p.Has(row(next))
	p.Says("#new-pill", "1 new")
	p.Lacks(item(next))
	if p.Location() != where {
		t.Errorf("the address changed to %s", p.Location())
	}
	focused(p, row(f.twoTip))
	p.Click(`#new-pill button`)
	p.Has(item(next))
	p.Has(`#new-pill[hidden]`)
	unloaded(t, p)
}

// Two tabs of one session follow it, each with its own view.
func TestTwoTabs(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	visit := chromium(t).Visit(t)
	a, b := visit.Page(), visit.Page()
	a.Open(server.SessionURL(path))
	b.Open(server.SessionURL(path) + "?entry=" + f.one + "&filter=user-only")
	a.Has(row(f.leaf))
	b.Has(stub(f.one))
	live(a)
	live(b)
	next := f.User("Seen by both")
	box.Append(path, f.Tail(1))
	a.Has(item(next))
	b.Has(row(next))
	b.Says("#path", "The library is wired in")
	b.Lacks(item(next))
}

// The index follows the directories: new files and directories, growth, names,
// files that go away.
func TestIndexFollows(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.URL)
	p.Has("a.srow")
	live(p)
	mark(p)

	other := long("e2e-new", 2)
	elsewhere := filepath.Join(box.Dir, "--elsewhere--", "deeper", other.Name(harness.Start0))
	box.Write(elsewhere, other.Bytes())
	p.Says("a.srow", "Question 1 of a long session")
	p.Has(`a.srow .dot`)

	f.Named("A name of its own")
	box.Append(path, f.Tail(1))
	p.Says("a.srow", "A name of its own")

	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	p.Wait(`document.querySelectorAll("a.srow").length === 1`)
	unloaded(t, p)
}

// A file that is replaced, shrunk or overwritten at its head is read anew.
func TestRewrite(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has(row(f.leaf))
	live(p)
	mark(p)

	lines := bytes.SplitAfter(f.Bytes(), []byte("\n"))
	box.Write(path, bytes.Join(lines[:4], nil)) // header, model, first prompt and answer
	p.Lacks(row(f.leaf))
	p.Has(row(f.first))

	box.Replace(path, f.Bytes())
	p.Has(row(f.leaf))
	p.Says("#path", "The cache works")
	unloaded(t, p)
}

// atEnd is true when the path shows its end.
const atEnd = `(() => { const m = document.querySelector("#main"); return m.scrollTop > 0 && m.scrollHeight - m.scrollTop - m.clientHeight < 2 })()`

// A reader at the leaf stays there when the window changes and when a banner
// comes, and goes on following.
func TestFollow_OutlivesItsGeometry(t *testing.T) {
	box := harness.NewBox(t)
	f := long("e2e-geometry", 30)
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Size(1200, 900)
	p.Open(server.SessionURL(path))
	p.Has(item(f.Last))
	live(p)
	p.Wait(atEnd)
	last := row(f.Last)
	inTree := `(() => { const r = document.querySelector(` + quote(last) + `)?.getBoundingClientRect(), t = document.querySelector("#tree").getBoundingClientRect(); return r && r.bottom <= t.bottom })()`
	p.Wait(inTree)

	p.Size(1000, 500)
	p.Wait(atEnd)
	p.Wait(inTree)
	p.Size(640, 400)
	p.Wait(atEnd)

	box.Append(path, []byte("{]\n"))
	p.Says("#notes summary", "1 line could not be read")
	p.Wait(atEnd)
	next := f.User("Still followed?")
	box.Append(path, f.Tail(1))
	p.Has(item(next))
	p.Wait(atEnd)

	// A reader who went up stays there.
	p.Exec(`document.querySelector("#main").scrollTop = 200`)
	p.Wait(`document.querySelector("#main").scrollTop === 200`)
	harness.Eval[bool](p, frames) // the page has heard of it
	p.Size(640, 380)
	f.User("And now?")
	box.Append(path, f.Tail(1))
	p.Says("#new-pill", "1 new")
	if harness.Eval[bool](p, atEnd) {
		t.Error("a reader who went up was taken to the end")
	}
}

// frames settles after two frames: what happened before them was told.
const frames = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

// A name that is given while the page is open reaches its heading and title.
func TestRename(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has(row(f.leaf))
	live(p)
	f.Named("Named while open")
	box.Append(path, f.Tail(1))
	p.Says("h1", "Named while open")
	p.Wait(`document.title.startsWith("Named while open")`)
}

// A file that is removed is not being written any more.
func TestRemoved(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	f.Call("", "bash", transcript.O{"command", "sleep 60"})
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	p.Has(`#live-state:not([hidden])`)
	p.Has("#tree .running")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	p.Says("#banners", "The file is gone. What was read of it stays here until the explorer ends.")
	p.Has(`#live-state[hidden]`)
	p.Lacks("#tree .running, #path .running, #path .spin, #path .is-running")
	if text := p.Text("#path .leaf-end"); strings.Contains(text, "writing") {
		t.Errorf("the end of the path says %q", text)
	}
	p.Says("#path", "The cache works")
}

// A page goes with its session when the file is moved, within its directory or into
// another one, and follows it there.
func TestMoved(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	for _, to := range []string{filepath.Join(filepath.Dir(path), "renamed.jsonl"), filepath.Join(box.Dir, "other", "moved.jsonl")} {
		before := harness.Eval[string](p, `location.pathname`)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Rename(path, to)); err != nil {
			t.Fatal(err)
		}
		path = to
		p.Wait(fmt.Sprintf(`location.pathname !== %q`, before))
		live(p)
		p.Lacks("#banners .banner--err")
	}
	f.User("After the move")
	box.Append(path, f.Tail(1))
	p.Says("#path", "After the move")
}

// A page whose scripts are not those of the server says so.
func TestUpdated(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	p.Has("#updated[hidden]")
	p.OnEveryPage(`addEventListener("DOMContentLoaded", () => { document.documentElement.dataset.assets = "/static/older"; })`)
	p.Open(server.SessionURL(path))
	p.Says("#updated:not([hidden])", "The explorer was updated.")
	p.Exec(`window.marked = true`)
	p.Click(`#updated [data-do="reload"]`)
	p.Wait(`window.marked === undefined`)
}

// A rewrite leaves a reader of one entry at it, though all of the path was in
// sight before.
func TestRewrite_KeepsTheViewedEntry(t *testing.T) {
	box := harness.NewBox(t)
	f := transcript.New(transcript.Pi, "e2e-rewrite", "/home/dev/project", harness.Start0)
	ask := f.User("What grows?")
	f.Say("This file.")
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path) + "?entry=" + ask)
	p.Has(item(ask) + ".is-target")
	live(p)
	for range 30 {
		f.User("And then?")
		f.Say("It grows on.")
	}
	box.Replace(path, f.Bytes())
	p.Has(row(f.Last))
	p.Wait(`document.querySelector("#main").scrollHeight > 2 * innerHeight`)
	p.Wait(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight })()`, item(ask)))
	if harness.Eval[bool](p, atEnd) {
		t.Error("the reader was taken to the end")
	}
}
