//go:build e2e

package e2e

import (
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// losingSocketScript lets a test lose requests over the socket, and the socket.
const losingSocketScript = `
window.heard = 0;
window.WebSocket = class extends WebSocket {
  constructor(...how) {
    super(...how);
    window.socket = this;
    this.addEventListener('message', () => { window.heard++; });
  }
  send(text) {
    const { id } = JSON.parse(text);
    if (!id || !window.losing) return super.send(text);
    window.losing--;
    window.fail = () => this.onmessage({ data: JSON.stringify({ topic: 'answer', id, status: 500 }) + '\n' });
  }
};`

// followForkedSession opens a forked session in a page that may lose requests.
func followForkedSession(t *testing.T) (p *harness.Page, add func(words string) string) {
	t.Helper()
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p = sharedBrowser(t).NewPage(t)
	p.AddInitScript(losingSocketScript)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)
	markDocument(p)
	return p, func(words string) string {
		id := f.AddPrompt(words)
		box.AppendFile(path, f.LastLines(1))
		return id
	}
}

// An update that was lost with the connection is fetched after reconnecting.
func TestMissedUpdate(t *testing.T) {
	p, add := followForkedSession(t)
	p.RunScript(`window.losing = 1`)
	next := add("Asked while the answer was lost")
	p.WaitUntil(`window.fail !== undefined`)
	p.RunScript(`window.socket.close()`)
	p.WaitForElement(pathItemSelector(next))
	p.WaitForElement(rowSelector(next))
	checkNotReloaded(t, p)
}

// After one failed request over an open socket, the page requests the update again.
func TestMissedUpdate_ServerFailed(t *testing.T) {
	p, add := followForkedSession(t)
	p.RunScript(`window.losing = 1`)
	next := add("Asked while the server failed")
	p.WaitUntil(`window.fail !== undefined`)
	p.RunScript(`window.fail()`)
	p.WaitForElement(pathItemSelector(next))
	p.WaitForElement(rowSelector(next))
	checkNotReloaded(t, p)
}

// An update that was lost is fetched together with later ones.
func TestMissedUpdate_LaterUpdates(t *testing.T) {
	p, add := followForkedSession(t)
	p.RunScript(`window.losing = 1`)
	first := add("Asked while the answer was lost")
	p.WaitUntil(`window.fail !== undefined`)
	p.RunScript(`window.heard = 0`)
	second := add("Asked after it")
	p.WaitUntil(`window.heard > 0`)
	p.RunScript(`window.fail()`)
	p.WaitForElement(rowSelector(second))
	p.WaitForElement(pathItemSelector(first))
	p.WaitForElement(pathItemSelector(second))
	checkNotReloaded(t, p)
}

// If more entries arrive than a page of the path holds, and more again before it is
// fetched, a viewer at the end stays at the end, in the path and in the tree.
func TestFollow_ManyNewEntries(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-burst", 400)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(withholdScript)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.LastID))
	waitForLive(p)
	p.WaitUntil(atPathEnd)
	burst := func(prompts int) string {
		for range prompts {
			f.AddPrompt("And on")
		}
		box.AppendFile(path, f.LastLines(prompts))
		return f.LastID
	}
	p.RunScript(`window.withhold = /\/path\?/`)
	p.WaitForElement(rowSelector(burst(300)))
	last := burst(60)
	harness.Until(t, "the server to have read it", func() bool {
		_, body := server.GetPage("/sessions/" + server.SessionKey(path) + "/path")
		return strings.Contains(body, last)
	})
	p.SetWindowSize(1440, 3000) // missing rows are fetched
	p.WaitForElement(rowSelector(last) + ":not(.is-parked)")
	p.RunScript(`window.release()`)
	p.WaitForElement(pathItemSelector(last))
	p.WaitUntil(atPathEnd)
	next := burst(1)
	p.WaitForElement(pathItemSelector(next))
	p.WaitForElement(rowSelector(next) + ":not(.is-parked)")
	p.WaitForElement("#new-pill[hidden]")
}

// If a rewrite removes the entry in view, the page shows the new path.
func TestRewrite_RemovesViewedEntry(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-rewritten", 60)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(pathItemSelector(f.LastID))
	waitForLive(p)
	p.RunScript(`document.querySelector("#main").scrollTop = 200`)
	p.WaitUntil(`document.querySelector("#main").scrollTop === 200`)
	harness.EvalScript[bool](p, twoFrames) // the page has received the notice
	other := transcript.New(transcript.Pi, "e2e-rewritten", "/home/dev/project", harness.SessionStart.Add(time.Hour))
	other.AddPrompt("Something else altogether")
	other.AddReply("As you like.")
	box.ReplaceFile(path, other.Bytes())
	p.WaitForText("#path", "Something else altogether")
	p.WaitForNone(pathItemSelector(f.LastID))
}
