//go:build e2e

package e2e

import (
	"bytes"
	"testing"

	"sessiontree/e2e/harness"
)

// offline is what a page may write to its console while there is no server.
const offline = `ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|WebSocket connection`

// A page survives its server: it says that it lost it, connects again by itself
// and shows what was written meanwhile.
func TestRestart(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Expect(offline)
	p.Open(server.SessionURL(path))
	p.Has(row(f.leaf))
	live(p)
	mark(p)

	server.Stop()
	p.Has(`#offline:not([hidden])`)
	p.Says("#path", "The cache works") // still readable
	p.Click(row(f.first))
	p.Has(row(f.first) + `[aria-selected="true"]`)
	if n := p.Count("#tree .is-selected, #tree [aria-selected='true']"); n != 1 {
		t.Errorf("%d rows are selected without a server, want 1", n)
	}
	p.Click(row(f.leaf))
	p.Has(row(f.leaf) + `[aria-selected="true"]`)
	next := f.User("Asked while nobody served")
	box.Append(path, f.Tail(1))
	server.StartAgain()
	live(p)
	p.Has(`#offline[hidden]`)
	p.Has(row(next))
	p.Has(item(next))

	after := f.Say("And answered after it.")
	box.Append(path, f.Tail(1))
	p.Has(row(after))
	unloaded(t, p)
}

// The same when the file was rewritten meanwhile: nothing of the old one stays.
func TestRestart_Rewritten(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Expect(offline)
	p.Open(server.SessionURL(path))
	p.Has(row(f.leaf))
	live(p)
	mark(p)

	server.Stop()
	p.Has(`#offline:not([hidden])`)
	lines := bytes.SplitAfter(f.Bytes(), []byte("\n"))
	box.Replace(path, bytes.Join(lines[:4], nil))
	server.StartAgain()
	live(p)
	p.Lacks(row(f.leaf))
	p.Has(row(f.first))
	p.Lacks(item(f.leaf))
	p.Says("#path", "Into encoding the same picture")
	unloaded(t, p)
}
