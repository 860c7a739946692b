//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// focused waits until an element has the focus.
func focused(p *harness.Page, selector string) {
	p.Wait(fmt.Sprintf(`document.activeElement?.matches(%q)`, selector))
}

// tabTo presses Tab until an element that matches has the focus.
func tabTo(t *testing.T, p *harness.Page, selector string) {
	t.Helper()
	for range 40 {
		if harness.Eval[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
			return
		}
		p.Key(harness.Tab)
	}
	t.Fatalf("40 times Tab did not lead to %s", selector)
}

// The whole walk without a mouse.
func TestKeyboard(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.URL)
	p.Has("a.srow")
	tabTo(t, p, "a.srow")
	p.Key(harness.Enter)
	p.Has(row(f.leaf))
	live(p)

	tabTo(t, p, `[role="treeitem"]`)
	if n := p.Count(`#tree [role="treeitem"][tabindex="0"]`); n != 1 {
		t.Fatalf("%d tab stops in the tree, want 1", n)
	}
	p.Key(harness.Home)
	focused(p, `[data-i="0"]`)
	p.Key(harness.End)
	focused(p, row(f.leaf))

	// Down to the first branch, open it, go in, come back, close it.
	p.Key(harness.Home)
	p.Key(harness.Down)
	p.Key(harness.Down)
	focused(p, stub(f.one))
	p.Key(harness.Right)
	p.Has(stub(f.one) + `[aria-expanded="true"]`)
	focused(p, stub(f.one))
	p.Key(harness.Right)
	focused(p, row(f.mid))
	p.Key("k")
	focused(p, stub(f.one))
	p.Key("j")
	focused(p, row(f.mid))
	p.Key(harness.Enter)
	p.Says("#path", "The library is wired in")
	focused(p, row(f.mid)) // focus is not lost by the update
	p.Key(harness.Left)
	focused(p, stub(f.one))

	// Branches and the leaf.
	p.Key("]")
	p.Says("#path", "Then it stays as slow as it is")
	p.Key("[")
	p.Says("#path", "The library is wired in")
	p.Key("l")
	p.Says("#path", "The cache works")
	p.Has(`#away[hidden]`)
	p.Key("*")
	p.Has(stub(f.two) + `[aria-expanded="true"]`)

	// Search, help, commands; Escape leads back to the tree.
	p.Key("/")
	focused(p, `#search input`)
	p.Type("slow")
	p.Has(`#tree mark`)
	p.Key(harness.Escape)
	p.Key(harness.Escape)
	focused(p, `[role="treeitem"]`)
	p.Key("?")
	p.Has(`#keys[open]`)
	p.Key(harness.Escape)
	p.Lacks(`#keys[open]`)
	p.Key("k", harness.Control)
	p.Has(`#palette[open]`)
	focused(p, `#palette-input`)
	p.Key(harness.Escape)
	p.Lacks(`#palette[open]`)
}

// What screen readers are told of the tree.
func TestTreeRoles(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path) + "?entry=" + f.inner)
	p.Has(stub(f.inner))
	wrong := harness.Eval[[]string](p, `[...document.querySelectorAll('#tree [role="treeitem"]')].filter(r => {
		const level = +r.ariaLevel, n = +r.ariaPosInSet, of = +r.ariaSetSize
		return !(level >= 1 && n >= 1 && n <= of)
	}).map(r => r.outerHTML.slice(0, 200))`)
	if len(wrong) > 0 {
		t.Errorf("rows without a place: %q", wrong)
	}
	if level := harness.Eval[string](p, fmt.Sprintf(`document.querySelector(%q).ariaLevel`, stub(f.inner))); level != "2" {
		t.Errorf("a row in a branch of a branch has level %s, want 2", level)
	}
	if n := p.Count(`#tree [aria-selected="true"]`); n != 1 {
		t.Errorf("%d rows are selected, want 1", n)
	}
	if n := p.Count(`#tree [aria-current="true"]`); n != 1 {
		t.Errorf("%d rows are the end of the path, want 1", n)
	}
}

// Escape in the filter of the index clears first and leaves second; the key help
// lists what acts on the page.
func TestIndexKeys(t *testing.T) {
	box := harness.NewBox(t)
	box.Put(newForked().File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.URL)
	p.Has("a.srow")
	p.Key("/")
	p.Wait(`document.activeElement.name === "q"`)
	p.Type("no such session")
	p.Lacks("a.srow")
	p.Key(harness.Escape)
	p.Has("a.srow")
	p.Wait(`document.activeElement.name === "q" && document.activeElement.value === ""`)
	p.Key(harness.Escape)
	p.Wait(`document.activeElement === document.body`)

	for _, key := range []string{harness.Enter, harness.Down} {
		p.Key("/")
		p.Wait(`document.activeElement.name === "q"`)
		p.Key(key)
		p.Has("a.srow:focus")
	}

	p.Key("?")
	p.Says("#keys[open]", "Open session")
	if text := p.Text("#keys"); strings.Contains(text, "leaf") {
		t.Errorf("the key help of the index says %q", text)
	}
}

// An image opens over the page and gives the focus back to its link.
func TestPicture(t *testing.T) {
	dir := demo(t)
	server := harness.Start(t, dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(showcase(t, dir)))
	p.Has("#path a.shot")
	where := p.Location()
	p.Exec(`document.querySelector("#path a.shot").focus()`)
	p.Key(harness.Enter)
	p.Has("#picture[open]")
	p.Wait(`document.querySelector("#picture-image").naturalWidth > 0`)
	p.Key(harness.Escape)
	p.Lacks("#picture[open]")
	focused(p, "#path a.shot")
	if p.Location() != where {
		t.Errorf("the address changed to %s", p.Location())
	}
}
