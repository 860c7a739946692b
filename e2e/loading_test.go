//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// held makes the page wait for the whole one until release() is called, and
// answers in the server's place how far the reading is.
const held = `(() => {
  const real = window.fetch, gate = new Promise(open => { window.release = open })
  window.fetch = async (url, options) => {
    if (String(url).endsWith("/loading")) return Response.json({text: "Reading 44.8 of 106 MB"})
    if (String(url).includes("wait=1")) await gate
    return real(url, options)
  }
})()`

// big is a session whose file is too large to be waited for, and its middle entry.
func big(box *harness.Box) (path, middle string) {
	f := long("e2e-big", 300)
	f.User("Long ago: " + strings.Repeat("x", 3<<20))
	middle = f.Say("This is the middle.")
	f.User("Then: " + strings.Repeat("y", 3<<20))
	for range 300 {
		f.User("And on")
		f.Say("And on it goes.")
	}
	f.Say("This is the end.")
	return box.Put(f), middle
}

// A large session that is not open: a page with the way it will look stands at
// once, tells how far the reading is, and becomes the session's page.
func TestLoading(t *testing.T) {
	box := harness.NewBox(t)
	path, middle := big(box)
	server := harness.Start(t, box.Dir)
	url := server.SessionURL(path)
	listed(t, server)
	for _, theme := range []string{"light", "dark"} {
		for _, phone := range []bool{false, true} {
			server.Restart()
			listed(t, server)
			p := chromium(t).Page(t)
			name := "loading-" + theme
			if phone {
				p.Phone()
				name = "phone-" + name
			}
			p.Theme(theme)
			p.OnEveryPage(held)
			p.Open(server.URL + url[strings.Index(url, "/sessions/"):] + "?entry=" + middle + "&filter=user-only")
			p.Says("#loading-text", "44.8 of 106 MB")
			p.Has(".skel")
			p.Lacks("#tree")
			p.Shot(name)
			p.Exec(`release()`)
			p.Has(item(middle) + ".is-target")
			live(p)
			p.Has("#tree .row.is-selected")
			p.Lacks("#loading")
			inURL(p, "entry="+middle)
			if at := p.Location(); strings.Contains(at, "wait") {
				t.Errorf("the address is %s", at)
			}
			p.Close() // it would ask the next server for the session
		}
	}
}

// What goes wrong is told in place of the skeleton.
func TestLoading_fails(t *testing.T) {
	box := harness.NewBox(t)
	path, _ := big(box)
	server := harness.Start(t, box.Dir)
	url := server.SessionURL(path)
	listed(t, server)
	p := chromium(t).Page(t)
	p.OnEveryPage(held)
	p.Open(url)
	p.Has("#loading")
	server.Stop()
	p.Expect("ERR_CONNECTION|Failed to load")
	p.Exec(`release()`)
	p.Says("#loading-text", "does not answer")
	p.Has("#loading-again:not([hidden])")
	server.StartAgain()
	listed(t, server)
	p.Click("#loading-again")
	p.Has("#loading")
	p.Exec(`release()`)
	p.Says("#path", "This is the end.")
}

// Without script the browser goes on to the whole page by itself.
func TestLoading_withoutScript(t *testing.T) {
	box := harness.NewBox(t)
	path, middle := big(box)
	server := harness.Start(t, box.Dir)
	url := server.SessionURL(path)
	listed(t, server)
	p := chromium(t).Page(t)
	p.WithoutScript()
	p.Open(url + "?entry=" + middle)
	p.Says("#path", "This is the middle.")
	p.Has("#tree .row.is-selected")
}

// listed waits until the list of sessions is complete: only then is known how
// large each is.
func listed(t *testing.T, server *harness.Server) {
	t.Helper()
	harness.Until(t, "the list", func() bool {
		_, body := server.Get("/healthz?verbose")
		return strings.Contains(body, `"complete":true`)
	})
}
