//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// comparedSession is a session whose branches tried the same in different ways.
type comparedSession struct {
	*transcript.File
	ancestor, headA, headB string
	tipA, tipB, tipC       string
}

const comparedDiffB = "  85 export function compact(messages: Message[], keep: number) {\n-86   const cut = messages.length - keep;\n+86   const cut = beforeLastReads(messages, keep);\n  87   const old = messages.slice(0, cut);\n"

func newComparedSession() comparedSession {
	f := transcript.New(transcript.Pi, "e2e-compared", "/home/dev/pi-mono", harness.SessionStart)
	f.Cost = 0.12
	c := comparedSession{File: f}
	f.AddName("Compaction keeps tool results")
	f.AddPrompt("Why does the agent read the same files again after a compaction?")
	c.ancestor = f.AddReply("The summary drops every tool result, so the agent reads the same files again")
	c.headB = f.AddPrompt("keep the last read of each file in the context, with the line count and the whole text. the agent must never have to read a file twice")
	f.AdvanceTime(20 * time.Second)
	f.AddBashCall("I look at what runs.", "npx vitest context", "1 failed\n\nCommand exited with code 1", true)
	f.AddEditCall("", "core/compaction.ts", "a", "b", comparedDiffB)
	f.AddEditCall("", "core/context.ts", "a", "b", "  11 import x\n+12 import y\n-13 old\n+13 new\n")
	f.AddToolCall("", "write", transcript.Object{"path", "core/file-cache.ts", "content", "export const cache = 1;\nexport const size = 2;\n"})
	f.AddResult("Wrote the file")
	f.AddReply("The last read result of each file survives compaction. Results over 200 lines are cut in the middle, so the context stays under 60 %.")
	f.AddPrompt("write the test first: compact after 40 reads, then edit a file without reading it. use the recorded session, no mocks")
	f.AddBashCall("", "npx vitest compaction", "2 failed\n\nCommand exited with code 1", true)
	f.AddReply("The edit fails: the kept text is 12 entries older than the file on disk.")
	f.AddPrompt("what does this cost on a long session? measure it on the theme port")
	f.AddReply("38,200 tokens after the first compaction, 71,000 after the third.")
	f.AddPrompt("too expensive. stop here")
	c.tipB = f.AddReply("Stopped. Nothing is committed.")
	f.BranchFrom(c.ancestor)
	f.AddPrompt("add one sentence to the summary: files must be read again before an edit")
	c.tipC = f.AddReply("Added.")
	f.BranchFrom(c.ancestor)
	c.headA = f.AddPrompt("put the list of read files into the summary, with the line count and when it was read. the agent can decide itself what to read again")
	f.AddEditCall("", "core/compaction.ts", "a", "b", "  88   const parts = [goal(messages), progress(messages)];\n+89   parts.push(filesRead(messages));\n  89   return parts.join(\"\\n\\n\");\n")
	f.AddEditCall("", "core/compaction.ts", "a", "b", "  90   return parts.join(\"\\n\\n\");\n  91 }\n+92 \n+93 function filesRead(messages: Message[]): string {\n+94   const last = new Map<string, Read>();\n")
	for range 3 {
		f.AddBashCall("", "npx vitest compaction", "12 passed", false)
	}
	f.AddReply("The summary now ends with **Files read**: path, lines, and the entry where each was read last. On the recorded session it costs 310 tokens.")
	f.AddPrompt("write the test first: compact after 40 reads, then ask which files were read. use the recorded session, no mocks")
	f.AddReply("The test replays 40 reads, compacts, and checks the list against the file system.")
	f.AddPrompt("what does this cost on a long session? measure it on the theme port")
	f.AddReply("310 tokens after the first compaction, 540 after the third.")
	f.AddPrompt("good. document it in docs/compaction.md and commit")
	f.AddBashCall("", `git commit -m "compaction: list files read"`, "lint-staged: core/compaction.ts has 1 error\n\nCommand exited with code 1", true)
	c.tipA = f.AddReply("Documented and committed as 4be1d20.")
	return c
}

// openComparison opens the comparison of the two large branches.
func openComparison(t *testing.T, query string) (comparedSession, *harness.Server, *harness.Page, string) {
	t.Helper()
	box := harness.NewSessionDir(t)
	c := newComparedSession()
	path := box.WriteSession(c.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "/compare?a=" + c.headA + "&b=" + c.headB + query)
	p.WaitForElement("html[data-ready] .compare-heads")
	return c, server, p, server.SessionURL(path)
}

// Two branches are compared with the mouse: from the list of branches, by tab, and back.
func TestCompare(t *testing.T) {
	c := newComparedSession()
	p := openSession(t, c.File, "")
	openBranches(p)
	p.Click(fmt.Sprintf(`#branches [data-head=%q] .pick`, c.headB))
	p.Click(`#branches [data-row="0"] .pick`)
	p.WaitForText("#branch-foot", "2 selected")
	p.Click(`#branch-foot a.btn--solid`)
	p.WaitForText("html[data-ready] #compare-ancestor", "The summary drops every tool result")
	p.WaitForText(".compare-facts", "Working time")
	p.Click(".compare-step:first-child .side-A .compare-answer > summary")
	p.WaitUntil(`document.querySelectorAll(".compare-step:first-child .compare-answer[open]").length === 2`)
	p.WaitForText(".compare-step:first-child .side-B .compare-others summary", "2 more calls")
	p.WaitForText(".compare-step:nth-child(2) .compare-word", "one phrase differs")
	p.WaitForText(".compare-step:nth-child(3) .compare-word", "same")
	p.Click("#tab-files")
	waitForURL(p, "tab=files")
	p.Click(".compare-file summary")
	p.WaitForText(".compare-file .side-A .diff", "beforeLastReads")
	p.WaitForText(".compare-file .side-B .diff", "parts.push(filesRead(messages));")
	p.Click("#tab-failures")
	p.WaitForElement("#panel-failures:not([hidden]) .tool .output")
	p.Click("#compare-swap")
	p.WaitForText(".compare-head.side-A", "put the list of read files")
	p.WaitForElement("html[data-ready] #panel-failures:not([hidden])")
	p.Click(".compare-head.side-A .compare-choice summary")
	p.Click(".compare-head.side-A .compare-choice .menu a")
	p.WaitForText(".compare-head.side-A", "add one sentence to the summary")
	p.WaitForElement("html[data-ready] #panel-failures:not([hidden])")
	p.Click(`.compare-head.side-A > a.btn`)
	p.WaitForText("#path", "Added.")
}

// The comparison opens from the switcher of a fork and from the palette.
func TestCompare_Entrances(t *testing.T) {
	c := newComparedSession()
	p := openSession(t, c.File, "")
	p.Click(switcherSelector(c.headA) + " .switch-compare")
	p.WaitForText(".compare-facts--all", "keep the last read of each file")
	p.WaitForText("#compare-picked", "Compare A and B")
	p.Click(`.compare input[data-letter="C"]`)
	p.WaitForText("#compare-picked", "Compare B and C")
	p.Click("#compare-picked")
	p.WaitForElement("html[data-ready] .compare-heads")
	p.PressKey(harness.Escape)
	p.WaitForElement("html[data-ready] #path")
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette-input:focus")
	p.TypeText("Compare branches")
	p.PressKey(harness.Enter)
	p.WaitForElement(".compare-heads")
}

// Everything works with the keyboard alone.
func TestCompare_Keyboard(t *testing.T) {
	c, _, p, _ := openComparison(t, "")
	p.PressKey("2")
	p.WaitForElement("#panel-files:not([hidden])")
	p.WaitForElement("#tab-files:focus")
	p.PressKey(harness.Right)
	p.WaitForElement("#panel-failures:not([hidden])")
	p.PressKey("1")
	p.WaitForElement("#panel-talk:not([hidden])")
	p.PressKey("n")
	p.WaitForElement(".compare-step:first-child .compare-open:focus")
	p.PressKey("n")
	p.WaitForElement(".compare-step:nth-child(2) .compare-open:focus")
	p.PressKey("n") // the third prompt is the same
	p.WaitForElement(".compare-step:nth-child(4) .compare-open:focus")
	p.PressKey("p")
	p.WaitForElement(".compare-step:nth-child(2) .compare-open:focus")
	p.PressKey("o")
	p.WaitUntil(`document.querySelectorAll("details.compare-answer").length === document.querySelectorAll("details.compare-answer[open]").length`)
	p.PressKey("2")
	p.PressKey("x")
	p.WaitForText("html[data-ready] .compare-head.side-A", "keep the last read")
	p.WaitForElement("#panel-files:not([hidden])")
	p.PressKey("1")
	p.PressKey("x")
	p.WaitForText("html[data-ready] .compare-head.side-A", "put the list of read files")
	p.WaitForElement("#panel-talk:not([hidden])")
	p.PressKey("x")
	p.WaitForText("html[data-ready] .compare-head.side-A", "keep the last read")
	p.PressKey("?")
	p.WaitForText("#keys[open]", "Swap the branches")
	p.PressKey(harness.Escape)
	p.WaitForNone("#keys[open]")
	p.PressKey("n")
	p.PressKey(harness.Enter)
	p.WaitForText("#path", "keep the last read of each file")
	p.GoBack()
	p.WaitForElement("html[data-ready] .compare-heads")
	p.PressKey(harness.Escape)
	p.WaitForElement("#path")
	if !strings.Contains(p.Location(), "/sessions/") || strings.Contains(p.Location(), "compare") {
		t.Errorf("Esc leads to %s, want the session of %s", p.Location(), c.tipB)
	}
}

// On a phone one side is below the other, and each can be shown alone.
func TestCompare_Phone(t *testing.T) {
	_, _, p, url := openComparison(t, "")
	p.EmulatePhone()
	p.WaitForElement(".compare-show")
	checkWidth(t, p, "comparison")
	p.Click(`.compare-show [data-side="b"]`)
	p.WaitUntil(`!document.querySelector(".compare-step .side-A").checkVisibility() && document.querySelector(".compare-step .side-B").checkVisibility()`)
	p.Click(`.compare-show [data-side="both"]`)
	p.Click(".compare-facts-phone summary")
	p.WaitForText(".compare-facts-phone table", "Working time")
	p.Click("#tab-files")
	p.Click(".compare-file summary")
	checkWidth(t, p, "compared files")
	small := harness.EvalScript[[]string](p, `[...document.querySelectorAll(".compare :is(a, button, summary)")]
		.filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 39.5).map(e => e.outerHTML.slice(0, 120))`)
	if len(small) > 0 {
		t.Errorf("too small to touch: %q", small)
	}
	p.Open(url + "/compare?with=" + strings.Join(branchHeads(p), "&with="))
	p.WaitForElement(".compare-matrix")
	checkWidth(t, p, "facts of three branches")
}

// branchHeads returns the ids of the branches that the comparison on the page offers or shows.
func branchHeads(p *harness.Page) []string {
	return harness.EvalScript[[]string](p, `[...new URLSearchParams(location.search).values(), new URLSearchParams(document.querySelector(".compare-choice .menu a").search).get("a")].filter(v => v.length > 5)`)
}

// Without script every tab is a page.
func TestCompare_NoScript(t *testing.T) {
	_, _, p, url := openComparison(t, "")
	heads := branchHeads(p)
	q := sharedBrowser(t).NewPage(t)
	q.DisableScript()
	q.Open(url + "/compare?a=" + heads[0] + "&b=" + heads[1])
	q.WaitForText(".compare-step:first-child", "only in A:")
	q.Click("#tab-files")
	q.WaitForElement("#panel-files:not([hidden]) .compare-file")
	q.Click("#compare-swap")
	q.WaitForText(".compare-head.side-A", "keep the last read")
	q.Open(url + "/compare?with=" + strings.Join(heads, "&with="))
	q.Click("#compare-picked")
	q.WaitForElement(".compare-heads")
}

// axe-core finds no violation on the page.
func TestAxe_Compare(t *testing.T) {
	skipOutsideCI(t)
	_, _, first, url := openComparison(t, "")
	heads := branchHeads(first)
	for _, theme := range themes() {
		for _, phone := range []bool{false, true} {
			p := sharedBrowser(t).NewPage(t)
			p.EmulateTheme(theme)
			if phone {
				p.EmulatePhone()
			}
			p.Open(url + "/compare?a=" + heads[0] + "&b=" + heads[1])
			p.WaitForElement("html[data-ready]")
			p.PressKey("o")
			p.WaitForElement("details.compare-answer[open]")
			p.CheckAccessibility("comparison " + theme)
			p.PressKey("2")
			p.Click(".compare-file summary")
			p.CheckAccessibility("compared files " + theme)
			p.PressKey("3")
			p.CheckAccessibility("compared failures " + theme)
			p.Open(url + "/compare?with=" + strings.Join(heads, "&with="))
			p.WaitForElement(".compare-matrix")
			p.CheckAccessibility("facts of three branches " + theme)
			p.Close()
		}
	}
}

// Screenshots of the comparison, for comparison with the design: make shots.
func TestShots_Compare(t *testing.T) {
	skipUnlessShots(t)
	_, _, first, url := openComparison(t, "")
	heads := branchHeads(first)
	pair := "?a=" + heads[0] + "&b=" + heads[1]
	for _, theme := range []string{"light", "dark"} {
		for _, phone := range []bool{false, true} {
			for name, query := range map[string]string{"compare": pair, "compare-files": pair + "&tab=files", "compare-failures": pair + "&tab=failures", "compare-table": "?with=" + strings.Join(heads, "&with=")} {
				p := sharedBrowser(t).NewPage(t)
				p.EmulateTheme(theme)
				if phone {
					name = "phone-" + name
					p.EmulatePhone()
				}
				p.Open(url + "/compare" + query)
				p.WaitForElement("html[data-ready]")
				if strings.HasSuffix(name, "compare-files") {
					p.Click(".compare-file summary")
				} else if strings.HasSuffix(name, "compare") {
					p.Click(".compare-step:nth-child(1) .side-A .compare-answer > summary")
				}
				p.SaveScreenshot(name + "-" + theme)
				p.Close()
			}
		}
	}
}
