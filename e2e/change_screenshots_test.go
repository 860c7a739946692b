//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// Screenshots of the dialogs that change a session, wide and narrow, light and dark.
func TestShots_Change(t *testing.T) {
	skipUnlessShots(t)
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.AddLabel(f.first, "diagnosis")
	f.AddLabel(f.twoTip, "dead end")
	f.leaf = f.AddReply("Both are labeled now.")
	url := box.WriteSession(f.File)
	old := transcript.New(transcript.V1, "shots-old", "/home/dev/project", harness.SessionStart)
	old.AddPrompt("Hello from long ago")
	old.AddReply("Hello.")
	program := writeScript(t, `cat >/dev/null; echo "Reading 14 of 338 entries" >&2; sleep 60`)
	server := harness.StartServer(t, "--summarizer", program, box.Dir)
	base, oldBase := server.SessionURL(url), server.SessionURL(box.WriteSession(old))
	for _, v := range []struct {
		name, url, ready string
		act              func(p *harness.Page)
	}{
		{"label", base, ".leaf-tag", func(p *harness.Page) {
			focusRow(p, f.first)
			p.PressKey("L", harness.Shift)
			p.WaitForElement("#change[open] input")
		}},
		{"label-entry", base, ".leaf-tag", func(p *harness.Page) {
			focusRow(p, f.main)
			p.PressKey(harness.Enter)
			p.PressKey("L", harness.Shift)
			p.WaitForElement("#change[open] input")
		}},
		{"branch", base, ".leaf-tag", func(p *harness.Page) { openDialogFor(p, "branch", f.one) }},
		{"branch-write", base, ".leaf-tag", func(p *harness.Page) {
			openDialogFor(p, "branch", f.twoTip)
			p.Click(`#change [value="write"]`)
			p.Click(`#change-text`)
			p.TypeText("A cache of 40 lines does it.")
			p.Click(`#change-label`)
			p.TypeText("no library")
			p.WaitForText(`#change-lines`, "no library")
		}},
		{"branch-generate", base, ".leaf-tag", func(p *harness.Page) {
			openDialogFor(p, "branch", f.twoTip)
			p.Click(`#change [value="generate"]`)
			p.Click(`#change [type="submit"].btn--solid`)
			p.WaitForText("#change-progress", "338")
		}},
		{"branch-noop", base, ".leaf-tag", func(p *harness.Page) { openDialogFor(p, "branch", f.leaf) }},
		{"fork", base, ".leaf-tag", func(p *harness.Page) { openDialogFor(p, "fork", f.twoTip) }},
		{"fork-root", base, ".leaf-tag", func(p *harness.Page) {
			openDialogFor(p, "fork", harness.EvalScript[string](p, `document.querySelector("#tree .row").dataset.entry`))
		}},
		{"merge", base, ".leaf-tag", func(p *harness.Page) { openDialogFor(p, "merge", f.twoTip) }},
		{"actions", base, ".leaf-tag", func(p *harness.Page) { openDialogFor(p, "actions", f.one) }},
		{"rename", base, ".leaf-tag", func(p *harness.Page) {
			waitForLive(p)
			p.Click("#title a")
			p.WaitForElement(".title-form, #change[open]")
		}},
		{"migrate", oldBase, ".leaf-tag", func(p *harness.Page) {
			waitForLive(p)
			p.Click(`#banners a[data-change]`)
			p.WaitForElement("#change[open]")
		}},
		{"old-branch", oldBase, ".leaf-tag", func(p *harness.Page) {
			openDialogFor(p, "branch", harness.EvalScript[string](p, `document.querySelector("#tree .row").dataset.entry`))
		}},
		{"old-commands", oldBase, ".leaf-tag", func(p *harness.Page) {
			waitForLive(p)
			p.PressKey("k", harness.Control)
			p.WaitForElement("#palette[open]")
			p.TypeText("branch")
		}},
		{"entry", base + "?entry=" + f.main, ".leaf-tag", func(p *harness.Page) { focusActions(p, `#path .entry--user`) }},
		{"page", base + "/branch?entry=" + f.one, ".dialog--page", nil},
		{"conflict-label", base, ".leaf-tag", func(p *harness.Page) {
			openDialogFor(p, "label", f.first)
			p.RunScript(`document.querySelector('#change [name="seen-label"]').value = "what it was"`)
			p.Click("#change-label")
			p.TypeText("my own")
			p.PressKey(harness.Enter)
			p.WaitForElement(`#change [role="alert"]`)
		}},
		{"conflict-branch", base, ".leaf-tag", func(p *harness.Page) {
			openDialogFor(p, "branch", f.twoTip)
			p.RunScript(`document.querySelector('#change [name="seen-leaf"]').value = "none"`)
			p.Click(`#change [value="write"]`)
			p.Click(`#change-text`)
			p.TypeText("What I wrote.")
			p.Click(`#change [data-do="change-submit"]`)
			p.WaitForElement(`#change [role="alert"]`)
		}},
		{"fork-done", base, ".leaf-tag", func(p *harness.Page) {
			openDialogFor(p, "fork", f.twoTip)
			p.Click(`#change [data-do="change-submit"]`)
			p.WaitForText("#toast", "Branched to")
		}},
		{"toast", base, ".leaf-tag", func(p *harness.Page) {
			focusRow(p, f.main)
			p.PressKey("L", harness.Shift)
			p.WaitForElement("#change[open] input")
			p.TypeText("shots")
			p.PressKey(harness.Enter)
			p.WaitForText("#toast", "abel")
			p.WaitForNone("#change[open]")
		}},
	} {
		for _, look := range []string{"light", "dark", "phone-light", "phone-dark"} {
			p := sharedBrowser(t).NewPage(t)
			p.AllowConsole("409")
			if strings.HasPrefix(look, "phone") {
				p.EmulatePhone()
			} else {
				p.SetWindowSize(1440, 900)
			}
			p.EmulateTheme(strings.TrimPrefix(look, "phone-"))
			p.Open(v.url)
			p.WaitForElement(v.ready)
			if v.act != nil {
				waitForLive(p)
				v.act(p)
			}
			p.SaveScreenshot("change-" + v.name + "-" + look)
		}
	}
}
