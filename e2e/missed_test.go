//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// losing lets a test lose what is asked for over the socket, and the socket.
const losing = `
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

// following opens a forked session in a page that may lose what it fetches.
func following(t *testing.T) (p *harness.Page, add func(words string) string) {
	t.Helper()
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p = chromium(t).Page(t)
	p.OnEveryPage(losing)
	p.Open(server.SessionURL(path))
	p.Has(row(f.leaf))
	live(p)
	mark(p)
	return p, func(words string) string {
		id := f.User(words)
		box.Append(path, f.Tail(1))
		return id
	}
}

// What came was lost with the connection: it is caught up with when there is a
// connection again.
func TestMissed(t *testing.T) {
	p, add := following(t)
	p.Exec(`window.losing = 1`)
	next := add("Asked while the answer was lost")
	p.Wait(`window.fail !== undefined`)
	p.Exec(`window.socket.close()`)
	p.Has(item(next))
	p.Has(row(next))
	unloaded(t, p)
}

// The server failed once, with the socket open and nothing else coming: it is
// asked again.
func TestMissed_ServerFailed(t *testing.T) {
	p, add := following(t)
	p.Exec(`window.losing = 1`)
	next := add("Asked while the server failed")
	p.Wait(`window.fail !== undefined`)
	p.Exec(`window.fail()`)
	p.Has(item(next))
	p.Has(row(next))
	unloaded(t, p)
}

// What came while an answer was lost is taken together with what was lost.
func TestMissed_MoreCame(t *testing.T) {
	p, add := following(t)
	p.Exec(`window.losing = 1`)
	first := add("Asked while the answer was lost")
	p.Wait(`window.fail !== undefined`)
	p.Exec(`window.heard = 0`)
	second := add("Asked after it")
	p.Wait(`window.heard > 0`)
	p.Exec(`window.fail()`)
	p.Has(row(second))
	p.Has(item(first))
	p.Has(item(second))
	unloaded(t, p)
}
