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

// compareStyles evaluates to how visible elements look different once all stylesheets are loaded.
const compareStyles = `(async () => {
	const rules = (style) => [...style].map(name => name + ": " + style.getPropertyValue(name));
	const looks = () => new Map([...document.querySelectorAll("body *")].filter(el => el.checkVisibility()).flatMap(el => ["", "::before", "::after"].map(part => [el, part, getComputedStyle(el, part)]))
		.filter(([, part, style]) => !part || style.content !== "none").map(([el, part, style], i) => [el.tagName + "#" + el.id + "." + el.getAttribute("class") + part + (el.id ? "" : " in " + el.parentElement.className + " " + [...el.parentElement.children].indexOf(el)), rules(style)]));
	const before = looks(), link = document.createElement("link");
	link.rel = "stylesheet";
	link.href = document.documentElement.dataset.assets + "/css/pages/all.css";
	await new Promise((resolve, reject) => { link.onload = resolve; link.onerror = reject; document.head.append(link) });
	const found = [];
	for (const [name, now] of looks()) {
		if (!before.has(name)) continue; // it has just been shown
		const was = new Set(before.get(name)), other = now.filter(rule => !was.has(rule));
		if (other.length) found.push(name + " { " + other.slice(0, 6).join("; ") + " }");
	}
	link.remove();
	return { count: before.size, found: found.slice(0, 20) };
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

// A page looks the same with its own stylesheet as with those of all pages, and so do the dialogs
// and panels whose stylesheet is loaded later.
func TestFirstVisit_styles(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	for _, size := range []string{"desktop", "phone"} {
		p := newPageWithLook(t, size, "light")
		p.Open(server.URL)
		p.WaitForElement(".session-row")
		checkStyles(t, p, "list")
		p.Open(server.SessionURL(path))
		waitForLive(p)
		checkStyles(t, p, "session")
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
