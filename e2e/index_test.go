//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// A long list loads in pieces on scrolling. Search, filters and counts cover all of it.
func TestIndex_LoadsInPieces(t *testing.T) {
	box := harness.NewSessionDir(t)
	for i := range 450 {
		f := transcript.New(transcript.Pi, fmt.Sprintf("e2e-many-%03d", i), fmt.Sprintf("/home/dev/p%d", i/300), harness.SessionStart.Add(-time.Duration(i)*time.Hour))
		f.AddPrompt(fmt.Sprintf("Prompt of session %03d", i))
		f.AddReply("Done.")
		box.WriteSession(f)
	}
	server := harness.StartServer(t, box.Dir)
	harness.Until(t, "the list", func() bool {
		_, body := server.GetPage("/?part=list")
		return strings.Contains(body, `data-total="450"`)
	})
	if _, body := server.GetPage("/"); strings.Count(body, `class="session-link"`) != 200 || !strings.Contains(body, `href="/?n=400#s-`) {
		t.Errorf("the page has %d rows, want 200 and a link to more", strings.Count(body, `class="session-link"`))
	}
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	waitForLive(p)
	rows := func(n int) { p.WaitUntil(fmt.Sprintf(`document.querySelectorAll("a.session-link").length === %d`, n)) }
	rows(200)
	// Rows that change above may move the end of the list during scrolling.
	scrollTo := func(n int) {
		p.WaitUntil(fmt.Sprintf(`(void document.querySelector("#more-sessions")?.scrollIntoView(), document.querySelectorAll("a.session-link").length === %d)`, n))
	}
	scrollTo(400)
	scrollTo(450)
	p.WaitForNone("#more-sessions")
	waitForURL(p, "n=450")
	p.WaitUntil(`new Set([...document.querySelectorAll("#sessions li[data-content-hash]")].map(e => e.id)).size === 450`)
	p.WaitUntil(`document.querySelectorAll(".group").length === 2`)

	// New sessions are at the top, and loaded pieces remain.
	fresh := transcript.New(transcript.Pi, "e2e-fresh", "/home/dev/p9", time.Now())
	fresh.AddPrompt("Prompt of a new session")
	box.WriteSession(fresh)
	p.WaitUntil(`document.querySelector("#sessions .group .session-link")?.textContent === "Prompt of a new session"`)
	p.WaitUntil(`document.querySelectorAll("#sessions li[data-content-hash]").length >= 450`)

	// A search covers all sessions and begins at the top.
	p.RunScript(`scrollTo(0, 0)`)
	p.Click(`input[name="q"]`)
	p.TypeText("session 44")
	rows(14)
	p.WaitUntil(`!location.search.includes("n=")`)
	p.PressKey(harness.Escape)
	rows(200)
	p.Click("#sort summary")
	p.Click(`#sort a[href*="name"]`)
	p.WaitForElement(`#sort summary[aria-label="Sort: Name"]`)
	scrollTo(400)

	// Without script it is a link.
	q := sharedBrowser(t).NewPage(t)
	q.DisableScript()
	q.Open(server.URL)
	q.Click("#more-sessions")
	q.WaitUntil(`document.querySelectorAll("a.session-link").length === 400`)
}
