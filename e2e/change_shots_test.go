//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// Pictures of the dialogs that change a session, wide and narrow, light and dark.
func TestShots_Change(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Skip("only with SHOTS set (make shots)")
	}
	box := harness.NewBox(t)
	f := newForked()
	f.Label(f.first, "diagnosis")
	f.Label(f.twoTip, "dead end")
	f.leaf = f.Say("Both are labeled now.")
	url := box.Put(f.File)
	old := transcript.New(transcript.V1, "shots-old", "/home/dev/project", harness.Start0)
	old.User("Hello from long ago")
	old.Say("Hello.")
	program := writeScript(t, `cat >/dev/null; echo "Reading 14 of 338 entries" >&2; sleep 60`)
	server := harness.Start(t, "--summarizer", program, box.Dir)
	base, oldBase := server.SessionURL(url), server.SessionURL(box.Put(old))
	for _, v := range []struct {
		name, url, ready string
		act              func(p *harness.Page)
	}{
		{"label", base, ".leaf-tag", func(p *harness.Page) { focusRow(p, f.first); p.Key("L", harness.Shift); p.Has("#change[open] input") }},
		{"label-entry", base, ".leaf-tag", func(p *harness.Page) {
			focusRow(p, f.main)
			p.Key(harness.Enter)
			p.Key("L", harness.Shift)
			p.Has("#change[open] input")
		}},
		{"branch", base, ".leaf-tag", func(p *harness.Page) { openFor(p, "branch", f.one) }},
		{"branch-write", base, ".leaf-tag", func(p *harness.Page) {
			openFor(p, "branch", f.twoTip)
			p.Click(`#change [value="write"]`)
			p.Click(`#change-text`)
			p.Type("A cache of 40 lines does it.")
			p.Click(`#change-label`)
			p.Type("no library")
			p.Says(`#change-lines`, "no library")
		}},
		{"branch-generate", base, ".leaf-tag", func(p *harness.Page) {
			openFor(p, "branch", f.twoTip)
			p.Click(`#change [value="generate"]`)
			p.Click(`#change [type="submit"].btn--solid`)
			p.Says("#change-progress", "338")
		}},
		{"branch-noop", base, ".leaf-tag", func(p *harness.Page) { openFor(p, "branch", f.leaf) }},
		{"fork", base, ".leaf-tag", func(p *harness.Page) { openFor(p, "fork", f.twoTip) }},
		{"fork-root", base, ".leaf-tag", func(p *harness.Page) {
			openFor(p, "fork", harness.Eval[string](p, `document.querySelector("#tree .row").dataset.entry`))
		}},
		{"merge", base, ".leaf-tag", func(p *harness.Page) { openFor(p, "merge", f.twoTip) }},
		{"branches", base, ".leaf-tag", func(p *harness.Page) { openFor(p, "branches", "") }},
		{"actions", base, ".leaf-tag", func(p *harness.Page) { openFor(p, "actions", f.one) }},
		{"rename", base, ".leaf-tag", func(p *harness.Page) { live(p); p.Click("#title a"); p.Has(".title-form, #change[open]") }},
		{"migrate", oldBase, ".leaf-tag", func(p *harness.Page) { live(p); p.Click(`#banners a[data-change]`); p.Has("#change[open]") }},
		{"old-branch", oldBase, ".leaf-tag", func(p *harness.Page) {
			openFor(p, "branch", harness.Eval[string](p, `document.querySelector("#tree .row").dataset.entry`))
		}},
		{"old-commands", oldBase, ".leaf-tag", func(p *harness.Page) { live(p); p.Key("k", harness.Control); p.Has("#palette[open]"); p.Type("branch") }},
		{"entry", base + "?entry=" + f.main, ".leaf-tag", func(p *harness.Page) { hover(p, `#path .entry--user`) }},
		{"page", base + "/branch?entry=" + f.one, ".dialog--page", nil},
		{"conflict-label", base, ".leaf-tag", func(p *harness.Page) {
			openFor(p, "label", f.first)
			p.Exec(`document.querySelector('#change [name="seen-label"]').value = "what it was"`)
			p.Click("#change-label")
			p.Type("my own")
			p.Key(harness.Enter)
			p.Has(`#change [role="alert"]`)
		}},
		{"conflict-branch", base, ".leaf-tag", func(p *harness.Page) {
			openFor(p, "branch", f.twoTip)
			p.Exec(`document.querySelector('#change [name="seen-leaf"]').value = "none"`)
			p.Click(`#change [value="write"]`)
			p.Click(`#change-text`)
			p.Type("What I wrote.")
			p.Click(`#change [data-do="change-submit"]`)
			p.Has(`#change [role="alert"]`)
		}},
		{"fork-done", base, ".leaf-tag", func(p *harness.Page) {
			openFor(p, "fork", f.twoTip)
			p.Click(`#change [data-do="change-submit"]`)
			p.Says("#toast", "Branched to")
		}},
		{"toast", base, ".leaf-tag", func(p *harness.Page) {
			focusRow(p, f.main)
			p.Key("L", harness.Shift)
			p.Has("#change[open] input")
			p.Type("shots")
			p.Key(harness.Enter)
			p.Says("#toast", "abel")
			p.Lacks("#change[open]")
		}},
	} {
		for _, look := range []string{"light", "dark", "phone-light", "phone-dark"} {
			p := chromium(t).Page(t)
			p.Expect("409")
			if strings.HasPrefix(look, "phone") {
				p.Phone()
			} else {
				p.Size(1440, 900)
			}
			p.Theme(strings.TrimPrefix(look, "phone-"))
			p.Open(v.url)
			p.Has(v.ready)
			if v.act != nil {
				live(p)
				v.act(p)
			}
			settle(p)
			p.Shot("change-" + v.name + "-" + look)
		}
	}
}
