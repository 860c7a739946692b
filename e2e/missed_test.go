//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// losing lets a test lose what is fetched of the path or the rows, and the socket.
const losing = `
const ask = window.fetch;
window.fetch = (url, ...more) => {
  if (!window.losing || !String(url).includes(window.losing)) return ask(url, ...more);
  return new Promise((_, fail) => { window.lose = () => { window.losing = ''; fail(new TypeError('lost')); }; });
};
window.heard = 0;
window.WebSocket = class extends WebSocket {
  constructor(...how) {
    super(...how);
    window.socket = this;
    this.addEventListener('message', () => { window.heard++; });
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

// The path was lost with the connection: it is caught up with when there is a
// connection again.
func TestMissed_Path(t *testing.T) {
	p, add := following(t)
	p.Exec(`window.losing = '/path?'`)
	next := add("Asked while the path was lost")
	p.Wait(`window.lose !== undefined`)
	p.Exec(`window.lose(); window.socket.close()`)
	p.Has(item(next))
	p.Has(row(next))
	unloaded(t, p)
}

// The path came and the rows were lost: the same.
func TestMissed_Rows(t *testing.T) {
	p, add := following(t)
	p.Exec(`window.losing = '/rows?'`)
	next := add("Asked while the rows were lost")
	p.Wait(`window.lose !== undefined`)
	p.Has(item(next))
	p.Exec(`window.lose(); window.socket.close()`)
	p.Has(row(next))
	unloaded(t, p)
}

// What came while an answer was lost is taken together with what was lost.
func TestMissed_MoreCame(t *testing.T) {
	p, add := following(t)
	p.Exec(`window.losing = '/path?'`)
	first := add("Asked while the path was lost")
	p.Wait(`window.lose !== undefined`)
	p.Exec(`window.heard = 0`)
	second := add("Asked after it")
	p.Wait(`window.heard > 0`)
	p.Exec(`window.lose()`)
	p.Has(row(second))
	p.Has(item(first))
	p.Has(item(second))
	unloaded(t, p)
}
