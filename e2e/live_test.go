//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
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
