//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// A long list comes in pieces as the reader scrolls; what is searched, filtered and
// told is all of it.
func TestIndex_pieces(t *testing.T) {
	box := harness.NewBox(t)
	for i := range 450 {
		f := transcript.New(transcript.Pi, fmt.Sprintf("e2e-many-%03d", i), fmt.Sprintf("/home/dev/p%d", i/300), harness.Start0.Add(-time.Duration(i)*time.Hour))
		f.User(fmt.Sprintf("Prompt of session %03d", i))
		f.Say("Done.")
		box.Put(f)
	}
	server := harness.Start(t, box.Dir)
	harness.Until(t, "the list", func() bool {
		_, body := server.Get("/?part=list")
		return strings.Contains(body, `data-total="450"`)
	})
	if _, body := server.Get("/"); strings.Count(body, `class="srow"`) != 200 || !strings.Contains(body, `href="/?n=400#s-`) {
		t.Errorf("the page has %d rows, want 200 and a link to more", strings.Count(body, `class="srow"`))
	}
	p := chromium(t).Page(t)
	p.Open(server.URL)
	p.Has("a.srow")
	live(p)
	rows := func(n int) { p.Wait(fmt.Sprintf(`document.querySelectorAll("a.srow").length === %d`, n)) }
	rows(200)
	// The end of the list moves under who scrolls to it when rows above it change.
	scrollTo := func(n int) {
		p.Wait(fmt.Sprintf(`(void document.querySelector("#more-sessions")?.scrollIntoView(), document.querySelectorAll("a.srow").length === %d)`, n))
	}
	scrollTo(400)
	scrollTo(450)
	p.Lacks("#more-sessions")
	inURL(p, "n=450")
	p.Wait(`new Set([...document.querySelectorAll("#sessions li[data-v]")].map(e => e.id)).size === 450`)
	p.Wait(`document.querySelectorAll(".group").length === 2`)

	// What is new stands on top, and the pieces that came later stay.
	fresh := transcript.New(transcript.Pi, "e2e-fresh", "/home/dev/p9", time.Now())
	fresh.User("Prompt of a new session")
	box.Put(fresh)
	p.Wait(`document.querySelector("#sessions .group b")?.textContent === "Prompt of a new session"`)
	p.Wait(`document.querySelectorAll("#sessions li[data-v]").length >= 450`)

	// A search is over all and begins at the top.
	p.Exec(`scrollTo(0, 0)`)
	p.Click(`input[name="q"]`)
	p.Type("session 44")
	rows(14)
	p.Wait(`!location.search.includes("n=")`)
	p.Key(harness.Escape)
	rows(200)
	p.Click("#sort summary")
	p.Click(`#sort a[href*="name"]`)
	p.Has(`#sort summary[aria-label="Sort: Name"]`)
	scrollTo(400)

	// Without script it is a link.
	q := chromium(t).Page(t)
	q.WithoutScript()
	q.Open(server.URL)
	q.Click("#more-sessions")
	q.Wait(`document.querySelectorAll("a.srow").length === 400`)
}
