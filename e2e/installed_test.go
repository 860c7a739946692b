//go:build e2e

package e2e

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// waitForWorker waits until the service worker of an open page serves the next navigation.
func waitForWorker(p *harness.Page) {
	p.RunScript(`navigator.serviceWorker.ready.then(r => { if (r.active.state === "activated") window.workerActive = true; else r.active.onstatechange = e => { window.workerActive = e.target.state === "activated" } })`)
	p.WaitUntil(`window.workerActive`)
}

// keptTexts evaluates to the addresses and the texts in the caches of the browser.
const keptTexts = `Promise.all((await caches.keys()).map(async name => {
	const cache = await caches.open(name);
	return Promise.all((await cache.keys()).map(async r => r.url + "\n" + await (await cache.match(r)).text()));
})).then(all => all.flat())`

// With the explorer stopped, a page of the worker says so. It comes back with the explorer.
func TestInstalled_Offline(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AllowConsole(`ERR_CONNECTION_REFUSED|Failed to load resource|WebSocket connection|` + harness.WorkerNotFetched)
	session := server.SessionURL(path)
	p.Open(session)
	waitForLive(p)
	waitForWorker(p)
	// A new worker deletes what another version kept.
	p.RunScript(`(async () => { await caches.open("shell-old"); await (await navigator.serviceWorker.ready).unregister(); window.isRemoved = true })()`)
	p.WaitUntil(`window.isRemoved`)
	p.Open(session)
	waitForLive(p)
	waitForWorker(p)
	p.RunScript(`(async () => { window.keptNames = await caches.keys() })()`)
	p.WaitUntil(`window.keptNames?.length === 1 && keptNames[0] !== "shell-old"`)
	p.Open(session) // through the worker
	waitForLive(p)
	p.WaitForText("#path", "The cache works")

	p.RunScript(`(async () => { window.kept = await ` + keptTexts + ` })()`)
	p.WaitUntil(`window.kept?.length > 0`)
	for _, kept := range harness.EvalScript[[]string](p, `kept`) {
		address, text, _ := strings.Cut(kept, "\n")
		if !strings.HasSuffix(address, "/offline") && !strings.Contains(address, "/static/") {
			t.Errorf("%s is kept", address)
		}
		if strings.Contains(text, "The cache works") || strings.Contains(text, "/home/dev/project") {
			t.Errorf("%s contains a transcript", address)
		}
	}

	server.Stop()
	p.Open(session)
	p.WaitForText("h1", "The explorer is not running")
	p.WaitForText("#command", "explorer serve --listen "+strings.TrimPrefix(server.URL, "http://"))
	p.WaitUntil(`getComputedStyle(document.querySelector("h1")).fontSize === "18px"`) // the stylesheet is there
	p.CheckAccessibility("the explorer is not running")
	p.SaveScreenshot("offline-desktop")
	p.Click(`[data-do="retry"]`)
	p.WaitForText("#say", "Still not running")
	server.StartAgain()
	waitForLive(p)
	p.WaitForText("#path", "The cache works")
}

// The worker has no part in shares. Their pages neither register it nor offer to install.
func TestInstalled_NotShares(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AllowConsole(`ERR_CONNECTION_REFUSED|Failed to load resource|navigation preload|` + harness.WorkerNotFetched)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	waitForWorker(p)
	p.Open(server.URL + "/share/unknown")
	p.WaitForElement("html[data-ready] h1")
	if n := p.CountElements(`link[rel="manifest"]`); n > 0 {
		t.Error("the page of a share has a manifest")
	}
	server.Stop()
	p.RunScript(`fetch("/share/unknown").then(() => { window.answered = "yes" }, () => { window.answered = "no" })`)
	p.WaitUntil(`window.answered === "no"`)
}

// A worker whose address another program uses removes itself.
func TestInstalled_OtherProgram(t *testing.T) {
	box := harness.NewSessionDir(t)
	path := box.WriteSession(newForkedSession().File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AllowConsole(`ERR_CONNECTION_REFUSED|Failed to load resource|WebSocket connection|` + harness.WorkerNotFetched)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	waitForWorker(p)
	server.Stop()
	serveOtherProgram(t, server.URL)
	p.Open(server.URL + "/")
	p.WaitForText("body", "another program")
	p.RunScript(`setInterval(async () => { window.left = [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length].join() }, 50)`)
	p.WaitUntil(`window.left === "0,0"`)
}

// serveOtherProgram serves something else at the address of a stopped server.
func serveOtherProgram(t *testing.T, address string) {
	t.Helper()
	var listener net.Listener
	harness.Until(t, address+" to be free", func() bool {
		var err error
		listener, err = net.Listen("tcp", strings.TrimPrefix(address, "http://"))
		return err == nil
	})
	other := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!DOCTYPE html><html lang="en"><title>Other</title><link rel="icon" href="data:,"><body>another program`))
	})}
	go func() { _ = other.Serve(listener) }() // until it is closed
	t.Cleanup(func() { _ = other.Close() })
}

// With a token, the cookie reaches the server through the worker.
func TestInstalled_Token(t *testing.T) {
	box := harness.NewSessionDir(t)
	box.WriteSession(newForkedSession().File)
	server := harness.StartServer(t, "--require-token", box.Dir)
	address, _, _ := strings.Cut(server.URL, "?")
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	waitForWorker(p)
	p.Open(address)
	p.WaitForText(".session-row", "Where does the time go")
	p.Open(server.URL) // the token is exchanged for a cookie, with a redirect
	p.WaitForText("html[data-ready] .session-row", "Where does the time go")
	p.WaitUntil(`navigator.serviceWorker.controller !== null`)
	p.Click(".session-link")
	waitForLive(p)
}
