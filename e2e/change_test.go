//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// writeScript writes an executable shell script.
func writeScript(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// focusRow focuses the row of an entry as soon as no dialog is open.
func focusRow(p *harness.Page, entry string) {
	p.WaitForNone("#change[open]")
	p.WaitForElement(rowSelector(entry))
	p.RunScript(fmt.Sprintf(`document.querySelector(%q).focus()`, rowSelector(entry)))
}

// holdToasts keeps toasts visible until the test clicks them, by disabling timers of
// seconds.
func holdToasts(p *harness.Page) {
	p.AddInitScript(`{ const set = setTimeout; window.setTimeout = (run, ms, ...args) => set(run, ms < 2500 ? ms : 2 ** 31 - 1, ...args) }`)
}

// openDialogFor opens the dialog of an action like its links do, as soon as no other
// dialog is open.
func openDialogFor(p *harness.Page, action, entry string) {
	p.WaitForNone("#change[open]")
	p.RunScript(fmt.Sprintf(`(() => { const a = document.createElement("a"); a.dataset.change = ""; a.href = document.querySelector("#app").dataset.base + "/%s?entry=%s"; document.body.append(a); a.click(); a.remove() })()`, action, entry))
	p.WaitForElement("#change[open] .change")
}

// focusActions focuses the first action of an element, which shows its actions.
func focusActions(p *harness.Page, selector string) {
	p.RunScript(fmt.Sprintf(`document.querySelector(%q).querySelector(".action-bar a, .action-bar button")?.focus()`, selector))
}

// addedLines returns what was appended to a file. It fails if the earlier content
// changed.
func addedLines(t *testing.T, path, before string) string {
	t.Helper()
	now := readText(t, path)
	rest, ok := strings.CutPrefix(now, before)
	if !ok {
		t.Fatalf("earlier lines of %s changed", path)
	}
	return rest
}

func readText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Shift L labels the focused row in place. A chip inserts a label in use; Undo and Remove
// revert it. The focus returns to the row each time.
func TestLabel(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.AddLabel(f.first, "diagnosis")
	f.leaf = f.AddReply("Labeled.")
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	holdToasts(p)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	before := readText(t, path)
	focusRow(p, f.main)
	p.PressKey("L", harness.Shift)
	p.WaitForElement("#change.is-popover[open] #change-label:focus")
	near := harness.EvalScript[float64](p, fmt.Sprintf(`Math.abs(document.querySelector("#change").getBoundingClientRect().top - document.querySelector(%q).getBoundingClientRect().bottom)`, rowSelector(f.main)))
	if near > 12 {
		t.Errorf("the popover stands %v px from its row", near)
	}
	p.TypeText("the cache")
	p.PressKey(harness.Enter)
	p.WaitForNone("#change[open]")
	p.WaitForText(rowSelector(f.main)+" .chip", "the cache")
	p.WaitForText(pathItemSelector(f.main)+" .chip", "the cache")
	p.WaitForText("#toast", "Labeled the cache")
	p.WaitUntil(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, rowSelector(f.main)))
	p.Click(`#toast form button`)
	p.WaitForNone(rowSelector(f.main) + " .chip")
	p.WaitForText("#toast", "Label removed")
	if got := addedLines(t, path, before); strings.Count(got, "\n") != 2 {
		t.Errorf("a label and its undo added %q", got)
	}

	focusRow(p, f.main)
	p.PressKey("L", harness.Shift)
	p.Click(`#change .popover-chips .chip`)
	p.WaitForText(rowSelector(f.main)+" .chip", "diagnosis")
	p.WaitForText("#toast", "Labeled diagnosis")
	p.PressKey("z", harness.Control)
	p.WaitForText("#toast", "Label removed")
	p.WaitForNone(rowSelector(f.main) + " .chip")

	// Escape changes nothing.
	focusRow(p, f.first)
	p.PressKey("L", harness.Shift)
	p.WaitForElement("#change-label:focus")
	p.TypeText("something else")
	p.PressKey(harness.Escape)
	p.WaitForNone("#change[open]")
	p.WaitForText(rowSelector(f.first)+" .chip", "diagnosis")
	p.PressKey("L", harness.Shift)
	p.Click(`#change [data-do="change-remove"]`)
	p.WaitForNone("#change[open]")
	p.WaitForNone(rowSelector(f.first) + " .chip")

	// A command applies to the last message, not to the label line that is the leaf now.
	// All commands are reachable.
	harness.EvalScript[bool](p, `document.activeElement.blur() === undefined`)
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette[open]")
	if harness.EvalScript[bool](p, `document.querySelector("#palette").getBoundingClientRect().bottom > innerHeight`) {
		t.Error("the end of the commands is below the window")
	}
	p.TypeText("new file")
	p.PressKey(harness.Enter)
	p.WaitForText("#change .change--fork", "Labeled.")
}

// The name is edited in the header. Escape restores it, Undo reverts the change.
func TestRename_Name(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	holdToasts(p)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.Click("#title a")
	p.WaitForElement(".title-form input:focus")
	p.TypeText("no")
	p.PressKey(harness.Escape)
	p.WaitForNone(".title-form")
	p.WaitForText("#title", "Where does the time go?")
	for _, key := range []string{harness.Enter, harness.Escape} { // with no input
		p.Click("#title a")
		p.WaitForElement(".title-form input:focus")
		p.PressKey(key)
		p.WaitForElement("#title a:focus")
		p.WaitForNone(".title-form")
	}
	p.Click("#title a")
	p.WaitForElement(".title-form input:focus")
	p.TypeText("Slow ")
	f.AddReply("The agent goes on meanwhile.")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("#path", "The agent goes on meanwhile.")
	p.WaitForText("#facts", "11 entries") // the header was fetched again
	p.TypeText("pictures")
	p.WaitUntil(`!document.querySelector("#title").checkVisibility()`)
	p.PressKey(harness.Enter)
	p.WaitForText("#title", "Slow pictures")
	p.WaitUntil(`document.title.startsWith("Slow pictures")`)
	p.Click(`#toast form button`)
	p.WaitForText("#title", "Where does the time go?")
}

// B on a row of another branch: the dialog explains the effect and shows the exact lines.
// Afterwards the leaf is there, here and in another tab.
func TestBranch_Write(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	visit := sharedBrowser(t).NewProfile(t)
	other := visit.NewPage()
	other.Open(server.SessionURL(path))
	waitForLive(other)
	p := visit.NewPage()
	p.Open(server.SessionURL(path))
	waitForLive(p)
	before := readText(t, path)
	focusRow(p, f.main)
	p.PressKey("b")
	p.WaitForText("#change", "just before this prompt")
	p.WaitForText("#change", "stay in the tree")
	if got := harness.EvalScript[string](p, `document.querySelector("#change-prompt").value`); got != "Write a small cache" {
		t.Errorf("the prompt to send again is %q", got)
	}
	p.Click(`#change [value="write"]`)
	p.Click("#change-text")
	p.TypeText("A cache did not help.")
	p.Click("#change-label")
	p.TypeText("without a cache")
	p.WaitForText("#change-lines", "2 lines will be added")
	p.WaitForText("#change-lines", "A cache did not help.")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForText("#toast", "Branched here")
	p.WaitForText("#path", "A cache did not help.")
	other.WaitForText("#path", "A cache did not help.")
	got := addedLines(t, path, before)
	if strings.Count(got, "\n") != 2 || !strings.Contains(got, `"branch_summary"`) || !strings.Contains(got, `"label":"without a cache"`) {
		t.Errorf("added %q", got)
	}
	// There is nothing to branch at the leaf.
	p.RunScript(`document.querySelector("#main").focus()`)
	p.PressKey("b")
	p.WaitForText("#change", "is already here")
	p.WaitForNone(`#change [data-do="change-submit"]`)
	p.PressKey(harness.Escape)
	p.WaitForNone("#change[open]")
}

// A program generates a summary. Escape cancels it and keeps the leaf and the input.
func TestBranch_Generate(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	gate := filepath.Join(t.TempDir(), "gate")
	pid := filepath.Join(t.TempDir(), "pid")
	program := writeScript(t, fmt.Sprintf(`cat > %[1]s.input; echo $$ > %[1]s; echo "halfway there" >&2; while [ ! -e %[2]s ]; do sleep 0.05; done; echo "It was slow."`, pid, gate))
	server := harness.StartServer(t, "--summarizer", program, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	before := readText(t, path)
	focusRow(p, f.main)
	p.PressKey("b")
	p.Click(`#change [value="generate"]`)
	p.Click("#change-instructions")
	p.TypeText("Name the files")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForText("#change-progress", "halfway there")
	p.PressKey(harness.Escape)
	p.WaitForText("#change-progress", "Cancelled")
	if harness.EvalScript[float64](p, `Math.abs(document.querySelector('#change [data-do="change-submit"]').getBoundingClientRect().top - document.querySelector('#change .dialog-foot [data-do="change-close"]').getBoundingClientRect().top)`) > 2 {
		t.Error("the buttons stand on two lines")
	}
	if got := harness.EvalScript[string](p, `document.querySelector("#change-instructions").value`); got != "Name the files" {
		t.Errorf("what was typed became %q", got)
	}
	harness.Until(t, "the program to end", func() bool {
		_, err := os.Stat("/proc/" + strings.TrimSpace(readText(t, pid)))
		return os.IsNotExist(err)
	})
	if got := addedLines(t, path, before); got != "" {
		t.Errorf("added %q", got)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForText("#path", "It was slow.")
	p.WaitForNone("#change[open]")
	if got := readText(t, pid+".input"); !strings.Contains(got, "Name the files") || !strings.Contains(got, "Write a small cache") && !strings.Contains(got, "The cache works") {
		t.Errorf("the program was given %q", got)
	}
}

// Without a summary one neutral line marks the branch. Before the first entry is a valid
// place too.
func TestBranch_None(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	before := readText(t, path)
	focusRow(p, f.first)
	p.PressKey("b")
	p.WaitForText("#change", "continues from this answer")
	p.WaitForText("#change", "No summarizer is set")
	p.WaitUntil(`document.querySelector('#change [value="generate"]').disabled`)
	p.PressKey(harness.Tab)
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForElement("#tree .row--mark .leaf-tag")
	if got := addedLines(t, path, before); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"session-explorer.branch"`) {
		t.Errorf("added %q", got)
	}
	p.PressKey("k", harness.Control)
	p.TypeText("before the first")
	p.PressKey(harness.Enter)
	p.WaitForText("#change", "before the first entry")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	harness.Until(t, "the line", func() bool { return strings.Contains(addedLines(t, path, before), `"parentId":null`) })
}

// A new file is made from a path, and the toast links to it.
func TestFork(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	holdToasts(p)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	before := readText(t, path)
	openDialogFor(p, "fork", f.twoTip)
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForText("#toast", "Branched to")
	p.Click("#toast a")
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.WaitForNone("#tree .row--branch")
	if got := addedLines(t, path, before); got != "" {
		t.Errorf("the source got %q", got)
	}
	p.Open(server.SessionURL(path))
	waitForLive(p)
	openDialogFor(p, "fork", harness.EvalScript[string](p, `document.querySelector("#tree .row").dataset.entry`))
	p.WaitForText("#change", "empty history")
	p.WaitForNone(`#change [data-do="change-submit"]`)
}

// The list of branches switches the current one. A copy and a merge are appended to the
// leaf.
func TestBranches(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.PressKey("k", harness.Control)
	p.TypeText("show branches")
	p.PressKey(harness.Enter)
	p.Click(fmt.Sprintf(`#branches [data-head=%q] .pick`, f.two))
	p.Click(`#branch-foot a[data-change]`)
	p.WaitForText("#change", "Adds one marker line")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.WaitForText("#toast", "current")
	before := readText(t, path)
	openDialogFor(p, "merge", f.leaf)
	p.WaitForText("#change", "messages")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForText("#path", "The cache works")
	if got := addedLines(t, path, before); !strings.Contains(got, "Write a small cache") {
		t.Errorf("merged %q", got)
	}
	before = readText(t, path)
	openDialogFor(p, "cherry-pick", f.oneTip)
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForText("#path", "The library is wired in")
	if got := addedLines(t, path, before); !strings.Contains(got, "The library is wired in") {
		t.Errorf("copied %q", got)
	}
}

// Without script every dialog is a page with a form that leads back.
func TestChange_WithoutScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(path)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	harness.Until(t, "the page", func() bool { p.Open(url); return p.CountElements(rowSelector(f.leaf)) == 1 })
	p.Click("#title a")
	p.Click("#change-name")
	p.TypeText("By hand")
	p.Click(`[data-do="change-submit"]`)
	p.WaitForText("#title", "By hand")
	p.Open(url + "/label?entry=" + f.main)
	p.Click("#change-label")
	p.TypeText("plain")
	p.PressKey(harness.Enter)
	p.WaitForText(rowSelector(f.main)+" .chip", "plain")
	p.Open(url + "/branch?entry=" + f.main)
	p.Click(`[name="summary"][value="write"]`)
	p.Click("#change-text")
	p.TypeText("Written without script")
	p.Click(`[data-do="change-submit"]`)
	p.WaitForText("#path", "Written without script")
}

// On a phone the actions of an entry and every dialog are a sheet at the bottom. All
// controls are large enough to touch, and nothing is wider than the window.
func TestChange_Phone(t *testing.T) {
	f := newForkedSession()
	long := f.AddPrompt(strings.Repeat("A prompt that is longer than the screen is wide. ", 4))
	p := openOnPhone(t, f.File)
	p.Click(fmt.Sprintf(`#path .entry--user[data-entry=%q] .action-more`, long))
	p.WaitForElement("#change[open] .change--actions")
	large := func(what string) {
		t.Helper()
		checkWidth(t, p, what)
		small := harness.EvalScript[[]string](p, `[...document.querySelectorAll("#change :is(a, button, input:not([type=hidden], [type=radio], [type=checkbox]), .radios label, .check, summary)")]
			.filter(e => e.checkVisibility() && !e.classList.contains("visually-hidden") && e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML.slice(0, 120))`)
		// Lines of code are scrolled.
		wide := harness.EvalScript[[]string](p, `[...document.querySelectorAll("#change *")].filter(e => e.checkVisibility() && !e.matches("ins, del") && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 120))`)
		if len(wide) > 0 {
			t.Errorf("%s: wider than the screen: %q", what, wide)
		}
		if len(small) > 0 {
			t.Errorf("%s: too small to touch: %q", what, small)
		}
		if gap := harness.EvalScript[float64](p, `innerHeight - document.querySelector("#change").getBoundingClientRect().bottom`); gap > 1 {
			t.Errorf("%s stands %v px above the bottom", what, gap)
		}
	}
	large("actions")
	p.Click(`#change .menu-action[href*="/label"]`)
	p.WaitForElement("#change .change--label")
	large("label")
	p.Click("#change-label")
	p.TypeText("touched")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForText(pathItemSelector(long)+" .chip", "touched")
	for _, action := range []string{"branch", "fork", "merge"} {
		openDialogFor(p, action, f.twoTip)
		large(action)
		p.Click(`#change .dialog-head [data-do="change-close"]`)
		p.WaitForNone("#change[open]")
	}
}

// axe-core finds no violation in any dialog.
func TestAxe_Change(t *testing.T) {
	skipOutsideCI(t)
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.AddLabel(f.first, "diagnosis")
	f.leaf = f.AddReply("Labeled.")
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	for _, theme := range themes() {
		p := sharedBrowser(t).NewPage(t)
		p.AllowConsole("409")
		p.EmulateTheme(theme)
		p.Open(server.SessionURL(path))
		waitForLive(p)
		for _, action := range []string{"actions", "label", "branch", "fork", "cherry-pick", "merge", "switch", "pop", "rename", "export"} {
			openDialogFor(p, action, f.twoTip)
			p.CheckAccessibility(action + " " + theme)
			p.PressKey(harness.Escape)
			p.WaitForNone("#change[open]")
		}
		openDialogFor(p, "label", f.twoTip)
		p.RunScript(`document.querySelector('#change [name="seen-label"]').value = "what it was"`)
		p.Click("#change-label")
		p.TypeText("other " + theme)
		p.PressKey(harness.Enter)
		p.WaitForElement(`#change [role="alert"]`)
		p.CheckAccessibility("conflict " + theme)
		p.Click(`#change .banner [type="submit"]`)
		p.WaitForText("#toast", "Labeled")
		p.CheckAccessibility("toast " + theme)
		p.Open(server.SessionURL(path) + "/branch?entry=" + f.twoTip)
		p.CheckAccessibility("page " + theme)
	}
}

// Every change works with the keyboard alone, and the focus returns to its place.
func TestChange_Keyboard(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	before := readText(t, path)
	focusRow(p, f.main)
	p.PressKey("b")
	p.WaitForElement(`#change [name="summary"]:focus`)
	p.PressKey(harness.Down)
	p.WaitForElement(`#change [value="write"]:checked`)
	p.PressKey(harness.Tab)
	p.WaitForElement(`#change-text:focus`)
	p.TypeText("By keys")
	p.PressKey(harness.Enter, harness.Control)
	p.WaitForNone("#change[open]")
	p.WaitForText("#path", "By keys")
	if got := addedLines(t, path, before); strings.Count(got, "\n") != 1 || !strings.Contains(got, "By keys") {
		t.Errorf("added %q", got)
	}
	focusRow(p, f.first)
	p.PressKey("b")
	p.WaitForElement("#change[open]")
	p.PressKey(harness.Escape)
	p.WaitUntil(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, rowSelector(f.first)))
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette[open]")
	p.TypeText("new file")
	p.PressKey(harness.Enter)
	p.WaitForElement("#change .change--fork")
	p.WaitForElement(`#change [data-do="change-submit"]:focus`)
	p.PressKey(harness.Escape)
	p.WaitUntil(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, rowSelector(f.first)))
}

// The label of an old file is in a sidecar. Migrating moves it into the file and enables
// all other changes.
func TestMigrate(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.V1, "e2e-old", "/home/dev/project", harness.SessionStart)
	f.AddPrompt("Hello from long ago")
	f.AddReply("Hello.")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	before := readText(t, path)
	first := harness.EvalScript[string](p, `document.querySelector("#tree .row").dataset.entry`)
	focusRow(p, first)
	p.PressKey("L", harness.Shift)
	p.WaitForText("#change", "Kept beside the file")
	p.TypeText("aside")
	p.PressKey(harness.Enter)
	p.WaitForText(rowSelector(first)+" .chip", "aside")
	if got := addedLines(t, path, before); got != "" {
		t.Errorf("the file got %q", got)
	}
	focusRow(p, first)
	p.PressKey("b")
	p.WaitForText("#change", "Migrate first")
	p.WaitForNone(`#change [data-do="change-submit"]`)
	p.PressKey(harness.Escape)
	p.Click(`#banners a[data-change]`)
	p.WaitForText("#change", ".bak")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForText("#toast", "Migrated")
	p.WaitForNone(`#banners a[data-change]`)
	p.WaitForText("#tree .row .chip", "aside")
	if readText(t, path+".bak") != before || !strings.Contains(readText(t, path), `"label":"aside"`) {
		t.Errorf("the original was not kept, or the label is not in the file: %s", readText(t, path))
	}
}

// The banners repair a line that a crash left unfinished, and make the newest branch
// current again.
func TestRepairs(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	box.AppendFile(path, []byte(fmt.Sprintf(`{"type":"custom","customType":"x","id":"stray","parentId":%q,"timestamp":"2026-02-03T09:00:01.000Z"}`+"\n"+`{"type":"message","id":"torn`, f.first)))
	old := harness.SessionStart
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.WaitForText("#banners", "left unfinished")
	p.WaitForText("#banners", "ends on an abandoned branch")
	p.Click(`#banners a[data-change][href$="/end-line"]`)
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForNone(`#banners a[href$="/end-line"]`)
	p.Click(`#banners a[data-change][href$="/repair"]`)
	p.WaitForText("#change", "makes it the leaf again")
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForNone(`#banners a[href$="/repair"]`)
	p.WaitForText("#path", "The cache works")
	if got := readText(t, path); !strings.Contains(got, `"session-explorer.repair"`) {
		t.Errorf("no repair in %s", got)
	}
}
