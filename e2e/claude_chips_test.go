//go:build e2e

package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// chipSession is a session of Claude Code with what it adds without its user.
const chipSession = `{"parentUuid":null,"isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"user","uuid":"u1","timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"user","content":"Draw a wren"}}
{"parentUuid":"u1","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"attachment","uuid":"t1","timestamp":"2026-03-01T09:00:01.000Z","attachment":{"type":"nested_memory","path":"/home/dev/proj/CLAUDE.md","content":{"path":"/home/dev/proj/CLAUDE.md","type":"Project","content":"Be brief.\nDraw softly."}}}
{"parentUuid":"t1","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"attachment","uuid":"t2","timestamp":"2026-03-01T09:00:02.000Z","attachment":{"type":"hook_success","hookName":"SessionStart:startup","command":"lint","stdout":"all is well","durationMs":300}}
{"parentUuid":"t2","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"attachment","uuid":"t3","timestamp":"2026-03-01T09:00:03.000Z","attachment":{"type":"todo_reminder","content":[]}}
{"parentUuid":"t3","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"attachment","uuid":"t4","timestamp":"2026-03-01T09:00:03.000Z","attachment":{"type":"task_reminder","content":[]}}
{"parentUuid":"t4","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"user","uuid":"c1","isMeta":true,"timestamp":"2026-03-01T09:00:04.000Z","message":{"role":"user","content":"<local-command-caveat>Caveat: local commands</local-command-caveat>"}}
{"parentUuid":"c1","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"user","uuid":"c2","timestamp":"2026-03-01T09:00:05.000Z","message":{"role":"user","content":"<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>"}}
{"parentUuid":"c2","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"user","uuid":"c3","timestamp":"2026-03-01T09:00:06.000Z","message":{"role":"user","content":"<local-command-stdout>Set model to opus</local-command-stdout>"}}
{"parentUuid":"c3","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"assistant","uuid":"a1","requestId":"r1","timestamp":"2026-03-01T09:00:07.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-8","content":[{"type":"text","text":"Drawn."}],"usage":{"input_tokens":100,"output_tokens":5}}}
`

// openChips opens the session with chips.
func openChips(t *testing.T, phone bool) *harness.Page {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "c1.jsonl"), []byte(chipSession), 0o600); err != nil {
		t.Fatal(err)
	}
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	if phone {
		p.EmulatePhone()
	}
	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	p.Click("a.session-link")
	p.WaitForText("#path", "Drawn.")
	return p
}

// What was added without the user is a row of chips that open in place, by mouse and keyboard.
func TestClaude_chips(t *testing.T) {
	p := openChips(t, false)
	p.WaitForText(".note-chips", "CLAUDE.md")
	for _, text := range []string{"2 lines", "SessionStart hook", "0.3s", "2 reminders", "seen by the model only"} {
		p.WaitForText(".note-chips", text)
	}
	if n := p.CountElements(".note-chip"); n != 3 {
		t.Errorf("%d chips, want 3", n)
	}
	p.Click(`.note-chip[data-entry="t1"] > summary`)
	p.WaitForText(`.note-chip[data-entry="t1"][open]`, "Draw softly.")
	p.RunScript(`document.querySelector('.note-chip[data-entry="t2"] > summary').focus()`)
	p.PressKey(harness.Enter)
	p.WaitForText(`.note-chip[data-entry="t2"][open]`, "all is well")
	p.WaitForText(`.note-chip[data-entry="t2"]`, "Raw line")

	// The command is one line with its output; the caveat is in it.
	line := harness.EvalScript[string](p, `document.querySelector("#e-c2 summary").innerText`)
	if !strings.Contains(line, "/model opus") || !strings.Contains(line, "Set model to opus") {
		t.Errorf("the line of the command is %q", line)
	}
	p.Click("#e-c2 summary")
	p.WaitForText("#e-c2", "Caveat")
	p.CheckAccessibility("chips")
}

// attachmentSession is a prompt of Claude Code with an image and an attached file.
const attachmentSession = `{"parentUuid":null,"isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"user","uuid":"u1","timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"Draw it like @wren.ts"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="}}]}}
{"parentUuid":"u1","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"attachment","uuid":"t1","timestamp":"2026-03-01T09:00:01.000Z","attachment":{"type":"file","filename":"/home/dev/proj/wren.ts","content":{"type":"text","file":{"content":"one\ntwo\n"}}}}
{"parentUuid":"t1","isSidechain":false,"cwd":"/home/dev/proj","sessionId":"c1","version":"2.1.0","type":"assistant","uuid":"a1","requestId":"r1","timestamp":"2026-03-01T09:00:07.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-8","content":[{"type":"text","text":"Drawn."}],"usage":{"input_tokens":100,"output_tokens":5}}}
`

// Files and images that the user attached are chips in the prompt, also those that arrive later.
// The program's own lines are counted at the end.
func TestClaude_attachments(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c1.jsonl")
	first, rest, _ := strings.Cut(attachmentSession, "\n")
	if err := os.WriteFile(path, []byte(first+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForText("#e-u1 .attachments", "Image 1")
	waitForLive(p)
	appendLines(t, path, rest)
	p.WaitForText("#e-u1 .attachments", "wren.ts")
	p.WaitForText("#e-u1 .attachments", "2 lines")
	if n := p.CountElements("#path .entry--user"); n != 1 {
		t.Errorf("%d prompts, want 1", n)
	}
	p.Click(`#e-u1 .note-chip[data-entry="t1"] > summary`)
	p.WaitForText("#e-u1 .note-chip[open]", "two")
	p.CheckAccessibility("attachments")
	p.WaitForNone(".hidden-lines")
	appendLines(t, path, `{"type":"mode","mode":"normal","sessionId":"c1"}`+"\n"+`{"type":"ai-title","aiTitle":"A wren","sessionId":"c1"}`+"\n")
	p.WaitForText("#title", "A wren")
	p.Open(server.SessionURL(path))
	p.WaitForText("#path-end .hidden-lines", "2 hidden system lines")
	p.Click("#path-end .hidden-lines a")
	waitForURL(p, "filter=all")
}

// appendLines appends to a session file.
func appendLines(t *testing.T, path, lines string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(lines)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// On a phone the row of chips scrolls sideways and the page does not.
func TestClaude_chipsOnPhone(t *testing.T) {
	p := openChips(t, true)
	p.WaitForText(".note-chips", "CLAUDE.md")
	if !harness.EvalScript[bool](p, `(() => { const row = document.querySelector(".note-chips"); return row.scrollWidth > row.clientWidth && new Set([...row.children].map(c => c.offsetTop)).size === 1; })()`) {
		t.Error("the chips do not scroll in one row")
	}
	p.CheckAccessibility("chips on a phone")
	checkWidth(t, p, "session")
}

// A sub-agent is a card with what it did, and says whose it is; it is never called a branch.
func TestClaude_agentCard(t *testing.T) {
	server := harness.StartServer(t, copyClaudeProject(t))
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	openFromIndex(p, "A wren that sings softly")
	for _, text := range []string{"4 entries", "1 call", "Open sub-agent"} {
		p.WaitForText("#j-r4-g1", text)
	}
	p.RunScript(`document.querySelector("#j-r4-g1 .btn").focus()`)
	p.PressKey(harness.Enter)
	waitForURL(p, "entry=g1")
	p.WaitForText("#h-g1", "of A wren that sings softly")
	p.WaitForText("#h-g1", "Back to the call")
	p.WaitForText("#e-g1 .message-user--agent", "Main agent")
	p.WaitForText("#away", "Viewing sub-agent Compare with a robin")
	p.WaitForText(".crumbs", "A wren that sings softly")
	p.WaitForText("#agent-crumb", "Sub-agent Compare with a robin")
	if text := strings.ToLower(p.Text(".topbar .crumbs") + p.Text("#away") + p.Text("#path-end")); strings.Contains(text, "branch") {
		t.Errorf("a sub-agent is called a branch: %s", text)
	}
	p.WaitForText("#path-end", "main agent")
	p.CheckAccessibility("sub-agent")
	p.Click(`#side-foot a[href*="filter=all"]`)
	waitForURL(p, "filter=all")
	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForElement("#agent-crumb[hidden]")
}
