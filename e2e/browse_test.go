//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// The main navigation with a mouse, from the index and back.
func TestBrowse(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	box.WriteSession(f.File)
	box.WriteSession(longSession("e2e-other", 3))
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)

	p.Open(server.URL)
	p.WaitUntil(`document.querySelectorAll("a.session-link").length === 2`)
	p.RunScript(`[...document.querySelectorAll("a.session-link")].find(a => a.innerText.includes("Where does the time go")).click()`)
	p.WaitForElement(rowSelector(f.leaf))
	p.WaitForText("#path", "The cache works")
	p.WaitForElement(`#away[hidden]`)
	waitForLive(p) // before, a click is a navigation to another page
	if n := p.CountElements("#tree .row--branch"); n != 2 {
		t.Fatalf("%d branches beside the path, want 2", n)
	}

	// Open a branch: its rows appear, the path stays.
	p.WaitForNone(rowSelector(f.oneTip))
	p.Click(branchRowSelector(f.one) + " .node--toggle")
	p.WaitForElement(rowSelector(f.oneTip))
	p.WaitForElement(branchRowSelector(f.one) + `[aria-expanded="true"]`)
	p.WaitForText("#path", "The cache works")
	waitForURL(p, "open="+f.one)

	// Select an entry of it: the path ends at the newest leaf below it.
	p.Click(branchRowSelector(f.one) + " .row-link")
	p.WaitForText("#path", "The library is wired in")
	p.WaitForElement(branchRowSelector(f.one) + `[aria-selected="true"]`)
	waitForURL(p, "entry="+f.one)
	waitForURL(p, "leaf="+f.oneTip)
	p.WaitForElement(`#away:not([hidden])`)

	// Switch to the next branch at the fork.
	p.Click(fmt.Sprintf(`.switch[data-head=%q] a[data-switch="next"]`, f.one))
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.WaitForElement(pathItemSelector(f.two))
	p.WaitForNone(pathItemSelector(f.one))

	// Reset to the leaf.
	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForText("#path", "The cache works")
	p.WaitForElement(`#away[hidden]`)

	// Filter.
	p.Click(`#filters a[data-filter="user-only"]`)
	p.WaitForNone(`#tree .row--answer`)
	p.WaitForElement(rowSelector(f.main))
	waitForURL(p, "filter=user-only")
	p.Click(`#filters a[data-filter="default"]`)
	p.WaitForElement(`#tree .row--answer`)

	// Search: hits are marked, Enter selects the next one.
	p.Click(`#search input[type="search"]`)
	p.TypeText("library")
	p.WaitForElement(`#tree mark`)
	p.WaitUntil(`/\d/.test(document.querySelector("#hits").innerText)`)
	waitForURL(p, "q=library")
	p.PressKey(harness.Enter)
	p.WaitUntil(`document.querySelector("#tree .row.is-selected mark, #tree .row.is-selected.is-hit")`)
	p.PressKey(harness.Escape) // closes the list of hits
	p.WaitForElement(`#finder[hidden]`)
	p.PressKey(harness.Escape)
	p.WaitForNone(`#tree mark`)
}

// A link to an entry of a closed branch shows its path and selects its row. Back and
// Forward step through the views.
func TestDeepLinkAndBack(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	url := server.SessionURL(path)

	p.Open(url + "?entry=" + f.inner)
	p.WaitForElement(branchRowSelector(f.inner) + `[aria-selected="true"]`)
	p.WaitForText("#path", "We could, it has 40 lines")
	p.WaitForElement(`#away:not([hidden])`)
	p.WaitUntil(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight })()`, branchRowSelector(f.inner)))
	p.WaitUntil(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight })()`, pathItemSelector(f.inner)))

	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForText("#path", "The cache works")
	p.Click(rowSelector(f.first) + " .row-link")
	p.WaitForElement(rowSelector(f.first) + `[aria-selected="true"]`)
	p.GoBack()
	p.WaitForElement(rowSelector(f.first) + `[aria-selected="false"]`)
	p.WaitForText("#path", "The cache works")
	p.GoBack()
	p.WaitForElement(branchRowSelector(f.inner) + `[aria-selected="true"]`)
	p.WaitForText("#path", "We could, it has 40 lines")
	p.RunScript(`history.forward()`)
	p.WaitForText("#path", "The cache works")
	p.WaitForElement(`#away[hidden]`)
}

// A click on a row of the shown path fetches neither rows nor facts, and the page is the one that
// the server would send.
func TestRowClick_ShownPath(t *testing.T) {
	box, claude := harness.NewSessionDir(t), copyClaudeProject(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir, claude)
	forked, continued := server.SessionURL(path), server.SessionURL(findSample(t, claude, "Now a nest"))
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(`{
		const { fetch } = window;
		window.fetched = [];
		window.fetch = (url, options) => {
			window.fetched.push(String(url));
			return fetch(url, options);
		};
	}`)
	for _, c := range []struct {
		name, url, row string
		same           bool // rows and facts are the same
	}{
		{"of the leaf's path", forked, rowSelector(f.first), true},
		{"below the viewed entry", forked + "?entry=" + f.first, rowSelector(f.main), true},
		{"of another branch's path", forked + "?leaf=" + f.oneTip, rowSelector(f.first), true},
		{"among open branches", forked + "?open=" + f.one + "," + f.inner + "&filter=all", rowSelector(f.first), true},
		{"of the outline", forked + "?layout=outline", rowSelector(f.first), true},
		{"of another branch", forked, branchRowSelector(f.two), false},
		{"of a search", forked + "?q=library", rowSelector(f.first), false},
		{"of the start of a continuing session", continued, "#tree .row--head", false}, // the prompt has its own row
	} {
		p.Open(c.url)
		waitForLive(p)
		p.RunScript(`window.fetched = []`)
		p.Click(c.row + " .row-link")
		if c.same {
			p.WaitForElement(c.row + `[aria-selected="true"]`)
		}
		p.WaitUntil(`document.querySelector("#facts").dataset.entry === new URLSearchParams(location.search).get("entry")`)
		if same := !harness.EvalScript[bool](p, `fetched.some((url) => /\/(rows|facts)\?/.test(url))`); same != c.same {
			t.Errorf("%s: without rows and facts %v, want %v: %s", c.name, same, c.same, harness.EvalScript[string](p, `fetched.join("\n")`))
		}
		if diff := harness.EvalScript[string](p, comparePageWithServer); diff != "" {
			t.Errorf("%s: the page and what the server sends: %s", c.name, diff)
		}
	}
}

// comparePageWithServer describes how the links and rows of a session's page differ from those that
// the server sends for its address, once they are loaded.
const comparePageWithServer = `(async () => {
	const get = async (what, more) => {
		const template = document.createElement("template");
		template.innerHTML = await (await fetch(location.pathname + "/" + what + location.search + (location.search ? "&" : "?") + more)).text();
		return template.content;
	};
	const describe = (page, selector) => [...page.querySelectorAll(selector)].map((el) =>
		[[...el.classList].sort(), el.ariaSelected, el.ariaExpanded, decodeURIComponent(el.getAttribute("href") ?? el.dataset.entry)].join(" "));
	const facts = "#facts, #filters a, #focus-bar a, #side-foot a", rows = "#tree .row, #tree .row a";
	const want = [...describe(await get("facts", ""), facts), ...describe(await get("rows", "at=0&n=200"), rows.replaceAll("#tree ", ""))];
	let shown, sent;
	for (let n = 0; n < 100; n++) {
		const got = [...describe(document, facts), ...describe(document, rows)];
		[shown, sent] = [got.filter((line) => !want.includes(line)), want.filter((line) => !got.includes(line))];
		if (shown.length + sent.length === 0 && got.length === want.length) return "";
		await new Promise((done) => setTimeout(done, 20));
	}
	return "shown: " + shown.join("; ") + "\nsent: " + sent.join("; ");
})()`

// The outline layout has its own address.
func TestOutlineLayout(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.Click(`#side-foot a[data-layout="outline"]`)
	waitForURL(p, "layout=outline")
	p.WaitForElement(rowSelector(f.oneTip)) // pi's order folds nothing
	p.WaitForElement(rowSelector(f.twoTip))
	p.Click(`#side-foot a[data-layout="spine"]`)
	p.WaitForNone(rowSelector(f.twoTip))
}
