//go:build e2e

package e2e

import (
	"bytes"
	"testing"

	"sessiontree/e2e/harness"
)

// offlineErrors matches what a page may write to its console while the server is stopped.
const offlineErrors = `ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|WebSocket connection|` + harness.WorkerNotFetched

// A page reports that the server is gone, reconnects by itself, and shows what was
// written meanwhile.
func TestRestart(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AllowConsole(offlineErrors)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)
	markDocument(p)

	server.Stop()
	p.WaitForElement(`#offline:not([hidden])`)
	p.WaitForText("#path", "The cache works") // still readable
	p.Click(rowSelector(f.first))
	p.WaitForElement(rowSelector(f.first) + `[aria-selected="true"]`)
	if n := p.CountElements("#tree .is-selected, #tree [aria-selected='true']"); n != 1 {
		t.Errorf("%d rows are selected without a server, want 1", n)
	}
	p.Click(rowSelector(f.leaf))
	p.WaitForElement(rowSelector(f.leaf) + `[aria-selected="true"]`)
	next := f.AddPrompt("Asked while nobody served")
	box.AppendFile(path, f.LastLines(1))
	server.StartAgain()
	waitForLive(p)
	p.WaitForElement(`#offline[hidden]`)
	p.WaitForElement(rowSelector(next))
	p.WaitForElement(pathItemSelector(next))

	after := f.AddReply("And answered after it.")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(rowSelector(after))
	checkNotReloaded(t, p)
}

// If the file was rewritten meanwhile, no old entry remains.
func TestRestart_Rewritten(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AllowConsole(offlineErrors)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)
	markDocument(p)

	server.Stop()
	p.WaitForElement(`#offline:not([hidden])`)
	lines := bytes.SplitAfter(f.Bytes(), []byte("\n"))
	box.ReplaceFile(path, bytes.Join(lines[:4], nil))
	server.StartAgain()
	waitForLive(p)
	p.WaitForNone(rowSelector(f.leaf))
	p.WaitForElement(rowSelector(f.first))
	p.WaitForNone(pathItemSelector(f.leaf))
	p.WaitForText("#path", "Into encoding the same picture")
	checkNotReloaded(t, p)
}
