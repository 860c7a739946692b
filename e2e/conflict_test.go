//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// Two tabs label one entry: the later one is told, keeps what was typed, and can
// save it after all.
func TestConflict_Label(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	visit := chromium(t).Visit(t)
	one, two := visit.Page(), visit.Page()
	for _, p := range []*harness.Page{one, two} {
		p.Open(server.SessionURL(path))
		live(p)
		focusRow(p, f.main)
		p.Key("L", harness.Shift)
		p.Has("#change[open] #change-label:focus")
	}
	one.Type("first")
	one.Key(harness.Enter)
	one.Lacks("#change[open]")
	two.Expect("409")
	two.Type("second")
	two.Key(harness.Enter)
	two.Says(`#change [role="alert"]`, "File changed on disk")
	two.Says(`#change [role="alert"]`, "first")
	if got := harness.Eval[string](two, `document.querySelector("#change-label").value`); got != "second" {
		t.Errorf("what was typed became %q", got)
	}
	two.Says(row(f.main)+" .chip", "first") // behind the dialog
	two.Click(`#change .banner [type="submit"]`)
	two.Lacks("#change[open]")
	one.Says(row(f.main)+" .chip", "second")
}

// The agent goes on while somebody writes a summary: nothing is written, the
// dialog shows the new state with the text kept, and can go on or be left.
func TestConflict_Branch(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Expect("409")
	p.Open(server.SessionURL(path))
	live(p)
	focusRow(p, f.main)
	p.Key("b")
	p.Click(`#change [value="write"]`)
	p.Click("#change-text")
	p.Type("Not worth it.")
	box.Append(path, []byte(fmt.Sprintf(`{"type":"message","id":"later","parentId":%q,"timestamp":"2026-02-03T10:00:00.000Z","message":{"role":"user","content":"One more thing"}}`+"\n", f.leaf)))
	p.Says("#path", "One more thing")
	before := read(t, path)
	p.Click(`#change [data-do="change-submit"]`)
	p.Says(`#change [role="alert"]`, "Nothing was written")
	p.Says("#change", "the agent may be running")
	if got := harness.Eval[string](p, `document.querySelector("#change-text").value`); got != "Not worth it." {
		t.Errorf("what was typed became %q", got)
	}
	if got := added(t, path, before); got != "" {
		t.Errorf("added %q", got)
	}
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	if got := added(t, path, before); !strings.Contains(got, "Not worth it.") || !strings.Contains(got, `"fromId":"later"`) {
		t.Errorf("added %q", got)
	}
}
