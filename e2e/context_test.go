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

// contextSession is a session with a compaction, and the ids of some of its entries.
type contextSession struct {
	*transcript.File
	first, kept, last string
}

func newContextSession() contextSession {
	f := transcript.New(transcript.Pi, "e2e-context", "/home/dev/project", harness.SessionStart)
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	k := contextSession{File: f}
	k.first = f.AddPrompt("Read the theme in full")
	f.AddReadCall("I read it.", "theme.ts", strings.Repeat("export const line = 1\n", 200))
	f.AddReply("It has twelve colours.")
	k.kept = f.AddPrompt("Could we watch the file?")
	f.AddReply("Yes, with one watcher.")
	f.AddCompaction("The theme has twelve colours.", k.kept)
	f.AddPrompt("This crashed at the restart")
	f.AddBashCall("I start it again.", "npm start", "TypeError: no theme", true)
	k.last = f.AddReply("A broken theme now falls back to dark.")
	return k
}

const contextRows = `[...document.querySelectorAll("#context-list .context-row .context-text")].map(e => e.textContent.trim().replace(/\s+/g, " ")).join("|")`

// The context of an answer opens next to the path, with the mouse. Its messages lead to their
// entries, and its parts are listed alone.
func TestContext(t *testing.T) {
	f := newContextSession()
	p := openSession(t, f.File, "")
	p.Click(`.facts a[data-context]`)
	p.WaitForText("#context .context-head", "of the answer, entry")
	p.WaitForElement(fmt.Sprintf(`.entry.is-in-context[data-entry=%q]`, f.last))
	p.WaitForElement(fmt.Sprintf(`#tree .row.is-not-sent[data-entry=%q]`, f.first))
	p.WaitForNone(fmt.Sprintf(`#tree .row.is-not-sent:is([data-entry=%q], [data-entry=%q])`, f.kept, f.last))
	p.WaitUntil(`document.querySelector(".facts a[data-context]").checkVisibility() && !document.querySelector("#context time").textContent.includes("UTC")`)
	p.WaitForText("#context .context-mark", "Reconstructed")
	p.WaitForText("#context .context-group--left", "Summarised away")
	p.WaitUntil(`[...document.querySelectorAll("#context .context-part:not(:has(.part--free)) b")].reduce((sum, e) => sum + Number(e.textContent.replaceAll(",", "")), 0) === Number(document.querySelector("#context .context-total b").textContent.replaceAll(",", ""))`)
	p.WaitUntil(contextRows + `.includes("Summary")`)
	p.WaitUntil(contextRows + `.includes("Could we watch the file? kept")`)
	p.Click(`#context .context-part:has(.part--results)`)
	p.WaitForText("#context .context-group h2", "1 of 6")
	p.Click(`#context .context-group h2 a[data-context]`)
	p.WaitForText("#context .context-change", "Since the previous request")
	p.Click(`#context .context-change a`)
	p.WaitUntil(`document.querySelectorAll("#context-list .context-row:not(.is-new)").length === 0 && document.querySelectorAll("#context-list .context-row.is-new").length === 2`)
	p.Click(`#context .context-foot [data-step="previous"]`)
	p.WaitUntil(fmt.Sprintf(`document.querySelector("#context-content").dataset.entry !== %q`, f.last))
	p.WaitForElement(`#context [data-step="next"]`)
	p.Click(`#context .context-row a.context-source`)
	waitForURL(p, "entry="+f.first)
	p.WaitForElement("#context-content")
	p.Click("#context [data-context-close]")
	p.WaitForNone("#context-content")
	p.WaitForNone(".is-in-context, .is-not-sent")

	p.Click(`.answer-foot a[data-context]`)
	p.WaitForElement("#context-content")
	p.Click(`#context [data-context-page]`)
	p.WaitForElement("main#context")
	waitForURL(p, "/context?entry=")
	p.AllowConsole("Back-Forward Cache")
	p.GoBack()
	p.WaitForElement("#tree .row")
}

// Everything in the context works with the keyboard alone.
func TestContext_Keyboard(t *testing.T) {
	f := newContextSession()
	p := openSession(t, f.File, "")
	p.PressKey("i")
	p.WaitForElement("#context:focus #context-content")
	p.PressKey(harness.Down)
	p.PressKey(harness.Down)
	p.WaitUntil(`document.activeElement.closest("#context .context-row") !== null`)
	p.PressKey("[")
	p.WaitUntil(fmt.Sprintf(`document.querySelector("#context-content").dataset.entry !== %q`, f.last))
	waitForFocus(p, "#context")
	p.PressKey("]")
	p.WaitForElement(fmt.Sprintf(`#context-content[data-entry=%q]`, f.last))
	waitForFocus(p, "#context")
	p.PressKey(harness.End)
	p.PressKey(harness.Enter)
	waitForURL(p, "entry=")
	p.PressKey(harness.Escape)
	p.WaitForNone("#context-content")
	p.PressKey("i")
	p.WaitForElement("#context:focus #context-content")
	p.PressKey("i")
	p.WaitForNone("#context-content")
}

// On a phone the context is a page. Back and Escape return to the session.
func TestContext_Phone(t *testing.T) {
	box := harness.NewSessionDir(t)
	server := harness.StartServer(t, box.Dir)
	path := box.WriteSession(newContextSession().File)
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.Click(`.facts a[data-context]`)
	p.WaitForElement("main#context #context-content")
	p.WaitUntil(`document.documentElement.scrollWidth <= innerWidth`)
	p.WaitUntil(`[...document.querySelectorAll("#context a, #context summary")].every(e => !e.checkVisibility() || e.closest(".context-row, .context-gap, .context-part") || e.getBoundingClientRect().height >= 44)`)
	p.Click(`#context .context-part:has(.part--results)`)
	waitForURL(p, "show=results")
	p.AllowConsole("Back-Forward Cache")
	p.GoBack()
	p.WaitUntil(`!location.search && document.querySelector("#context-content") !== null`)
	p.GoBack()
	p.WaitForElement("#path")
	waitForLive(p)
	p.Click(`.bottom-bar [data-do="actions"]`)
	p.Click(`#actions [data-action="context"]`)
	waitForFocus(p, "main#context")
	p.PressKey(harness.Escape)
	p.WaitForElement("#path")
}

// axe-core finds no violation, and screenshots of the same views compare with the design.
func TestAxe_Context(t *testing.T) {
	skipOutsideCI(t)
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	recorded := filepath.Join(dir, "recorded", "11111111-0000-4000-8000-00000000000a.jsonl")
	if err := os.MkdirAll(filepath.Dir(recorded), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recorded, []byte(recordedRequests), 0o600); err != nil {
		t.Fatal(err)
	}
	samples := map[string]string{"Reconstructed": tileCacheSample(t, dir), "Recorded": recorded}
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		for mark, path := range samples {
			p.Open(server.SessionURL(path))
			waitForLive(p)
			p.Click(`.facts a[data-context]`)
			p.WaitForText("#context .context-mark", mark)
			p.CheckAccessibility("context, " + mark)
			p.WaitUntil(`document.fonts.status === "loaded"`)
			p.SaveScreenshot(strings.ReplaceAll("context "+mark+" "+t.Name()[strings.Index(t.Name(), "/")+1:], " ", "-"))
			p.Open(server.SessionURL(path) + "/context")
			p.WaitForText("#context .context-mark", mark)
			p.CheckAccessibility("page of the context, " + mark)
		}
	})
}

// recordedRequests is a session whose file holds its requests.
const recordedRequests = `{"type":"api-request-shape","sessionId":"s","shapeHash":"sh","shape":{"system":[{"type":"text","text":"Be brief."}],"tools":[{"name":"Bash"},{"name":"Edit"}]}}
{"parentUuid":null,"isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"user","message":{"role":"user","content":"list files"},"uuid":"u1","timestamp":"2026-03-01T10:00:00.000Z"}
{"type":"api-request-blob","sessionId":"s","hash":"h1","message":{"role":"user","content":"list files"}}
{"type":"api-request","sessionId":"s","id":"r1","keep":0,"tail":["h1"],"shapeHash":"sh","timestamp":"2026-03-01T10:00:01.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"assistant","requestRef":"r1","requestId":"q1","message":{"id":"m1","type":"message","role":"assistant","model":"claude-opus-4-5","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":500,"output_tokens":20}},"uuid":"a1","timestamp":"2026-03-01T10:00:02.000Z"}
{"parentUuid":"a1","isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a.go"}]},"uuid":"u2","timestamp":"2026-03-01T10:00:03.000Z"}
{"type":"api-request-blob","sessionId":"s","hash":"h3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a.go"}]}}
{"type":"api-request","sessionId":"s","id":"r2","base":"r1","keep":1,"tail":["h2","h3"],"shapeHash":"sh","timestamp":"2026-03-01T10:00:04.000Z"}
{"parentUuid":"u2","isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"assistant","requestRef":"r2","requestId":"q2","message":{"id":"m2","type":"message","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"One file."}],"usage":{"input_tokens":100,"cache_read_input_tokens":800,"output_tokens":5}},"uuid":"a2","timestamp":"2026-03-01T10:00:05.000Z"}
`
