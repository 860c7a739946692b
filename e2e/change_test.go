//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// writeScript makes a program of a few lines of shell.
func writeScript(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// focusRow gives an entry's row the focus, once no dialog is open.
func focusRow(p *harness.Page, entry string) {
	p.Lacks("#change[open]")
	p.Has(row(entry))
	p.Exec(fmt.Sprintf(`document.querySelector(%q).focus()`, row(entry)))
}

// holdToasts lets a toast stand until the test has pressed it, however long that
// takes: timers of seconds never end.
func holdToasts(p *harness.Page) {
	p.OnEveryPage(`{ const set = setTimeout; window.setTimeout = (run, ms, ...args) => set(run, ms < 2500 ? ms : 2 ** 31 - 1, ...args) }`)
}

// openFor opens the dialog of an action, as its links do, once no other is open.
func openFor(p *harness.Page, action, entry string) {
	p.Lacks("#change[open]")
	p.Exec(fmt.Sprintf(`(() => { const a = document.createElement("a"); a.dataset.change = ""; a.href = document.querySelector("#app").dataset.base + "/%s?entry=%s"; document.body.append(a); a.click(); a.remove() })()`, action, entry))
	p.Has("#change[open] .change")
}

// hover points at an element.
func hover(p *harness.Page, selector string) {
	p.Exec(fmt.Sprintf(`document.querySelector(%q).querySelector(".acts a, .acts button")?.focus()`, selector))
}

// added answers what a file has got since it held before, and fails when anything
// of that changed.
func added(t *testing.T, path, before string) string {
	t.Helper()
	now := read(t, path)
	rest, ok := strings.CutPrefix(now, before)
	if !ok {
		t.Fatalf("earlier lines of %s changed", path)
	}
	return rest
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Shift L labels the focused row where it stands; a chip takes a label in use,
// Undo and Remove take it back. The focus is on the row again each time.
func TestLabel(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	f.Label(f.first, "diagnosis")
	f.leaf = f.Say("Labeled.")
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	holdToasts(p)
	p.Open(server.SessionURL(path))
	live(p)
	before := read(t, path)
	focusRow(p, f.main)
	p.Key("L", harness.Shift)
	p.Has("#change.is-pop[open] #change-label:focus")
	near := harness.Eval[float64](p, fmt.Sprintf(`Math.abs(document.querySelector("#change").getBoundingClientRect().top - document.querySelector(%q).getBoundingClientRect().bottom)`, row(f.main)))
	if near > 12 {
		t.Errorf("the popover stands %v px from its row", near)
	}
	p.Type("the cache")
	p.Key(harness.Enter)
	p.Lacks("#change[open]")
	p.Says(row(f.main)+" .chip", "the cache")
	p.Says(item(f.main)+" .chip", "the cache")
	p.Says("#toast", "Labeled the cache")
	p.Wait(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, row(f.main)))
	p.Click(`#toast form button`)
	p.Lacks(row(f.main) + " .chip")
	p.Says("#toast", "Label removed")
	if got := added(t, path, before); strings.Count(got, "\n") != 2 {
		t.Errorf("a label and its undo added %q", got)
	}

	focusRow(p, f.main)
	p.Key("L", harness.Shift)
	p.Click(`#change .pop-chips .chip`)
	p.Says(row(f.main)+" .chip", "diagnosis")
	p.Says("#toast", "Labeled diagnosis")
	p.Key("z", harness.Control)
	p.Says("#toast", "Label removed")
	p.Lacks(row(f.main) + " .chip")

	// Escape leaves everything as it is.
	focusRow(p, f.first)
	p.Key("L", harness.Shift)
	p.Has("#change-label:focus")
	p.Type("something else")
	p.Key(harness.Escape)
	p.Lacks("#change[open]")
	p.Says(row(f.first)+" .chip", "diagnosis")
	p.Key("L", harness.Shift)
	p.Click(`#change [data-do="change-remove"]`)
	p.Lacks("#change[open]")
	p.Lacks(row(f.first) + " .chip")

	// A command is about what was said last, not about the line of a label that is
	// the leaf now; and all commands can be reached.
	harness.Eval[bool](p, `document.activeElement.blur() === undefined`)
	p.Key("k", harness.Control)
	p.Has("#palette[open]")
	if harness.Eval[bool](p, `document.querySelector("#palette").getBoundingClientRect().bottom > innerHeight`) {
		t.Error("the end of the commands is below the window")
	}
	p.Type("new file")
	p.Key(harness.Enter)
	p.Says("#change .change--fork", "Labeled.")
}

// The name is changed in the header; Escape restores it, Undo takes it back.
func TestRename_Name(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	holdToasts(p)
	p.Open(server.SessionURL(path))
	live(p)
	p.Click("#title a")
	p.Has(".title-form input:focus")
	p.Type("no")
	p.Key(harness.Escape)
	p.Lacks(".title-form")
	p.Says("#title", "Where does the time go?")
	for _, key := range []string{harness.Enter, harness.Escape} { // with nothing typed
		p.Click("#title a")
		p.Has(".title-form input:focus")
		p.Key(key)
		p.Has("#title a:focus")
		p.Lacks(".title-form")
	}
	p.Click("#title a")
	p.Has(".title-form input:focus")
	p.Type("Slow ")
	f.Say("The agent goes on meanwhile.")
	box.Append(path, f.Tail(1))
	p.Says("#path", "The agent goes on meanwhile.")
	p.Says("#facts", "11 entries") // the header was fetched again
	p.Type("pictures")
	p.Wait(`!document.querySelector("#title").checkVisibility()`)
	p.Key(harness.Enter)
	p.Says("#title", "Slow pictures")
	p.Wait(`document.title.startsWith("Slow pictures")`)
	p.Click(`#toast form button`)
	p.Says("#title", "Where does the time go?")
}

// B on a row of another branch: the dialog tells what will happen and shows the
// very lines; afterwards the agent stands there, here and in another tab.
func TestBranch_Write(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	visit := chromium(t).Visit(t)
	other := visit.Page()
	other.Open(server.SessionURL(path))
	live(other)
	p := visit.Page()
	p.Open(server.SessionURL(path))
	live(p)
	before := read(t, path)
	focusRow(p, f.main)
	p.Key("b")
	p.Says("#change", "just before this prompt")
	p.Says("#change", "stay in the tree")
	if got := harness.Eval[string](p, `document.querySelector("#change-prompt").value`); got != "Write a small cache" {
		t.Errorf("the prompt to send again is %q", got)
	}
	p.Click(`#change [value="write"]`)
	p.Click("#change-text")
	p.Type("A cache did not help.")
	p.Click("#change-label")
	p.Type("without a cache")
	p.Says("#change-lines", "2 lines will be added")
	p.Says("#change-lines", "A cache did not help.")
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Says("#toast", "Branched here")
	p.Says("#path", "A cache did not help.")
	other.Says("#path", "A cache did not help.")
	got := added(t, path, before)
	if strings.Count(got, "\n") != 2 || !strings.Contains(got, `"branch_summary"`) || !strings.Contains(got, `"label":"without a cache"`) {
		t.Errorf("added %q", got)
	}
	// On the leaf there is nothing to branch.
	p.Exec(`document.querySelector("#main").focus()`)
	p.Key("b")
	p.Says("#change", "stands here already")
	p.Lacks(`#change [data-do="change-submit"]`)
	p.Key(harness.Escape)
	p.Lacks("#change[open]")
}

// A summary is generated by a program. Escape ends it: the leaf stays, and what
// was typed too.
func TestBranch_Generate(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	gate := filepath.Join(t.TempDir(), "gate")
	pid := filepath.Join(t.TempDir(), "pid")
	program := writeScript(t, fmt.Sprintf(`cat > %[1]s.input; echo $$ > %[1]s; echo "halfway there" >&2; while [ ! -e %[2]s ]; do sleep 0.05; done; echo "It was slow."`, pid, gate))
	server := harness.Start(t, "--summarizer", program, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	before := read(t, path)
	focusRow(p, f.main)
	p.Key("b")
	p.Click(`#change [value="generate"]`)
	p.Click("#change-instructions")
	p.Type("Name the files")
	p.Click(`#change [data-do="change-submit"]`)
	p.Says("#change-progress", "halfway there")
	p.Key(harness.Escape)
	p.Says("#change-progress", "Cancelled")
	if harness.Eval[float64](p, `Math.abs(document.querySelector('#change [data-do="change-submit"]').getBoundingClientRect().top - document.querySelector('#change .dialog-foot [data-do="change-close"]').getBoundingClientRect().top)`) > 2 {
		t.Error("the buttons stand on two lines")
	}
	if got := harness.Eval[string](p, `document.querySelector("#change-instructions").value`); got != "Name the files" {
		t.Errorf("what was typed became %q", got)
	}
	harness.Until(t, "the program to end", func() bool {
		_, err := os.Stat("/proc/" + strings.TrimSpace(read(t, pid)))
		return os.IsNotExist(err)
	})
	if got := added(t, path, before); got != "" {
		t.Errorf("added %q", got)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.Click(`#change [data-do="change-submit"]`)
	p.Says("#path", "It was slow.")
	p.Lacks("#change[open]")
	if got := read(t, pid+".input"); !strings.Contains(got, "Name the files") || !strings.Contains(got, "Write a small cache") && !strings.Contains(got, "The cache works") {
		t.Errorf("the program was given %q", got)
	}
}

// Without a summary one neutral line keeps the branch; before the first entry is
// a place as well.
func TestBranch_None(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	before := read(t, path)
	focusRow(p, f.first)
	p.Key("b")
	p.Says("#change", "continues from this answer")
	p.Says("#change", "No summarizer is set")
	p.Wait(`document.querySelector('#change [value="generate"]').disabled`)
	p.Key(harness.Tab)
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Has("#tree .row--mark .leaf-tag")
	if got := added(t, path, before); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"session-explorer.branch"`) {
		t.Errorf("added %q", got)
	}
	p.Key("k", harness.Control)
	p.Type("before the first")
	p.Key(harness.Enter)
	p.Says("#change", "before the first entry")
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	harness.Until(t, "the line", func() bool { return strings.Contains(added(t, path, before), `"parentId":null`) })
}

// A new file is made of a path, and the toast leads to it.
func TestFork(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	holdToasts(p)
	p.Open(server.SessionURL(path))
	live(p)
	before := read(t, path)
	openFor(p, "fork", f.twoTip)
	p.Click(`#change [data-do="change-submit"]`)
	p.Says("#toast", "Branched to")
	p.Click("#toast a")
	p.Says("#path", "Then it stays as slow as it is")
	p.Lacks("#tree .row--stub")
	if got := added(t, path, before); got != "" {
		t.Errorf("the source got %q", got)
	}
	p.Open(server.SessionURL(path))
	live(p)
	openFor(p, "fork", harness.Eval[string](p, `document.querySelector("#tree .row").dataset.entry`))
	p.Says("#change", "empty history")
	p.Lacks(`#change [data-do="change-submit"]`)
}

// The panel of branches makes another one current; a copy and a merge land on the
// leaf.
func TestBranches(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	p.Key("k", harness.Control)
	p.Type("branches")
	p.Key(harness.Enter)
	p.Wait(`document.querySelectorAll("#change .tip").length === 4`)
	p.Exec(`[...document.querySelectorAll("#change .tip")].find(e => e.innerText.includes("Do nothing about it")).querySelector("a[data-change]").click()`)
	p.Says("#change", "makes it the leaf")
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Says("#path", "Then it stays as slow as it is")
	p.Says("#toast", "current")
	before := read(t, path)
	openFor(p, "merge", f.leaf)
	p.Says("#change", "messages")
	p.Click(`#change [data-do="change-submit"]`)
	p.Says("#path", "The cache works")
	if got := added(t, path, before); !strings.Contains(got, "Write a small cache") {
		t.Errorf("merged %q", got)
	}
	before = read(t, path)
	openFor(p, "cherry-pick", f.oneTip)
	p.Click(`#change [data-do="change-submit"]`)
	p.Says("#path", "The library is wired in")
	if got := added(t, path, before); !strings.Contains(got, "The library is wired in") {
		t.Errorf("copied %q", got)
	}
}

// Without script every dialog is a page with a form, which leads back.
func TestChange_WithoutScript(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	url := server.SessionURL(path)
	p := chromium(t).Page(t)
	p.WithoutScript()
	harness.Until(t, "the page", func() bool { p.Open(url); return p.Count(row(f.leaf)) == 1 })
	p.Click("#title a")
	p.Click("#change-name")
	p.Type("By hand")
	p.Click(`[data-do="change-submit"]`)
	p.Says("#title", "By hand")
	p.Open(url + "/label?entry=" + f.main)
	p.Click("#change-label")
	p.Type("plain")
	p.Key(harness.Enter)
	p.Says(row(f.main)+" .chip", "plain")
	p.Open(url + "/branch?entry=" + f.main)
	p.Click(`[name="summary"][value="write"]`)
	p.Click("#change-text")
	p.Type("Written without script")
	p.Click(`[data-do="change-submit"]`)
	p.Says("#path", "Written without script")
}

// On a phone the actions of an entry are a sheet at the bottom, and so is every
// dialog; all of it is large enough to touch and nothing is wider than the window.
func TestChange_Phone(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Phone()
	p.Open(server.SessionURL(path))
	live(p)
	p.Click(fmt.Sprintf(`#path .entry--user[data-entry=%q] .acts-more`, f.main))
	p.Has("#change[open] .change--actions")
	large := func(what string) {
		t.Helper()
		fits(t, p, what)
		small := harness.Eval[[]string](p, `[...document.querySelectorAll("#change :is(a, button, input:not([type=hidden], [type=radio], [type=checkbox]), .radios label, .check, summary)")]
			.filter(e => e.checkVisibility() && !e.classList.contains("vh") && e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML.slice(0, 120))`)
		if len(small) > 0 {
			t.Errorf("%s: too small to touch: %q", what, small)
		}
		if gap := harness.Eval[float64](p, `innerHeight - document.querySelector("#change").getBoundingClientRect().bottom`); gap > 1 {
			t.Errorf("%s stands %v px above the bottom", what, gap)
		}
	}
	large("actions")
	p.Click(`#change .act[href*="/label"]`)
	p.Has("#change .change--label")
	large("label")
	p.Click("#change-label")
	p.Type("touched")
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Says(item(f.main)+" .chip", "touched")
	for _, action := range []string{"branch", "fork", "merge", "branches"} {
		openFor(p, action, f.twoTip)
		large(action)
		p.Click(`#change .dialog-head [data-do="change-close"]`)
		p.Lacks("#change[open]")
	}
}

// axe-core finds nothing in any dialog.
func TestAxe_Change(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	f.Label(f.first, "diagnosis")
	f.leaf = f.Say("Labeled.")
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	for _, theme := range []string{"light", "dark"} {
		p := chromium(t).Page(t)
		p.Expect("Content Security Policy.*eval|unsafe-eval")
		p.Expect("409")
		p.Theme(theme)
		p.Open(server.SessionURL(path))
		live(p)
		for _, action := range []string{"actions", "label", "branch", "fork", "cherry-pick", "merge", "switch", "pop", "rename", "branches", "export"} {
			openFor(p, action, f.twoTip)
			p.Axe(action + " " + theme)
			p.Key(harness.Escape)
			p.Lacks("#change[open]")
		}
		openFor(p, "label", f.twoTip)
		p.Exec(`document.querySelector('#change [name="seen-label"]').value = "what it was"`)
		p.Click("#change-label")
		p.Type("other " + theme)
		p.Key(harness.Enter)
		p.Has(`#change [role="alert"]`)
		p.Axe("conflict " + theme)
		p.Click(`#change .banner [type="submit"]`)
		p.Says("#toast", "Labeled")
		p.Axe("toast " + theme)
		p.Open(server.SessionURL(path) + "/branch?entry=" + f.twoTip)
		p.Axe("page " + theme)
	}
}

// Everything is done with the keyboard alone, and the focus comes back to where it
// was.
func TestChange_Keyboard(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	before := read(t, path)
	focusRow(p, f.main)
	p.Key("b")
	p.Has(`#change [name="summary"]:focus`)
	p.Key(harness.Down)
	p.Has(`#change [value="write"]:checked`)
	p.Key(harness.Tab)
	p.Has(`#change-text:focus`)
	p.Type("By keys")
	p.Key(harness.Enter, harness.Control)
	p.Lacks("#change[open]")
	p.Says("#path", "By keys")
	if got := added(t, path, before); strings.Count(got, "\n") != 1 || !strings.Contains(got, "By keys") {
		t.Errorf("added %q", got)
	}
	focusRow(p, f.first)
	p.Key("b")
	p.Has("#change[open]")
	p.Key(harness.Escape)
	p.Wait(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, row(f.first)))
	p.Key("k", harness.Control)
	p.Has("#palette[open]")
	p.Type("new file")
	p.Key(harness.Enter)
	p.Has("#change .change--fork")
	p.Has(`#change [data-do="change-submit"]:focus`)
	p.Key(harness.Escape)
	p.Wait(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, row(f.first)))
}

// A file of an old version keeps its label beside it; migrating brings it into the
// file, and everything else can be done then.
func TestMigrate(t *testing.T) {
	box := harness.NewBox(t)
	f := transcript.New(transcript.V1, "e2e-old", "/home/dev/project", harness.Start0)
	f.User("Hello from long ago")
	f.Say("Hello.")
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	before := read(t, path)
	first := harness.Eval[string](p, `document.querySelector("#tree .row").dataset.entry`)
	focusRow(p, first)
	p.Key("L", harness.Shift)
	p.Says("#change", "Kept beside the file")
	p.Type("aside")
	p.Key(harness.Enter)
	p.Says(row(first)+" .chip", "aside")
	if got := added(t, path, before); got != "" {
		t.Errorf("the file got %q", got)
	}
	focusRow(p, first)
	p.Key("b")
	p.Says("#change", "Migrate first")
	p.Lacks(`#change [data-do="change-submit"]`)
	p.Key(harness.Escape)
	p.Click(`#banners a[data-change]`)
	p.Says("#change", ".bak")
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Says("#toast", "Migrated")
	p.Lacks(`#banners a[data-change]`)
	p.Says("#tree .row .chip", "aside")
	if read(t, path+".bak") != before || !strings.Contains(read(t, path), `"label":"aside"`) {
		t.Errorf("the original was not kept, or the label is not in the file: %s", read(t, path))
	}
}

// A line that a crash left is ended, and the leaf given back to the newest branch,
// from the banners that tell of them.
func TestRepairs(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	box.Append(path, []byte(fmt.Sprintf(`{"type":"custom","customType":"x","id":"stray","parentId":%q,"timestamp":"2026-02-03T09:00:01.000Z"}`+"\n"+`{"type":"message","id":"torn`, f.first)))
	old := harness.Start0
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)
	p.Says("#banners", "left unfinished")
	p.Says("#banners", "ends on a branch that was left")
	p.Click(`#banners a[data-change][href$="/end-line"]`)
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Lacks(`#banners a[href$="/end-line"]`)
	p.Click(`#banners a[data-change][href$="/repair"]`)
	p.Says("#change", "makes that the leaf again")
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Lacks(`#banners a[href$="/repair"]`)
	p.Says("#path", "The cache works")
	if got := read(t, path); !strings.Contains(got, `"session-explorer.repair"`) {
		t.Errorf("no repair in %s", got)
	}
}
