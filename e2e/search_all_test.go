//go:build e2e

package e2e

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// searchAllURL returns the address of a search over all sessions.
func searchAllURL(server *harness.Server, query string) string {
	return server.URL + "/search?q=" + url.QueryEscape(query)
}

// startSearchAll serves a forked session and a few smaller ones and opens the search.
func startSearchAll(t *testing.T, query string) (*harness.Server, *harness.Page, forkedSession) {
	t.Helper()
	box := harness.NewSessionDir(t)
	forked := newForkedSession()
	box.WriteSession(forked.File)
	for i := range 12 {
		f := transcript.New(transcript.Pi, fmt.Sprintf("e2e-search-%02d", i), fmt.Sprintf("/home/dev/shop%d", i%8), harness.SessionStart.Add(-time.Duration(i+1)*24*time.Hour))
		prompt := f.AddPrompt(fmt.Sprintf("Where is the basket of shop %d?", i))
		f.AddReply("In the cupboard.")
		if i%4 == 0 {
			f.AddLabel(prompt, "good question")
		}
		box.WriteSession(f)
	}
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(searchAllURL(server, query))
	p.WaitForElement(".query-chips")
	return server, p, forked
}

// waitForHits waits until a search ended with a number of hits.
func waitForHits(p *harness.Page, n int) {
	p.WaitUntil(fmt.Sprintf(`document.querySelector('#search-status[data-state="done"] #search-count')?.textContent.startsWith("%d hit")`, n))
}

// hitSelector returns the selector of a hit by its entry.
func hitSelector(entry string) string { return fmt.Sprintf(`.search-hit[data-entry=%q]`, entry) }

// Typing searches, and a hit opens in its path with the words marked.
func TestSearchAll_Typing(t *testing.T) {
	_, p, f := startSearchAll(t, "")
	p.WaitForElement("#search-start:not([hidden])")
	p.WaitUntil(`document.activeElement.id === "query"`)
	p.TypeText("cache")
	waitForHits(p, 5)
	waitForURL(p, "q=cache")
	p.WaitUntil(`document.title === "Search: cache"`)
	p.WaitForText(".result h2", "Where does the time go?")
	p.WaitUntil(`[...document.querySelectorAll(".search-hit mark")].every(m => m.textContent.toLowerCase() === "cache")`)

	// More words, more precise: the branch that was left.
	p.Click("#clear-query")
	p.WaitForElement("#search-start:not([hidden])")
	p.TypeText("slow as it is")
	waitForURL(p, "q=slow+as+it+is") // a search for the first words has one hit too
	waitForHits(p, 1)
	p.WaitForText(".hit-branch--left h3", "Do nothing about it")
	p.Click(hitSelector(f.twoTip))
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.WaitForElement("#away:not([hidden])")
	p.WaitUntil(`document.querySelector("#search input").value === "slow as it is" && CSS.highlights.get("hits")?.size > 0`)

	// Back shows the search again, with the focus on the hit.
	p.GoBack()
	waitForFocus(p, hitSelector(f.twoTip))
	waitForHits(p, 1)
}

// Filters are chips: Backspace makes the last one text again, its button removes it.
func TestSearchAll_Chips(t *testing.T) {
	_, p, _ := startSearchAll(t, "role:prompt after:2020-01-01 basket")
	waitForHits(p, 12)
	p.WaitUntil(`document.querySelectorAll("#query-chips .query-token").length === 2 && document.querySelector("#query").value === "basket"`)
	p.Click("#query")
	p.PressKey(harness.Home)
	p.PressKey("\b")
	p.WaitUntil(`document.querySelector("#query").value === "after:2020-01-01 basket" && document.querySelectorAll("#query-chips .query-token").length === 1`)
	p.PressKey(harness.End)
	p.TypeText(" is:sub-agent ")
	p.WaitUntil(`document.querySelector("#query").value.trim() === "basket" && document.querySelectorAll("#query-chips .query-token").length === 3`)
	waitForURL(p, "q=role:prompt+after:2020-01-01+is:sub-agent+basket")
	p.WaitForElement("#search-message .state")
	p.WaitForText("#search-message", "12 hits without is:sub-agent")
	p.Click(`#search-message [data-remove="is:sub-agent"]`)
	waitForHits(p, 12)
	p.Click(`#query-chips [aria-label="Remove role:prompt"]`)
	p.WaitForNone(`#query-chips [aria-label="Remove role:prompt"]`)
	waitForURL(p, "q=after:2020-01-01+basket")
	p.GoBack()
	p.WaitForElement(`#query-chips [aria-label="Remove role:prompt"]`)
	waitForHits(p, 12)
}

// A pressed facet adds its filter; several of one group are alternatives.
func TestSearchAll_Facets(t *testing.T) {
	_, p, _ := startSearchAll(t, "the")
	facet := func(token string) string { return fmt.Sprintf(`#facet-list [data-token=%q]`, token) }
	count := func(token, n string) {
		p.WaitUntil(fmt.Sprintf(`document.querySelector(%q).querySelector(".number").textContent === %q`, facet(token), n))
	}
	p.WaitForElement(`#search-status[data-state="done"]`)
	count("role:prompt", "15")
	count("is:sub-agent", "0")
	p.WaitForElement(facet("is:sub-agent") + ".is-zero")
	count("project:shop1", "4")
	p.Click(facet("is:abandoned"))
	waitForURL(p, "q=is:abandoned+the")
	p.WaitForElement(facet("is:abandoned") + `[aria-pressed="true"]`)
	p.WaitForNone(".hit-branch--path")
	count("is:current", "") // unknown: not searched
	p.Click(facet("is:current"))
	p.WaitForElement(".hit-branch--path")
	waitForURL(p, "is:abandoned+is:current")
	p.GoBack()
	p.WaitForElement(facet("is:current") + `[aria-pressed="false"]`)
	p.WaitForNone(".hit-branch--path")

	// Long facets are short at first.
	p.Click(`#query-chips [data-remove="is:abandoned"]`)
	p.WaitForText(`[data-facet="project"] .facet-all`, "Show all 9")
	p.Click(`[data-facet="project"] .facet-all`)
	p.WaitUntil(`document.querySelectorAll('[data-facet="project"] [data-token]:not([hidden])').length === 9`)

	// Time: a week, dates, and bars.
	p.Click(facet("after:7d"))
	waitForURL(p, "after:7d")
	p.Click(facet("after:7d"))
	p.WaitForNone("#query-chips .query-token")
	waitForHits(p, 33)
	p.Click("#choose-dates")
	p.WaitForElement("#facet-dates:not([hidden])")
	p.RunScript(`(() => { const i = document.querySelector("#facet-dates input"); i.value = "2030-01-01"; i.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.WaitForElement(`#query-chips [aria-label="Remove after:2030-01-01"]`)
	p.Click("#clear-time")
	p.WaitForNone("#query-chips .query-token")
}

// A facet without values has no heading.
func TestSearchAll_NoSessions(t *testing.T) {
	server := harness.StartServer(t, t.TempDir())
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL + "/search?q=x")
	p.WaitUntil(`document.querySelector("[data-facet=role]")?.checkVisibility()`)
	for _, name := range []string{"agent", "project"} {
		if harness.EvalScript[bool](p, fmt.Sprintf(`document.querySelector("[data-facet=%s]")?.checkVisibility() ?? false`, name)) {
			t.Errorf("the facet %q is shown without values", name)
		}
	}
}

// Values of filters are suggested.
func TestSearchAll_Suggestions(t *testing.T) {
	_, p, _ := startSearchAll(t, "")
	p.WaitUntil(`document.activeElement.id === "query"`)
	p.TypeText("basket project:shop")
	p.WaitForElement(`#query[aria-expanded="true"]`)
	p.WaitUntil(`document.querySelectorAll('#suggestions [role="option"]').length === 8`)
	waitForHits(p, 12) // the unfinished filter is left out
	p.TypeText("3")
	p.WaitUntil(`document.querySelectorAll('#suggestions [role="option"]').length === 1`)
	p.WaitForElement(`#query[aria-activedescendant="suggestion-0"]`)
	p.PressKey(harness.Tab)
	p.WaitForElement(`#query-chips [aria-label="Remove project:shop3"]`)
	p.WaitForElement("#suggestions[hidden]")
	waitForHits(p, 2)
	waitForFocus(p, "#query")
	p.TypeText("role:")
	p.WaitForText("#suggestions", "Answers")
	p.PressKey(harness.Down)
	p.PressKey(harness.Enter)
	p.WaitForElement(`#query-chips [aria-label="Remove role:answer"]`)
	p.TypeText("label:question")
	p.WaitForText("#suggestions", `label:"good question"`)
	p.WaitForText("#suggestions", "3 sessions")
	p.PressKey(harness.Tab)
	p.WaitForElement(`#query-chips [aria-label='Remove label:"good question"']`)
	p.TypeText("is:")
	p.WaitForText("#suggestions", "Starred")
	p.PressKey(harness.Escape)
	p.WaitForElement("#suggestions[hidden]")
	waitForFocus(p, "#query")
}

// The hits are reached with the keyboard alone.
func TestSearchAll_Keys(t *testing.T) {
	_, p, f := startSearchAll(t, "the")
	p.WaitForElement(`#search-status[data-state="done"]`)
	p.PressKey("/")
	waitForFocus(p, "#query")
	p.PressKey(harness.Down)
	p.WaitUntil(`document.activeElement === document.querySelectorAll(".search-hit")[0]`)
	p.PressKey("j")
	p.WaitUntil(`document.activeElement === document.querySelectorAll(".search-hit")[1]`)
	p.PressKey("]")
	p.WaitUntil(`document.activeElement === document.querySelectorAll(".result")[1].querySelector(".search-hit")`)
	p.PressKey("[")
	p.WaitUntil(`document.activeElement === document.querySelectorAll(".search-hit")[0]`)
	p.PressKey(harness.Up)
	waitForFocus(p, "#query")
	p.PressKey(harness.Escape)
	p.WaitUntil(`document.activeElement === document.body`)
	p.PressKey("?")
	p.WaitForText("#keys[open]", "Previous, next session")
	p.PressKey(harness.Escape)
	p.WaitForNone("#keys[open]")

	// More hits of a session.
	more := `.result-more`
	if p.CountElements(more) != 1 {
		t.Fatalf("%d sessions have more hits, want 1", p.CountElements(more))
	}
	shown := p.CountElements(".result:first-child .search-hit")
	p.RunScript(`document.querySelector(".result-more").focus()`)
	p.PressKey(harness.Enter)
	p.WaitForNone(more)
	p.WaitUntil(fmt.Sprintf(`document.querySelectorAll(".result:first-child .search-hit").length > %d && document.activeElement.matches(".search-hit")`, shown))
	p.RunScript(fmt.Sprintf(`document.querySelector(%q).focus()`, hitSelector(f.two)+", "+hitSelector(f.first)))
	p.PressKey(harness.Enter)
	p.WaitForElement("#path")
}

// The states of the page besides hits.
func TestSearchAll_States(t *testing.T) {
	server, p, _ := startSearchAll(t, "xyzzy")
	p.WaitForText("#search-message", "No hits for “xyzzy”")
	p.WaitForText("#search-message", "in 13 sessions were read")
	p.Click("#search-message [data-clear]")
	p.WaitForElement("#search-start:not([hidden])")
	waitForFocus(p, "#query")

	p.TypeText("re:basket(")
	p.WaitForText("#search-message", "The ( is never closed.")
	p.Click("#search-message [data-query]")
	p.WaitUntil(`document.querySelector("#query").value === '"basket("'`)
	p.WaitForText("#search-message", "No hits")

	// Examples are inserted, and recent searches are listed.
	p.Click("#clear-query")
	p.TypeText("cupboard")
	p.PressKey(harness.Enter)
	waitForHits(p, 12)
	p.Click("#clear-query")
	p.WaitForText("#recent-searches:not([hidden])", "cupboard")
	p.Click(`[data-insert="is:failed"]`)
	p.WaitUntil(`document.querySelector("#query").value === "is:failed"`)
	waitForHits(p, 1)
	p.Open(server.URL + "/search")
	p.Click(`#recent-searches a`)
	waitForHits(p, 12)

	// The server is gone.
	p.AllowConsole("ERR_CONNECTION_REFUSED|Failed to load resource|" + harness.WorkerNotFetched)
	server.Stop()
	p.Click("#query")
	p.TypeText(" in")
	p.WaitForText(`#search-message [role="alert"]`, "Connection lost.")
	server.StartAgain()
	p.Click("#search-message [data-again]")
	waitForHits(p, 12)
	p.WaitForNone(`#search-message [role="alert"]`)
}

// On a phone the filters are in a sheet.
func TestSearchAll_Phone(t *testing.T) {
	box := harness.NewSessionDir(t)
	box.WriteSession(newForkedSession().File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(searchAllURL(server, "the"))
	p.WaitForElement(`#search-status[data-state="done"]`)
	checkWidth(t, p, "search")
	p.Click("#open-facets")
	p.WaitForElement("#facet-sheet[open] #facet-list")
	checkWidth(t, p, "filters")
	for _, selector := range []string{"#facet-sheet button:not([hidden])", ".search-filters button", ".search-hit"} {
		if h := harness.EvalScript[float64](p, fmt.Sprintf(`Math.min(...[...document.querySelectorAll(%q)].map(e => e.getBoundingClientRect().height).filter(h => h > 0))`, selector)); h < 43.5 {
			t.Errorf("%s is %v high, want 44 to touch", selector, h)
		}
	}
	p.Click(`#facet-sheet [data-token="is:abandoned"]`)
	p.WaitUntil(`document.querySelector('#search-status[data-state="done"]') && /^Show \d+ hits?$/.test(document.querySelector("#facet-sheet-done").textContent)`)
	p.Click("#facet-sheet-done")
	p.WaitForNone("#facet-sheet[open]")
	p.WaitForElement(`.search-filters [data-remove="is:abandoned"]`)
	p.WaitForNone(".hit-branch--path")
	p.Click(`.search-filters [data-add="role:prompt"]`)
	p.WaitForElement(`.search-filters [data-remove="role:prompt"]`)
	p.WaitForText("#open-facets", "Filters")
	checkWidth(t, p, "search with filters")
}

// Without script the form finds hits as well.
func TestSearchAll_NoScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	box.WriteSession(newForkedSession().File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	p.Open(server.URL + "/search")
	p.Click("#query")
	p.TypeText("cache")
	p.PressKey(harness.Enter)
	p.WaitForElement(".search-hit")
}

// axe-core finds no violation in any state of the page.
func TestSearchAll_Axe(t *testing.T) {
	skipOutsideCI(t)
	server := harness.StartServer(t, copyDemo(t))
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		for _, s := range []struct{ query, ready string }{
			{"", "#search-start"}, {"cache is:abandoned is:current", `#search-status[data-state="done"]`}, {"role:prompt xyzzy", "#search-message .state"}, {"re:a(", "#search-message .state"},
		} {
			p.Open(searchAllURL(server, s.query))
			p.WaitForElement(s.ready)
			p.CheckAccessibility("search for " + s.query)
		}
		p.Click("#clear-query")
		p.TypeText("role:")
		p.WaitForElement("#suggestions:not([hidden])")
		p.CheckAccessibility("suggestions")
		if size == "phone" {
			p.Open(searchAllURL(server, "cache"))
			p.WaitForElement(`#search-status[data-state="done"]`)
			p.Click("#open-facets")
			p.WaitForElement("#facet-sheet[open]")
			p.CheckAccessibility("filters")
		}
	})
}

// Other pages lead to the search: the list of sessions, the palette, and Ctrl Enter in a
// search field.
func TestSearchAll_Links(t *testing.T) {
	server, p, f := startSearchAll(t, "")
	isSearch := func(query string) {
		t.Helper()
		p.WaitForElement("#searchpage")
		p.WaitUntil(fmt.Sprintf(`document.querySelector("#query").value === %q`, query))
	}
	p.Open(server.URL)
	p.Click(`.site-nav a[href="/search"]`)
	isSearch("")

	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	p.Click(`input[name="q"]`)
	p.TypeText("shop 1")
	p.WaitForText("#search-inside", "Search inside all sessions for “shop 1”")
	p.PressKey(harness.Enter)
	isSearch("shop 1")
	p.Open(server.URL + "/?q=cupboard")
	p.WaitForElement("#no-match")
	p.Click("#search-inside")
	isSearch("cupboard")
	waitForHits(p, 12)

	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	p.PressKey("k", harness.Control)
	waitForFocus(p, "#palette-input")
	p.TypeText("basket")
	p.WaitForText("#palette-list", "Search all sessions for “basket”")
	p.PressKey(harness.Enter, harness.Control)
	isSearch("basket")

	p.Click(".result:first-child .search-hit")
	p.WaitForElement("#tree [role=treeitem]")
	waitForLive(p)
	p.Click("#search input")
	p.PressKey(harness.Enter, harness.Control)
	isSearch("basket")
	p.Open(server.URL + "/search?q=library")
	p.Click(hitSelector(f.oneTip))
	p.WaitForText("#path", "The library is wired in")
}
