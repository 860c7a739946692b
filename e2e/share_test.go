//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// shareAddress is where a server that was started with --share-listen says that it
// serves shares.
func shareAddress(t *testing.T, s *harness.Server) string {
	t.Helper()
	var found []string
	harness.Until(t, "the address of shares", func() bool {
		found = regexp.MustCompile(`Shares: (\S+)/share/`).FindStringSubmatch(s.Log())
		return found != nil
	})
	return found[1]
}

// secretive is a session with a key in an output, thinking, and two branches.
type secretive struct {
	*transcript.File
	first, second, other, leaf string
}

func newSecretive() secretive {
	f := transcript.New(transcript.Pi, "e2e-shared", "/home/somebody/atlas", harness.Start0)
	k := secretive{File: f}
	f.SetModel("anthropic", "claude-sonnet-4-5")
	f.Named("Live reload of /home/somebody")
	k.first = f.User("Could we have a file watcher for the custom themes? One which triggers a reload.")
	f.Think("A secret thought about the watcher.", "Yes. Node has `fs.watch()` built in. Let me look where themes are loaded.")
	f.Bash("", "grep -n 'export let theme' src/theme/theme.ts", "12:export let theme\nTOKEN="+exportKey, false)
	f.Edit("", "/home/somebody/atlas/src/theme.ts", "a", "b", "- 40 \ttheme = load(name)\n+ 40 \ttheme = load(name)\n+ 41 \twatch(name)\n  42 \tdraw()\n")
	mid := f.Say("The theme system has **live reload** now.\n\n1. It watches the selected theme.\n2. It debounces by 100 ms.")
	k.other = f.User("Fall back to the last good theme")
	f.Say("Then a broken file changes nothing.")
	f.Back(mid)
	k.second = f.User("What happens if you delete the theme?")
	f.Bash("Let me try.", "rm ~/.pi/themes/test.json", "", false)
	k.leaf = f.Say("It falls back to the dark one, as expected.")
	return k
}

// shareFrom opens the dialog about an entry, "" about the session.
func shareFrom(p *harness.Page, entry string) {
	if entry == "" {
		p.Click(`.topbar [data-act="shares"]`)
	} else {
		openFor(p, "shares", entry)
	}
	p.Has("#change[open] .change--share")
}

// createLink makes the link of the dialog that is open.
func createLink(p *harness.Page) string {
	p.Click(`#change [data-do="change-submit"]`)
	p.Has("#share-link")
	return harness.Eval[string](p, `document.querySelector("#share-link").value`)
}

// A part is shared in one browser and read in another, on a phone: the page walks,
// deep links lead into it, and it ends the moment the link is revoked.
func TestShare(t *testing.T) {
	box := harness.NewBox(t)
	f := newSecretive()
	path := box.Put(f.File)
	server := harness.Start(t, "--share-listen", "127.0.0.1:0", box.Dir)
	shares := shareAddress(t, server)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)

	// The dialog counts again what another part holds.
	shareFrom(p, "")
	p.Says("#change h2", "Share this session")
	p.Says("#share-secrets", "possible secret")
	p.Says("#share-secrets", "github token")
	p.Says("#share-holds", "1 branch")
	if body := harness.Eval[string](p, `document.querySelector("#change").textContent`); strings.Contains(body, exportKey) {
		t.Error("the dialog tells the key")
	}
	p.Key(harness.Escape)
	p.Lacks("#change[open]")
	shareFrom(p, f.second)
	p.Says("#share-parts", "4 entries")
	p.Says("#share-secrets", "No secrets found")
	p.Click(`#share-parts [value="path"]`)
	p.Says("#share-secrets", "github token")
	p.Says("#share-holds", "3 entries")
	p.Click(`#change [name="hold"][value="branches"]`)
	p.Click(`.keep [value="30"]`)
	p.Wait(`document.querySelector(".keep-say[data-keep='30']").checkVisibility() && !document.querySelector(".keep-say[data-keep='7']").checkVisibility()`)
	preview := harness.Eval[string](p, `(() => { const f = document.querySelector("#change form"), q = new URLSearchParams(new FormData(f)); q.set("preview", "1"); return f.action + "?" + q })()`)
	v := chromium(t).Page(t)
	v.Open(preview)
	v.Says("#path", "What happens if you delete the theme?")
	v.Says("#title", "What happens if you delete the theme?") // without "Show names"
	v.Click(row(f.leaf) + " .row-link")
	v.Has(item(f.leaf))
	if harness.Eval[bool](v, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, exportKey)) {
		t.Error("the preview tells the key")
	}
	link := createLink(p)
	if !strings.HasPrefix(link, shares+"/share/") {
		t.Fatalf("the link is %s, shares are at %s", link, shares)
	}
	p.Says("#change", "Opens on this computer only") // 127.0.0.1
	p.Lacks("#change .qr")
	p.Exec(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	p.Wait(`document.activeElement?.dataset.do === "change-copy"`)
	p.Key(harness.Enter)
	p.Wait(fmt.Sprintf(`window.copied === %q`, link))
	p.Click(`#change .shared-all`)
	p.Says("#shares", "Live reload of")

	r := chromium(t).Page(t) // somebody else's browser
	r.Phone()
	r.Expect("410")
	r.Open(link)
	r.Says("#title", "What happens if you delete the theme?")
	r.Says(".prov", "value redacted")
	r.Says("#path", "Could we have a file watcher")
	for _, never := range []string{exportKey, "somebody", "A secret thought", "Fall back to the last good theme"} {
		if harness.Eval[bool](r, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, never)) {
			t.Errorf("the page tells %q", never)
		}
	}
	if foreign := harness.Eval[string](r, `performance.getEntriesByType("resource").map(e => new URL(e.name).pathname).filter(n => !n.startsWith("/share/") && !n.startsWith("/static/")).join(" ")`); foreign != "" {
		t.Errorf("the page asks for %s", foreign)
	}
	r.Click(`.topbar [data-do="drawer"]`)
	settle(r)
	r.Click(row(f.leaf) + " .row-link")
	inURL(r, "entry=")
	r.Has(item(f.leaf))
	if harness.Eval[int](r, `document.querySelectorAll("a[href^='/sessions'], a[href='/'], [data-change], form[method='post']").length`) != 0 {
		t.Error("the page leads into the explorer, or changes it")
	}
	r.Open(link + "?entry=" + f.second)
	r.Has(item(f.second) + ".is-target, " + item(f.second))
	r.Says("#path", "What happens if you delete")

	p.Open(server.URL + "/shares")
	p.Says("#shares", "2 visits")
	p.Click("#shares form button")
	p.Says("#shares .share-state", "Revoked")
	p.Says("#say", "revoked")
	p.Wait(`document.activeElement?.textContent.includes("Remove")`)
	r.Click(`.botbar [data-do="drawer"]`) // the next thing that is asked for tells
	r.Exec(`document.querySelector("#filters a:last-child").click()`)
	r.Says(".page--error", "revoked")
	r.Open(link)
	r.Says(".page--error", "410")
	p.Key(harness.Enter)
	p.Says("#shares", "Nothing is shared")
}

// What comes to the session comes to those who read a share that follows it, also
// when nobody looks at the session and after the server began anew; what should not
// be told is replaced there, too. Labels, of before and of meanwhile, bend nothing.
// When the link is revoked, its pages say so.
func TestShare_Live(t *testing.T) {
	box := harness.NewBox(t)
	f := newSecretive()
	f.Label(f.second, "the question")
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Expect("WebSocket|ERR_CONNECTION|Failed to load")
	p.Open(server.SessionURL(path))
	live(p)
	shareFrom(p, "")
	p.Click(`#change [name="live"]`)
	link := createLink(p)
	p.Open(server.URL + "/shares")
	p.Says("#shares", "Live")

	r := chromium(t).Page(t)
	r.Expect("WebSocket|ERR_CONNECTION|Failed to load|410|503")
	r.Open(link)
	live(r)
	f.User("One more thing, in /home/somebody/atlas")
	box.Append(path, f.Tail(1))
	r.Says("#path", "One more thing, in ~/atlas")
	straight(r, f.Last, 16)
	r.Click(row(f.Last) + " .row-link") // and stands at the leaf from then on
	r.Has(item(f.Last))
	f.Label(f.first, "where it began")
	box.Append(path, f.Tail(1))
	r.Says("#tree", "where it began")
	answer := f.Say("Done.")
	box.Append(path, f.Tail(1))
	r.Has(item(answer))
	straight(r, answer, 17)
	server.Restart()
	f.Say("The key is " + exportKey + " now.")
	box.Append(path, f.Tail(1))
	r.Says("#path", "The key is [")
	straight(r, f.Last, 18)
	for _, never := range []string{exportKey, "somebody"} {
		if harness.Eval[bool](r, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, never)) {
			t.Errorf("the page tells %q", never)
		}
	}
	p.Open(server.URL + "/shares")
	p.Click("#shares form button")
	r.Says(".page--error", "revoked")
}

// straight wants a reader to stand at the leaf of one straight line, and to be told
// how much there is.
func straight(r *harness.Page, leaf string, entries int) {
	r.Has(row(leaf) + " .leaf-tag")
	r.Has("#away[hidden]")
	for _, count := range []string{"#share-hero .num b", "#side-foot .num b + b"} {
		r.Wait(fmt.Sprintf(`document.querySelector(%q).textContent === "%d"`, count, entries))
	}
	r.Wait(`![...document.querySelectorAll("#tree .row")].some((e) => /Settings and labels/.test(e.textContent))`)
}

// The whole of it by keyboard.
func TestShare_Keyboard(t *testing.T) {
	box := harness.NewBox(t)
	f := newSecretive()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	p.Key("k", harness.Control)
	p.Has("#palette[open]")
	p.Type("share this session")
	p.Key(harness.Enter)
	p.Wait(`document.activeElement?.name === "keep"`)
	p.Key(harness.Right)
	p.Wait(`document.querySelector(".keep :checked").value === "30"`)
	p.Key(harness.Enter)
	p.Has("#share-link")
	p.Wait(`document.activeElement?.dataset.do === "change-copy"`)
	p.Key(harness.Escape)
	p.Lacks("#change[open]")
	if list := harness.Eval[string](p, `fetch("/shares").then(a => a.text())`); !strings.Contains(list, "share-state is-open") {
		t.Error("no share is listed")
	}
}

// A part that makes no file of its own says why, and what can be taken instead.
func TestShare_Refused(t *testing.T) {
	dir := demo(t)
	path := sample(t, dir, "msg-7c1e52d0-0003-4000-8000-2d4b00000001")
	server := harness.Start(t, dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	openFor(p, "shares", "msg-7c1e52d0-0003-4000-8000-2d4b00000001")
	p.Wait(`document.activeElement?.value === "path"`)
	p.Has("#share-holds")
	p.Key(harness.Up)
	p.Says("#change .reason", "Take the path with it")
	p.Lacks("#share-holds")
	p.Wait(`document.activeElement?.value === "below"`)
	p.Says("#say", "Take the path with it")
	p.Key(harness.Down)
	p.Has("#share-holds")
	p.Wait(`document.activeElement?.value === "path"`)
	createLink(p)
}

// Without script the dialog, the link and the list are pages.
func TestShare_WithoutScript(t *testing.T) {
	box := harness.NewBox(t)
	f := newSecretive()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	url := server.SessionURL(path)
	p := chromium(t).Page(t)
	p.WithoutScript()
	harness.Until(t, "the page", func() bool { p.Open(url); return p.Count(row(f.leaf)) == 1 })
	p.Click(`.topbar [data-act="shares"]`)
	p.Says(".change", "Share this session")
	p.Click(`.change [type="submit"]`)
	p.Has("#share-link")
	link := harness.Eval[string](p, `document.querySelector("#share-link").value`)
	p.Open(link)
	p.Says("#path", "Could we have a file watcher")
	p.Has(row(f.leaf))
	p.Open(server.URL + "/shares")
	p.Click("#shares form button")
	p.Says("#shares", "Revoked")
	p.Expect("410")
	p.Open(link)
	p.Says(".page--error", "revoked")
}

func TestAxe_Share(t *testing.T) {
	box := harness.NewBox(t)
	f := newSecretive()
	path := box.Put(f.File)
	server := harness.Start(t, "--share-url", "http://atlas.lan", box.Dir)
	for _, size := range []string{"desktop", "phone"} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(size+" "+theme, func(t *testing.T) {
				p := chromium(t).Page(t)
				p.Expect("Content Security Policy.*eval|unsafe-eval|410|404")
				if size == "phone" {
					p.Phone()
				}
				p.Theme(theme)
				p.Open(server.SessionURL(path))
				live(p)
				openFor(p, "shares", f.first)
				p.Axe("dialog")
				link := createLink(p)
				p.Has("#change .qr")
				p.Axe("link")
				p.Open(server.URL + "/shares")
				p.Axe("list")
				local := server.URL + link[strings.Index(link, "/share/"):]
				p.Open(local)
				p.Has("#tree .row")
				p.Axe("reader")
				p.Open(server.URL + "/shares")
				p.Click("#shares form button")
				p.Says("#shares", "Revoked")
				p.Axe("list with one that has ended")
				p.Open(local)
				p.Says(".page--error", "410")
				p.Axe("gone")
			})
		}
	}
}

// Pictures of sharing, wide and narrow, light and dark.
func TestShots_Share(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Skip("only with SHOTS set (make shots)")
	}
	box := harness.NewBox(t)
	f := newSecretive()
	path := box.Put(f.File)
	server := harness.Start(t, "--share-listen", "127.0.0.1:0", "--share-url", "http://atlas.lan:7778", box.Dir)
	base := server.SessionURL(path)
	own := chromium(t).Page(t)
	own.Open(base)
	live(own)
	links := map[string]string{}
	for _, name := range []string{"live", "read", "revoked"} {
		shareFrom(own, "")
		if name == "live" {
			own.Click(`#change [name="live"]`)
		}
		own.Click("#share-parts ~ .lines summary, #change details summary")
		own.Exec(`document.querySelector("#share-note").value = "How the theme watcher came to be: the prompt, the edits that worked, and what happens when the file is deleted."; document.querySelector("#share-by").value = "Ada"`)
		links[name] = createLink(own)
		own.Click(`#change [data-do="change-close"].btn--line`)
		own.Lacks("#change[open]")
	}
	own.Open(server.URL + "/shares")
	own.Click("#shares .share:first-child form button")
	own.Says("#shares .share", "Revoked")
	local := func(name string) string { return server.URL + links[name][strings.Index(links[name], "/share/"):] }
	for _, v := range []struct {
		name, url, ready string
		act              func(p *harness.Page, phone bool)
	}{
		{"dialog", base, ".leaf-tag", func(p *harness.Page, _ bool) { live(p); openFor(p, "shares", f.second) }},
		{"dialog-all", base, ".leaf-tag", func(p *harness.Page, _ bool) { live(p); openFor(p, "shares", "") }},
		{"dialog-end", base, ".leaf-tag", func(p *harness.Page, _ bool) {
			live(p)
			openFor(p, "shares", "")
			p.Exec(`(() => { const b = document.querySelector("#change .dialog-body"); b.scrollTop = b.scrollHeight })()`)
		}},
		{"made", base, ".leaf-tag", func(p *harness.Page, _ bool) { live(p); openFor(p, "shares", ""); createLink(p) }},
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
			p := chromium(t).Page(t)
			p.Expect("410|404")
			phone := strings.HasPrefix(look, "phone")
			if phone {
				p.Phone()
			} else {
				p.Size(1440, 900)
			}
			p.Theme(strings.TrimPrefix(look, "phone-"))
			p.Open(v.url)
			p.Has(v.ready)
			if v.act != nil {
				v.act(p, phone)
			}
			settle(p)
			p.Shot("share-" + v.name + "-" + look)
		}
	}
}
