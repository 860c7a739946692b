//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// shareServerURL returns the address of shares that a server with --share-listen prints.
func shareServerURL(t *testing.T, s *harness.Server) string {
	t.Helper()
	var found []string
	harness.Until(t, "the address of shares", func() bool {
		found = regexp.MustCompile(`Shares: (\S+)/share/`).FindStringSubmatch(s.Output())
		return found != nil
	})
	return found[1]
}

// secretSession is a session with a key in an output, thinking, and two branches.
type secretSession struct {
	*transcript.File
	first, second, other, leaf string
}

func newSecretSession() secretSession {
	f := transcript.New(transcript.Pi, "e2e-shared", "/home/somebody/atlas", harness.SessionStart)
	k := secretSession{File: f}
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	f.AddName("Live reload of /home/somebody")
	k.first = f.AddPrompt("Could we have a file watcher for the custom themes? One which triggers a reload.")
	f.AddThinkingReply("A secret thought about the watcher.", "Yes. Node has `fs.watch()` built in. Let me look where themes are loaded.")
	f.AddBashCall("", "grep -n 'export let theme' src/theme/theme.ts", "12:export let theme\nTOKEN="+exportKey, false)
	f.AddEditCall("", "/home/somebody/atlas/src/theme.ts", "a", "b", "- 40 \ttheme = load(name)\n+ 40 \ttheme = load(name)\n+ 41 \twatch(name)\n  42 \tdraw()\n")
	mid := f.AddReply("The theme system has **live reload** now.\n\n1. It watches the selected theme.\n2. It debounces by 100 ms.")
	k.other = f.AddPrompt("Fall back to the last good theme")
	f.AddReply("Then a broken file changes nothing.")
	f.BranchFrom(mid)
	k.second = f.AddPrompt("What happens if you delete the theme?")
	f.AddBashCall("Let me try.", "rm ~/.pi/themes/test.json", "", false)
	k.leaf = f.AddReply("It falls back to the dark one, as expected.")
	return k
}

// openShareDialog opens the share dialog of an entry, or with "" of the session.
func openShareDialog(p *harness.Page, entry string) {
	if entry == "" {
		p.Click(`.topbar [data-change-kind="shares"]`)
	} else {
		openDialogFor(p, "shares", entry)
	}
	p.WaitForElement("#change[open] .change--share")
}

// createLink submits the open dialog and returns the link.
func createLink(p *harness.Page) string {
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForElement("#share-link")
	return harness.EvalScript[string](p, `document.querySelector("#share-link").value`)
}

// A part is shared in one browser and viewed in another on a phone: navigation and deep
// links work, and revoking the link ends the view at once.
func TestShare(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newSecretSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, "--share-listen", "127.0.0.1:0", box.Dir)
	shares := shareServerURL(t, server)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)

	// The dialog counts the content of another part.
	openShareDialog(p, "")
	p.WaitForText("#change h2", "Share this session")
	p.WaitForText("#share-secrets", "possible secret")
	p.WaitForText("#share-secrets", "github token")
	p.WaitForText("#share-holds", "1 branch")
	if body := harness.EvalScript[string](p, `document.querySelector("#change").textContent`); strings.Contains(body, exportKey) {
		t.Error("the dialog tells the key")
	}
	p.PressKey(harness.Escape)
	p.WaitForNone("#change[open]")
	openShareDialog(p, f.second)
	p.WaitForText("#share-parts", "4 entries")
	p.WaitForText("#share-secrets", "No secrets found")
	p.Click(`#share-parts [value="path"]`)
	p.WaitForText("#share-secrets", "github token")
	p.WaitForText("#share-holds", "3 entries")
	p.Click(`#change [name="hold"][value="branches"]`)
	p.Click(`.expiry-choices [value="30"]`)
	p.WaitUntil(`document.querySelector(".expiry-note[data-expiry='30']").checkVisibility() && !document.querySelector(".expiry-note[data-expiry='7']").checkVisibility()`)
	preview := harness.EvalScript[string](p, `(() => { const f = document.querySelector("#change form"), q = new URLSearchParams(new FormData(f)); q.set("preview", "1"); return f.action + "?" + q })()`)
	v := sharedBrowser(t).NewPage(t)
	v.Open(preview)
	v.WaitForText("#path", "What happens if you delete the theme?")
	v.WaitForText("#title", "What happens if you delete the theme?") // without "Show names"
	v.Click(rowSelector(f.leaf) + " .row-link")
	v.WaitForElement(pathItemSelector(f.leaf))
	if harness.EvalScript[bool](v, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, exportKey)) {
		t.Error("the preview tells the key")
	}
	link := createLink(p)
	if !strings.HasPrefix(link, shares+"/share/") {
		t.Fatalf("the link is %s, shares are at %s", link, shares)
	}
	p.WaitForText("#change", "Opens on this computer only") // 127.0.0.1
	p.WaitForNone("#change .qr")
	p.RunScript(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	p.WaitUntil(`document.activeElement?.dataset.do === "change-copy"`)
	p.PressKey(harness.Enter)
	p.WaitUntil(fmt.Sprintf(`window.copied === %q`, link))
	p.Click(`#change .shared-all`)
	p.WaitForText("#shares", "Live reload of")

	r := sharedBrowser(t).NewPage(t) // another person's browser
	r.EmulatePhone()
	r.AllowConsole("410")
	r.Open(link)
	r.WaitForText("#title", "What happens if you delete the theme?")
	r.WaitForText(".provenance", "value redacted")
	r.WaitForText("#path", "Could we have a file watcher")
	for _, never := range []string{exportKey, "somebody", "A secret thought", "Fall back to the last good theme"} {
		if harness.EvalScript[bool](r, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, never)) {
			t.Errorf("the page tells %q", never)
		}
	}
	if foreign := harness.EvalScript[string](r, `performance.getEntriesByType("resource").map(e => new URL(e.name).pathname).filter(n => !n.startsWith("/share/") && !n.startsWith("/static/")).join(" ")`); foreign != "" {
		t.Errorf("the page asks for %s", foreign)
	}
	r.Click(`.topbar [data-do="drawer"]`)
	r.WaitForRendering()
	r.Click(rowSelector(f.leaf) + " .row-link")
	waitForURL(r, "entry=")
	r.WaitForElement(pathItemSelector(f.leaf))
	if harness.EvalScript[int](r, `document.querySelectorAll("a[href^='/sessions'], a[href='/'], [data-change], form[method='post']").length`) != 0 {
		t.Error("the page leads into the explorer, or changes it")
	}
	r.Open(link + "?entry=" + f.second)
	r.WaitForElement(pathItemSelector(f.second) + ".is-target, " + pathItemSelector(f.second))
	r.WaitForText("#path", "What happens if you delete")

	p.Open(server.URL + "/shares")
	p.WaitForText("#shares", "2 visits")
	p.Click("#shares form button")
	p.WaitForText("#shares .share-state", "Revoked")
	p.WaitForText("#say", "revoked")
	p.WaitUntil(`document.activeElement?.textContent.includes("Remove")`)
	r.Click(`.bottom-bar [data-do="drawer"]`) // the next request reports it
	r.RunScript(`document.querySelector("#filters a:last-child").click()`)
	r.WaitForText(".page--error", "revoked")
	r.Open(link)
	r.WaitForText(".page--error", "410")
	p.PressKey(harness.Enter)
	p.WaitForText("#shares", "Nothing is shared")
}

// Viewers of a live share see new entries, even if nobody views the session and after a
// restart of the server. Sensitive values are replaced there too. Labels do not change
// the path. Revoking the link shows a message in its pages.
func TestShare_Live(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newSecretSession()
	f.AddLabel(f.second, "the question")
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AllowConsole("WebSocket|ERR_CONNECTION|Failed to load|" + harness.WorkerNotFetched)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	openShareDialog(p, "")
	p.Click(`#change [name="live"]`)
	link := createLink(p)
	p.Open(server.URL + "/shares")
	p.WaitForText("#shares", "Live")

	r := sharedBrowser(t).NewPage(t)
	r.AllowConsole("WebSocket|ERR_CONNECTION|Failed to load|410|503")
	r.Open(link)
	waitForLive(r)
	f.AddPrompt("One more thing, in /home/somebody/atlas")
	box.AppendFile(path, f.LastLines(1))
	r.WaitForText("#path", "One more thing, in ~/atlas")
	checkSinglePath(r, f.LastID, 16)
	r.Click(rowSelector(f.LastID) + " .row-link") // and follows the leaf from then on
	r.WaitForElement(pathItemSelector(f.LastID))
	f.AddLabel(f.first, "where it began")
	box.AppendFile(path, f.LastLines(1))
	r.WaitForText("#tree", "where it began")
	answer := f.AddReply("Done.")
	box.AppendFile(path, f.LastLines(1))
	r.WaitForElement(pathItemSelector(answer))
	checkSinglePath(r, answer, 17)
	server.Restart()
	f.AddReply("The key is " + exportKey + " now.")
	box.AppendFile(path, f.LastLines(1))
	r.WaitForText("#path", "The key is [")
	checkSinglePath(r, f.LastID, 18)
	for _, never := range []string{exportKey, "somebody"} {
		if harness.EvalScript[bool](r, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, never)) {
			t.Errorf("the page tells %q", never)
		}
	}
	p.Open(server.URL + "/shares")
	p.Click("#shares form button")
	r.WaitForText(".page--error", "revoked")
}

// checkSinglePath checks that a viewer is at the leaf of a single path with the given
// number of entries.
func checkSinglePath(r *harness.Page, leaf string, entries int) {
	r.WaitForElement(rowSelector(leaf) + " .leaf-tag")
	r.WaitForElement("#away[hidden]")
	for _, count := range []string{"#share-hero .number b", "#side-foot .number b + b"} {
		r.WaitUntil(fmt.Sprintf(`document.querySelector(%q).textContent === "%d"`, count, entries))
	}
	r.WaitUntil(`![...document.querySelectorAll("#tree .row")].some((e) => /Metadata lines/.test(e.textContent))`)
}

// Sharing works by keyboard alone.
func TestShare_Keyboard(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newSecretSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette[open]")
	p.TypeText("share this session")
	p.PressKey(harness.Enter)
	p.WaitUntil(`document.activeElement?.name === "keep"`)
	p.PressKey(harness.Right)
	p.WaitUntil(`document.querySelector(".expiry-choices :checked").value === "30"`)
	p.PressKey(harness.Enter)
	p.WaitForElement("#share-link")
	p.WaitUntil(`document.activeElement?.dataset.do === "change-copy"`)
	p.PressKey(harness.Escape)
	p.WaitForNone("#change[open]")
	if list := harness.EvalScript[string](p, `fetch("/shares").then(a => a.text())`); !strings.Contains(list, "share-state is-open") {
		t.Error("no share is listed")
	}
}

// A part that cannot be a file shows the reason and an alternative.
func TestShare_Refused(t *testing.T) {
	dir := copyDemo(t)
	path := findSample(t, dir, "msg-7c1e52d0-0003-4000-8000-2d4b00000001")
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	openDialogFor(p, "shares", "msg-7c1e52d0-0003-4000-8000-2d4b00000001")
	p.WaitUntil(`document.activeElement?.value === "path"`)
	p.WaitForElement("#share-holds")
	p.PressKey(harness.Up)
	p.WaitForText("#change .reason", "Include the path")
	p.WaitForNone("#share-holds")
	p.WaitUntil(`document.activeElement?.value === "below"`)
	p.WaitForText("#say", "Include the path")
	p.PressKey(harness.Down)
	p.WaitForElement("#share-holds")
	p.WaitUntil(`document.activeElement?.value === "path"`)
	createLink(p)
}

// Without --share-listen and --share-url the dialog says, before a link is created, that the
// link opens on this computer only. It offers to download the page of the same part.
func TestShare_LocalOnly(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newSecretSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	openShareDialog(p, f.second)
	p.WaitForText("#share-local", "The link opens on this computer only.")
	p.WaitForElement(`#change [data-do="change-submit"]`) // nothing is created yet
	p.CheckAccessibility("dialog")
	p.Click(`#share-parts [value="all"]`)
	p.WaitForElement(`#share-local a[href*="scope=tree"]`)
	p.Click(`#share-parts [value="path"]`)
	p.WaitForElement(`#share-local a[href*="scope=subtree"]:not([href*="bare"])`)
	p.Click(`#share-local a`)
	p.WaitForText("#change .change--export", "From this entry on, with the path to it")
	p.WaitForText("#change .found", "github")
	file := harness.EvalScript[string](p, `document.querySelector("#change form").getAttribute("action") + "?" + new URLSearchParams(new FormData(document.querySelector("#change form")))`)
	a, body := server.GetPage(file)
	if !strings.Contains(a.Header.Get("Content-Disposition"), ".html") || strings.Contains(body, exportKey) ||
		!strings.Contains(body, "What happens if you delete") || strings.Contains(body, "Fall back to the last good theme") {
		t.Errorf("downloaded the wrong page: %s, %d bytes", a.Header.Get("Content-Disposition"), len(body))
	}
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForText("#toast", "download has started")
}

// Without script the dialog, the link and the list are pages.
func TestShare_WithoutScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newSecretSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(path)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	harness.Until(t, "the page", func() bool { p.Open(url); return p.CountElements(rowSelector(f.leaf)) == 1 })
	p.Click(`.topbar [data-change-kind="shares"]`)
	p.WaitForText(".change", "Share this session")
	p.Click(`.change [type="submit"]`)
	p.WaitForElement("#share-link")
	link := harness.EvalScript[string](p, `document.querySelector("#share-link").value`)
	p.Open(link)
	p.WaitForText("#path", "Could we have a file watcher")
	p.WaitForElement(rowSelector(f.leaf))
	p.Open(server.URL + "/shares")
	p.Click("#shares form button")
	p.WaitForText("#shares", "Revoked")
	p.AllowConsole("410")
	p.Open(link)
	p.WaitForText(".page--error", "revoked")
}

func TestAxe_Share(t *testing.T) {
	skipOutsideCI(t)
	box := harness.NewSessionDir(t)
	f := newSecretSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, "--share-url", "http://atlas.lan", box.Dir)
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		p.AllowConsole("410|404")
		p.Open(server.SessionURL(path))
		waitForLive(p)
		openDialogFor(p, "shares", f.first)
		p.CheckAccessibility("dialog")
		link := createLink(p)
		p.WaitForElement("#change .qr")
		p.CheckAccessibility("link")
		p.Open(server.URL + "/shares")
		p.CheckAccessibility("list")
		local := server.URL + link[strings.Index(link, "/share/"):]
		p.Open(local)
		p.WaitForElement("#tree .row")
		p.CheckAccessibility("reader")
		p.Open(server.URL + "/shares")
		p.Click("#shares .btn--danger")
		p.WaitForNone("#shares .btn--danger")
		p.CheckAccessibility("list with one that has ended")
		p.Open(local)
		p.WaitForText(".page--error", "410")
		p.CheckAccessibility("gone")
	})
}

// Screenshots of sharing, wide and narrow, light and dark.
func TestShots_Share(t *testing.T) {
	skipUnlessShots(t)
	box := harness.NewSessionDir(t)
	f := newSecretSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, "--share-listen", "127.0.0.1:0", "--share-url", "http://atlas.lan:7778", box.Dir)
	base := server.SessionURL(path)
	own := sharedBrowser(t).NewPage(t)
	own.Open(base)
	waitForLive(own)
	links := map[string]string{}
	for _, name := range []string{"live", "read", "revoked"} {
		openShareDialog(own, "")
		if name == "live" {
			own.Click(`#change [name="live"]`)
		}
		own.Click("#share-parts ~ .lines summary, #change details summary")
		own.RunScript(`document.querySelector("#share-note").value = "How the theme watcher came to be: the prompt, the edits that worked, and what happens when the file is deleted."; document.querySelector("#share-by").value = "Ada"`)
		links[name] = createLink(own)
		own.Click(`#change [data-do="change-close"].btn--line`)
		own.WaitForNone("#change[open]")
	}
	own.Open(server.URL + "/shares")
	own.Click("#shares .share:first-child form button")
	own.WaitForText("#shares .share", "Revoked")
	local := func(name string) string { return server.URL + links[name][strings.Index(links[name], "/share/"):] }
	for _, v := range []struct {
		name, url, ready string
		act              func(p *harness.Page, phone bool)
	}{
		{"dialog", base, ".leaf-tag", func(p *harness.Page, _ bool) { waitForLive(p); openDialogFor(p, "shares", f.second) }},
		{"dialog-all", base, ".leaf-tag", func(p *harness.Page, _ bool) { waitForLive(p); openDialogFor(p, "shares", "") }},
		{"dialog-end", base, ".leaf-tag", func(p *harness.Page, _ bool) {
			waitForLive(p)
			openDialogFor(p, "shares", "")
			p.RunScript(`(() => { const b = document.querySelector("#change .dialog-body"); b.scrollTop = b.scrollHeight })()`)
		}},
		{"made", base, ".leaf-tag", func(p *harness.Page, _ bool) { waitForLive(p); openDialogFor(p, "shares", ""); createLink(p) }},
		{"list", server.URL + "/shares", "#shares .share", nil},
		{"page", base + "/shares", ".dialog--page", nil},
		{"read", local("read"), "#tree .row", nil},
		{"drawer", local("read"), "#tree .row", func(p *harness.Page, phone bool) {
			if phone {
				p.Click(`.topbar [data-do="drawer"]`)
			}
		}},
		{"live", local("live"), "#tree .row", nil},
		{"gone", local("revoked"), ".page--error", nil},
		{"wrong", server.URL + "/share/AAAAAAAAAAAAAAAAAAAAAA", ".page--error", nil},
	} {
		for _, look := range []string{"light", "dark", "phone-light", "phone-dark"} {
			p := sharedBrowser(t).NewPage(t)
			p.AllowConsole("410|404")
			phone := strings.HasPrefix(look, "phone")
			if phone {
				p.EmulatePhone()
			} else {
				p.SetWindowSize(1440, 900)
			}
			p.EmulateTheme(strings.TrimPrefix(look, "phone-"))
			p.Open(v.url)
			p.WaitForElement(v.ready)
			if v.act != nil {
				v.act(p, phone)
			}
			p.SaveScreenshot("share-" + v.name + "-" + look)
		}
	}
}
