//go:build e2e

package e2e

import (
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
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

// More comes than a page of the path holds, and still more before the page is
// fetched: a reader at the end stays there, in the path and in the tree.
func TestFollow_MoreCameMeanwhile(t *testing.T) {
	box := harness.NewBox(t)
	f := long("e2e-burst", 400)
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.OnEveryPage(withheld)
	p.Open(server.SessionURL(path))
	p.Has(row(f.Last))
	live(p)
	p.Wait(atEnd)
	burst := func(prompts int) string {
		for range prompts {
			f.User("And on")
		}
		box.Append(path, f.Tail(prompts))
		return f.Last
	}
	p.Exec(`window.withhold = /\/path\?/`)
	p.Has(row(burst(300)))
	last := burst(60)
	harness.Until(t, "the server to have read it", func() bool {
		_, body := server.Get("/sessions/" + server.Key(path) + "/path")
		return strings.Contains(body, last)
	})
	p.Size(1440, 3000) // rows that are not here yet are asked for
	p.Has(row(last) + ":not(.is-parked)")
	p.Exec(`window.release()`)
	p.Has(item(last))
	p.Wait(atEnd)
	next := burst(1)
	p.Has(item(next))
	p.Has(row(next) + ":not(.is-parked)")
	p.Has("#new-pill[hidden]")
}

// The file was rewritten, and the entry that a reader in the middle looks at is not
// in it any more: the page shows the new path.
func TestRewrite_WithoutTheSeenEntry(t *testing.T) {
	box := harness.NewBox(t)
	f := long("e2e-rewritten", 60)
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has(item(f.Last))
	live(p)
	p.Exec(`document.querySelector("#main").scrollTop = 200`)
	p.Wait(`document.querySelector("#main").scrollTop === 200`)
	harness.Eval[bool](p, frames) // the page has heard of it
	other := transcript.New(transcript.Pi, "e2e-rewritten", "/home/dev/project", harness.Start0.Add(time.Hour))
	other.User("Something else altogether")
	other.Say("As you like.")
	box.Replace(path, other.Bytes())
	p.Says("#path", "Something else altogether")
	p.Lacks(item(f.Last))
}
