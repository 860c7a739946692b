//go:build e2e

package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// countAhead evaluates to the number of sessions that the page has let the server read.
const countAhead = `performance.getEntriesByType("resource").filter(r => r.name.endsWith("/ahead") && r.responseEnd > 0).length`

// requested evaluates to whether a session is one of them. key is an expression.
func requested(key string) string {
	return `performance.getEntriesByType("resource").some(r => r.name.endsWith("/" + ` + key + ` + "/ahead") && r.responseEnd > 0)`
}

// The list lets the server read the newest large sessions, and others when the pointer or the focus
// rests on their link, or when it is pressed. They are then shown at once.
func TestReadAhead(t *testing.T) {
	box := harness.NewSessionDir(t)
	for i := range 5 {
		f := longSession(fmt.Sprintf("e2e-ahead-%d", i), 20)
		f.AddPrompt("Long ago: " + strings.Repeat("x", 6<<20))
		f.AddReply("This is the end.")
		box.WriteSession(f)
	}
	server := harness.StartServer(t, box.Dir)
	waitForList(t, server)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	p.WaitUntil(countAhead + ` === 2`)
	keys := harness.EvalScript[[]string](p, `[...document.querySelectorAll(".session-link")].map(a => a.pathname.split("/")[2]).sort((a, b) => `+requested("b")+` - `+requested("a")+`)`)
	if len(keys) != 5 {
		t.Fatalf("%d sessions", len(keys))
	}
	link := func(i int) string { return `.session-link[href$="` + keys[i] + `"]` }
	p.MovePointer(link(2))
	p.WaitUntil(requested(strconv.Quote(keys[2])))
	p.RunScript(fmt.Sprintf(`document.querySelector(%q).focus()`, link(3)))
	p.WaitUntil(requested(strconv.Quote(keys[3])))
	if harness.EvalScript[bool](p, requested(strconv.Quote(keys[4]))) {
		t.Error("a session was read without a sign that somebody wants it")
	}
	page := harness.EvalScript[string](p, fmt.Sprintf(`fetch("/sessions/%s", {headers: {Accept: "text/html"}}).then(r => r.text())`, keys[2]))
	if strings.Contains(page, `id="loading"`) || !strings.Contains(page, "This is the end.") {
		t.Error("the session that was read ahead is read again")
	}
	p.RunScript(fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}))`, link(4)))
	p.WaitUntil(requested(strconv.Quote(keys[4])))
	for range 3 { // requested once
		p.MovePointer(link(2))
		p.MovePointer(link(4))
	}
	if n := harness.EvalScript[int](p, countAhead); n != len(keys) {
		t.Errorf("%d requests for %d sessions", n, len(keys))
	}
	p.Click(link(2))
	p.WaitForText("#path", "This is the end.")
}
