//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// Two tabs label one entry. The later one reports the conflict, keeps its input, and can
// save it nevertheless.
func TestConflict_Label(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	visit := sharedBrowser(t).NewProfile(t)
	one, two := visit.NewPage(), visit.NewPage()
	for _, p := range []*harness.Page{one, two} {
		p.Open(server.SessionURL(path))
		waitForLive(p)
		focusRow(p, f.main)
		p.PressKey("L", harness.Shift)
		p.WaitForElement("#change[open] #change-label:focus")
	}
	one.TypeText("first")
	one.PressKey(harness.Enter)
	one.WaitForNone("#change[open]")
	two.AllowConsole("409")
	two.TypeText("second")
	two.PressKey(harness.Enter)
	two.WaitForText(`#change [role="alert"]`, "File changed on disk")
	two.WaitForText(`#change [role="alert"]`, "first")
	if got := harness.EvalScript[string](two, `document.querySelector("#change-label").value`); got != "second" {
		t.Errorf("what was typed became %q", got)
	}
	two.WaitForText(rowSelector(f.main)+" .chip", "first") // behind the dialog
	two.Click(`#change .banner [type="submit"]`)
	two.WaitForNone("#change[open]")
	one.WaitForText(rowSelector(f.main)+" .chip", "second")
}

// The agent continues while a summary is being written. Nothing is written; the dialog
// shows the new state, keeps the input, and can be submitted again or closed.
func TestConflict_Branch(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AllowConsole("409")
	p.Open(server.SessionURL(path))
	waitForLive(p)
	focusRow(p, f.main)
	p.PressKey("b")
	p.Click(`#change [value="write"]`)
	p.Click("#change-text")
	p.TypeText("Not worth it.")
	box.AppendFile(path, []byte(fmt.Sprintf(`{"type":"message","id":"later","parentId":%q,"timestamp":"2026-02-03T10:00:00.000Z","message":{"role":"user","content":"One more thing"}}`+"\n", f.leaf)))
	p.WaitForText("#path", "One more thing")
	before := readText(t, path)
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForText(`#change [role="alert"]`, "Nothing was written")
	p.WaitForText("#change", "the agent may be running")
	if got := harness.EvalScript[string](p, `document.querySelector("#change-text").value`); got != "Not worth it." {
		t.Errorf("what was typed became %q", got)
	}
	if got := addedLines(t, path, before); got != "" {
		t.Errorf("added %q", got)
	}
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	if got := addedLines(t, path, before); !strings.Contains(got, "Not worth it.") || !strings.Contains(got, `"fromId":"later"`) {
		t.Errorf("added %q", got)
	}
}
