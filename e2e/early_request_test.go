//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// sentMessagesScript records what the page sends over its sockets.
const sentMessagesScript = `{
	const send = WebSocket.prototype.send;
	window.sentMessages = [];
	WebSocket.prototype.send = function (data) { window.sentMessages.push(JSON.parse(data)); return send.call(this, data); };
}`

// A page that follows a session requests the next entry before it is there, so that nothing is
// requested after the notice. What changes in between, and a request that was too early for
// another view, does not matter.
func TestAppend_EarlyRequest(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(sentMessagesScript)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	const earlyRequests = `window.sentMessages.filter((m) => m.after).length`
	sent := 0 // early requests before the last entry
	add := func(text string) {
		sent = harness.EvalScript[int](p, earlyRequests)
		id := f.AddPrompt(text)
		box.AppendFile(path, f.LastLines(1))
		p.WaitForElement(pathItemSelector(id))
		p.WaitForElement(rowSelector(id))
	}
	waitForEarlyRequest := func() {
		p.WaitUntil(fmt.Sprintf(earlyRequests+` > %d && window.sentMessages.at(-1).after?.rev === document.documentElement.dataset.paintedRev`, sent))
	}
	requestsAfterNotice := func() int {
		return harness.EvalScript[int](p, `window.sentMessages.filter((m) => m.get && !m.after).length`)
	}

	add("the first entry is requested after its notice")
	waitForEarlyRequest()
	if n := requestsAfterNotice(); n != 1 {
		t.Errorf("%d requests after the first notice, want 1", n)
	}
	for range 3 {
		add("the next one before")
		waitForEarlyRequest()
	}
	if n := requestsAfterNotice(); n != 1 {
		t.Errorf("%d requests after the notices of 4 entries, want 1", n)
	}

	f.AddLabel(f.LastID, "a label")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("#tree", "a label")
	add("after a label")
	waitForEarlyRequest()
	p.Click(`#filters a[data-filter="user-only"]`)
	waitForURL(p, "filter=user-only")
	add("in another view than that of the request")
	waitForEarlyRequest()
	p.AllowConsole(offlineErrors)
	server.Restart()
	p.WaitForElement(`#live-state[data-state="live"]`)
	add("after the server was started again")
}
