//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// writeTypicalSession writes a session with the contents of those that the benchmark measures.
func writeTypicalSession(t *testing.T, box *harness.SessionDir, entries int) string {
	t.Helper()
	path := filepath.Join(box.Dir, "typical.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	spec := workload.Spec{Seed: 7, Cwd: "/home/dev/work/page", Start: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), Entries: entries, Branches: entries / 100}
	if _, err := workload.WriteSession(f, spec); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// The first visit of a session, with nothing in the browser's cache, transfers little and sends
// few requests. Dialogs and panels are loaded when they are used.
func TestFirstVisit(t *testing.T) {
	box := harness.NewSessionDir(t)
	path := writeTypicalSession(t, box, 3000)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.WaitUntil(`performance.getEntriesByType("resource").every(r => r.responseEnd > 0) && document.readyState === "complete"`)
	// What the page fetches by itself once it is idle counts, too.
	p.RunScript(`new Promise(done => requestIdleCallback(() => requestAnimationFrame(() => requestIdleCallback(done))))`)
	p.WaitUntil(`performance.getEntriesByType("resource").every(r => r.responseEnd > 0)`)
	requests, bytes := p.Traffic()
	names := harness.EvalScript[[]string](p, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(r => r.transferSize + " " + new URL(r.name).pathname)`)
	t.Logf("%d requests, %d bytes: %q", requests, bytes, names)
	if requests >= 10 || bytes >= 120_000 {
		t.Errorf("%d requests, %d bytes; want fewer than 10 and 120,000", requests, bytes)
	}
	for _, use := range []struct{ key, shown, file string }{
		{"m", "#map-panel:not([hidden]) svg", "session-mappanel.js"},
		{"i", "#context:not([hidden]) #context-content", "session-contextpanel.js"},
		{"b", "#change[open] form", "session-changedialog.js"},
	} {
		loaded := fmt.Sprintf(`performance.getEntriesByType("resource").some(r => r.name.endsWith(%q))`, use.file)
		if harness.EvalScript[bool](p, loaded) {
			t.Errorf("%s was loaded before it was used", use.file)
		}
		p.PressKey(use.key)
		p.WaitForElement(use.shown)
		p.WaitUntil(loaded)
	}
}

// compareStyles evaluates to how visible elements look different while all stylesheets are
// loaded. Scripts move some elements at the same time, so a difference counts only if it ends
// with the stylesheets.
const compareStyles = `(async () => {
	const names = [...getComputedStyle(document.body)]; // the same for all elements, and slow
	const rules = ([el, part]) => { const style = getComputedStyle(el, part); return names.map(name => style.getPropertyValue(name)) };
	const shown = [...document.querySelectorAll("body *")].filter(el => el.checkVisibility()).flatMap(el => ["", "::before", "::after"].map(part => [el, part])).filter(([el, part]) => !part || getComputedStyle(el, part).content !== "none");
	const before = shown.map(rules), link = document.createElement("link");
	link.rel = "stylesheet";
	link.href = document.documentElement.dataset.assets + "/css/pages/all.css";
	await new Promise((resolve, reject) => { link.onload = resolve; link.onerror = reject; document.head.append(link) });
	let found = shown.map((at, i) => { const now = rules(at); return [at, now, [...names.keys()].filter(k => now[k] !== before[i][k])] }).filter(([[el], , other]) => other.length && el.isConnected && el.checkVisibility());
	link.remove();
	found = found.map(([at, during, other]) => { const now = rules(at); return [at, other.filter(k => now[k] !== during[k]).map(k => names[k] + ": " + during[k])] }).filter(([, other]) => other.length)
		.map(([[el, part], other]) => el.tagName + "#" + el.id + "." + el.getAttribute("class") + part + " in " + el.parentElement?.className + " { " + other.slice(0, 6).join("; ") + " }");
	return { count: before.length, found: found.slice(0, 20) };
})()`

// checkStyles checks that a page has loaded all rules that its visible elements need.
func checkStyles(t *testing.T, p *harness.Page, what string) {
	t.Helper()
	got := harness.EvalScript[struct {
		Count int
		Found []string
	}](p, compareStyles)
	if got.Count < 50 || len(got.Found) > 0 {
		t.Errorf("%s: of %d elements, other stylesheets change\n%s", what, got.Count, strings.Join(got.Found, "\n"))
	}
}

// The dialogs and panels whose stylesheet is loaded later look the same as with all stylesheets, and
// so do pages on a tablet. TestStylesheets_Complete has the other pages.
func TestFirstVisit_styles(t *testing.T) {
	skipOutsideCI(t)
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	for _, size := range []string{"desktop", "phone"} {
		p := newPageWithLook(t, size, "light")
		p.Open(server.SessionURL(path))
		waitForLive(p)
		if size == "phone" {
			p.EmulateTablet()
			checkStyles(t, p, "session on a tablet")
			p.Open(server.URL)
			checkStyles(t, p, "list on a tablet")
			continue
		}
		for _, use := range []struct{ what, key, shown string }{
			{"label", "L", "#change[open] .popover-body"}, {"branch", "b", "#change[open] .dialog-body"},
			{"map", "m", "#map-panel:not([hidden]) svg"}, {"context", "i", "#context:not([hidden]) #context-content"},
			{"keys", "?", "#keys[open]"}, {"settings", ",", "#settings[open]"},
		} {
			if use.key == "L" {
				p.PressKey("l", harness.Shift)
			} else {
				p.PressKey(use.key)
			}
			p.WaitForElement(use.shown)
			checkStyles(t, p, use.what)
			p.PressKey(harness.Escape)
			p.WaitForNone(use.shown)
		}
		p.PressKey("b", harness.Shift)
		p.WaitForElement("#branch-panel")
		checkStyles(t, p, "branches")
	}
}
