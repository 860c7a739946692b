//go:build e2e

package e2e

import (
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// startSpend serves a session with a branch that was left, a fork of it and sessions of other
// days, and opens the page about what they cost.
func startSpend(t *testing.T) (*harness.Server, *harness.Page) {
	t.Helper()
	box := harness.NewSessionDir(t)
	begin := time.Now().UTC().Add(-72 * time.Hour).Truncate(time.Second)
	f := transcript.New(transcript.Pi, "e2e-spend-1", "/home/dev/shop", begin)
	f.Cost = 1.25
	first := f.AddPrompt("Where does the time go?")
	f.AddReply("Into the cache.")
	f.BranchFrom(first)
	f.AddPrompt("And the money?")
	f.AddReply("Into the tokens.")
	box.WriteSession(f)
	for i, project := range []string{"/home/dev/shop", "/home/dev/tides", "/home/dev/kiln"} {
		o := transcript.New(transcript.Pi, "e2e-spend-other-"+project[10:], project, begin.Add(time.Duration(i+1)*20*time.Hour))
		o.Cost = float64(i + 1)
		o.AddPrompt("How much is it?")
		o.AddReply("It depends on " + project)
		box.WriteSession(o)
	}
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL + "/spend")
	p.WaitForElement(".stats dd")
	return server, p
}

// The figures are there without script, and every link filters.
func TestSpend(t *testing.T) {
	_, p := startSpend(t)
	p.WaitForText(".stats div:nth-child(1) dd", "$8.50")
	p.WaitForText(".stats div:nth-child(2) dd", "$1.25")
	p.WaitForText("#by-project + .bar-list", "shop")
	p.Click("#by-project + .bar-list li:nth-child(3) a")
	waitForURL(p, "project=")
	p.Click(".spend-head .segments a:nth-child(5)")
	waitForURL(p, "period=all")
	p.Click(".plot .day:nth-child(1)")
	waitForURL(p, "after=")
	p.Click(".site-nav li:first-child a")
	p.WaitForElement("a.session-link")
	p.Click(".site-nav li:last-child a")
	p.WaitForElement(`.site-nav a[aria-current="page"][href="/spend"]`)
}

// Without script all figures are there, and an empty period says when the last request was.
func TestSpend_NoScript(t *testing.T) {
	server, _ := startSpend(t)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	p.Open(server.URL + "/spend")
	p.WaitForText(".stats", "$8.50")
	p.Open(server.URL + "/spend?after=2020-01-01&before=2020-01-31")
	p.WaitForText(".state--page", "The last one was on")
}

func TestSpend_Axe(t *testing.T) {
	skipOutsideCI(t)
	server, _ := startSpend(t)
	runInEachLook(t, func(_ *testing.T, p *harness.Page, _ string) {
		p.Open(server.URL + "/spend")
		p.WaitForElement(".stats dd")
		p.RunScript(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
		p.CheckAccessibility("spend")
		p.Open(server.URL + "/spend?after=2020-01-01&before=2020-01-31")
		p.WaitForElement(".state--page")
		p.CheckAccessibility("spend, nothing")
	})
}

// On a phone the dates are chosen in a sheet that is not wider than the window.
func TestSpend_DatesOnPhone(t *testing.T) {
	server, p := startSpend(t)
	p.EmulatePhone()
	p.Open(server.URL + "/spend")
	p.Click(".spend-head .choice > summary")
	p.WaitForElement(".spend-head .choice[open] .spend-dates")
	checkWidth(t, p, "the choice of dates")
	p.WaitUntil(`[...document.querySelectorAll(".spend-dates :is(input:not([type=hidden]), .btn)")].every((el) => {
		const box = el.getBoundingClientRect(), form = el.form.getBoundingClientRect();
		return box.left >= form.left + 12 && box.right <= form.right - 12 && box.height >= 44;
	})`)
	p.SaveScreenshot("spend-dates-phone")
}

// Screenshots of each state: make shots.
func TestSpendShots(t *testing.T) {
	skipUnlessShots(t)
	server := harness.StartServer(t, copyDemo(t))
	for _, size := range []string{"desktop", "phone"} {
		for _, theme := range []string{"light", "dark"} {
			for name, query := range map[string]string{"all": "?period=all", "empty": "?after=2020-01-01&before=2020-01-31"} {
				p := newPageWithLook(t, size, theme)
				p.Open(server.URL + "/spend" + query)
				p.WaitForElement(".spend-head")
				p.SaveScreenshot("spend-" + name + "-" + size + "-" + theme)
			}
		}
	}
}

// The facts bar of a session says what the path and the session cost, and what was spent on
// branches that were left.
func TestSpend_Facts(t *testing.T) {
	server, p := startSpend(t)
	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	p.RunScript(`[...document.querySelectorAll("a.session-link")].find(a => a.textContent.includes("Where does the time go?")).click()`)
	p.WaitForText("#facts .spent-btn", "$1.25 of $2.50")
	p.Click("#facts .spent-btn")
	p.WaitForText("#spent:popover-open", "Spent on branches you left: $1.25 (50%)")
	p.WaitForRendering()
	p.SaveScreenshot("spend-facts")
	p.CheckAccessibility("facts with the spend open")
	p.PressKey(harness.Escape)
	p.WaitUntil(`!document.querySelector("#spent:popover-open")`)
}
