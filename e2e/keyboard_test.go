//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// waitForFocus waits until an element has the focus.
func waitForFocus(p *harness.Page, selector string) {
	p.WaitUntil(fmt.Sprintf(`document.activeElement?.matches(%q)`, selector))
}

// tabTo presses Tab until an element that matches has the focus.
func tabTo(t *testing.T, p *harness.Page, selector string) {
	t.Helper()
	for range 40 {
		if harness.EvalScript[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
			return
		}
		p.PressKey(harness.Tab)
	}
	t.Fatalf("40 times Tab did not lead to %s", selector)
}

// All navigation works without a mouse.
func TestKeyboard(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	tabTo(t, p, "a.session-link")
	p.PressKey(harness.Enter)
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)

	tabTo(t, p, `[role="treeitem"]`)
	if n := p.CountElements(`#tree [role="treeitem"][tabindex="0"]`); n != 1 {
		t.Fatalf("%d tab stops in the tree, want 1", n)
	}
	p.PressKey(harness.Home)
	waitForFocus(p, `[data-row="0"]`)
	p.PressKey(harness.End)
	waitForFocus(p, rowSelector(f.leaf))

	// Down to the first branch; open, enter, leave and close it.
	p.PressKey(harness.Home)
	p.PressKey(harness.Down)
	p.PressKey(harness.Down)
	waitForFocus(p, branchRowSelector(f.one))
	p.PressKey(harness.Right)
	p.WaitForElement(branchRowSelector(f.one) + `[aria-expanded="true"]`)
	waitForFocus(p, branchRowSelector(f.one))
	p.PressKey(harness.Right)
	waitForFocus(p, rowSelector(f.mid))
	p.PressKey("k")
	waitForFocus(p, branchRowSelector(f.one))
	p.PressKey("j")
	waitForFocus(p, rowSelector(f.mid))
	p.PressKey(harness.Enter)
	p.WaitForText("#path", "The library is wired in")
	waitForFocus(p, rowSelector(f.mid)) // the update keeps the focus
	p.PressKey(harness.Left)
	waitForFocus(p, branchRowSelector(f.one))

	// Branches and the leaf.
	p.PressKey("]")
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.PressKey("[")
	p.WaitForText("#path", "The library is wired in")
	p.PressKey("l")
	p.WaitForText("#path", "The cache works")
	p.WaitForElement(`#away[hidden]`)
	p.PressKey("*")
	p.WaitForElement(branchRowSelector(f.two) + `[aria-expanded="true"]`)

	// Search, help, commands; Escape returns to the tree.
	p.PressKey("/")
	waitForFocus(p, `#search input`)
	p.TypeText("slow")
	p.WaitForElement(`#tree mark`)
	p.PressKey(harness.Escape) // closes the list of hits, then clears the query
	p.PressKey(harness.Escape)
	p.PressKey(harness.Escape)
	waitForFocus(p, `[role="treeitem"]`)
	p.PressKey("?")
	p.WaitForElement(`#keys[open]`)
	p.PressKey(harness.Escape)
	p.WaitForNone(`#keys[open]`)
	p.PressKey("k", harness.Control)
	p.WaitForElement(`#palette[open]`)
	waitForFocus(p, `#palette-input`)
	p.PressKey(harness.Escape)
	p.WaitForNone(`#palette[open]`)
}

// Keys that scroll do so before anything has the focus, where a page scrolls and not its document.
func TestScrollKeys(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	long := box.WriteSession(longSession("e2e-scroll-keys", 30))
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.SetWindowSize(1440, 500)
	for address, key := range map[string]string{server.SessionURL(long): harness.Home, server.SessionURL(path) + "/compare?a=" + f.one + "&b=" + f.leaf: " "} {
		p.Open(address)
		p.WaitForElement("html[data-ready]")
		p.WaitUntil(`document.activeElement === document.body && document.querySelector("#main").scrollHeight > document.querySelector("#main").clientHeight`)
		p.RunScript(`window.scrolls = 0; document.querySelector("#main").addEventListener("scroll", () => window.scrolls++)`)
		p.PressKey(key)
		p.WaitUntil(`window.scrolls > 0`)
		waitForFocus(p, "#main")
	}
}

// The ARIA roles and properties of the tree.
func TestTreeRoles(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "?entry=" + f.inner)
	p.WaitForElement(branchRowSelector(f.inner))
	wrong := harness.EvalScript[[]string](p, `[...document.querySelectorAll('#tree [role="treeitem"]')].filter(r => {
		const level = +r.ariaLevel, n = +r.ariaPosInSet, of = +r.ariaSetSize
		return !(level >= 1 && n >= 1 && n <= of)
	}).map(r => r.outerHTML.slice(0, 200))`)
	if len(wrong) > 0 {
		t.Errorf("rows without a place: %q", wrong)
	}
	if level := harness.EvalScript[string](p, fmt.Sprintf(`document.querySelector(%q).ariaLevel`, branchRowSelector(f.inner))); level != "2" {
		t.Errorf("a row in a branch of a branch has level %s, want 2", level)
	}
	if n := p.CountElements(`#tree [aria-selected="true"]`); n != 1 {
		t.Errorf("%d rows are selected, want 1", n)
	}
	if n := p.CountElements(`#tree [aria-current="true"]`); n != 1 {
		t.Errorf("%d rows are the end of the path, want 1", n)
	}
}

// Escape in the index filter first clears it, then leaves it. The key help lists the keys
// of the page.
func TestIndexKeys(t *testing.T) {
	box := harness.NewSessionDir(t)
	box.WriteSession(newForkedSession().File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	p.PressKey("/")
	p.WaitUntil(`document.activeElement.name === "q"`)
	p.TypeText("no such session")
	p.WaitForNone("a.session-link")
	p.PressKey(harness.Escape)
	p.WaitForElement("a.session-link")
	p.WaitUntil(`document.activeElement.name === "q" && document.activeElement.value === ""`)
	p.PressKey(harness.Escape)
	p.WaitUntil(`document.activeElement === document.body`)

	for _, key := range []string{harness.Enter, harness.Down} {
		p.PressKey("/")
		p.WaitUntil(`document.activeElement.name === "q"`)
		p.PressKey(key)
		p.WaitForElement("a.session-link:focus")
	}

	p.PressKey("?")
	p.WaitForText("#keys[open]", "Open session")
	if text := p.Text("#keys"); strings.Contains(text, "leaf") {
		t.Errorf("the key help of the index says %q", text)
	}
}

// An image opens over the page and returns the focus to its link.
func TestPicture(t *testing.T) {
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(tileCacheSample(t, dir)))
	p.WaitForElement("#path a.image-link")
	where := p.Location()
	p.RunScript(`document.querySelector("#path a.image-link").focus()`)
	p.PressKey(harness.Enter)
	p.WaitForElement("#picture[open]")
	p.WaitUntil(`document.querySelector("#picture-image").naturalWidth > 0`)
	p.PressKey(harness.Escape)
	p.WaitForNone("#picture[open]")
	waitForFocus(p, "#path a.image-link")
	if p.Location() != where {
		t.Errorf("the address changed to %s", p.Location())
	}
}
