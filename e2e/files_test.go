//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// editedProject is a project with a session that edited its files, and a fork of it.
type editedProject struct {
	dir, file string
	server    *harness.Server
	session   string // URL
}

const editedText = "export async function createOrder(req: Request, key?: string) {\n  return db.transaction(async (tx) => {\n    const fresh = await tx.orderKeys.claim(key);\n    const order = await tx.orders.insert(req);\n    return tx.orderKeys.save(key, order);\n  });\n}\n\n// by hand: <b>not a tag</b>\nexport const version = 2;\n"

// newEditedProject starts a server with sessions that changed src/orders/create.ts: one with an
// abandoned branch and a failed edit, and a fork that records the first edit again.
func newEditedProject(t *testing.T) editedProject {
	t.Helper()
	box, dir := harness.NewSessionDir(t), t.TempDir()
	p := editedProject{dir: dir, file: filepath.Join(dir, "src", "orders", "create.ts")}
	box.WriteFile(p.file, []byte(editedText))
	f := transcript.New(transcript.Pi, "e2e-edited", dir, harness.SessionStart)
	f.AddName("Idempotency keys")
	f.AddPrompt("make POST /orders safe to retry, plan first")
	f.AddReadCall("", "config/redis.ts", "export const url = 1;\n")
	f.AddToolCall("The plan is approved. I start with the order.", "write", transcript.Object{"path", "src/orders/create.ts", "content", "export async function createOrder(req: Request, key?: string) {\n  const order = await db.orders.insert(req);\n  return order;\n}\n"})
	wrote := f.AddResult("Wrote the file")
	f.AddPrompt("Redis, 24 hours")
	f.AddEditCall("Then with Redis.", "src/orders/create.ts", "a", "b", " 1 export async function createOrder(req: Request, key?: string) {\n+2   await redis.claim(key);\n 2   const order = await db.orders.insert(req);\n")
	f.AddToolCall("", "write", transcript.Object{"path", "src/orders/keys.ts", "content", "export const ttl = 24;\n"})
	f.AddResult("Wrote the file")
	f.BranchFrom(wrote)
	f.AddPrompt("the second request still gets a 500, see the trace")
	f.AddToolCall("", "edit", transcript.Object{"path", "src/orders/create.ts", "oldText", "x", "newText", "y"})
	f.AddFailedResult("The text was not found")
	f.AddEditCall("The unique violation is not caught inside the transaction.", "src/orders/create.ts", "a", "b",
		" 1 export async function createOrder(req: Request, key?: string) {\n-2   const order = await db.orders.insert(req);\n-3   return order;\n+2   return db.transaction(async (tx) => {\n+3     const fresh = await tx.orderKeys.claim(key);\n+4     const order = await tx.orders.insert(req);\n+5     return tx.orderKeys.save(key, order);\n+6   });\n 4 }\n")
	f.AddReply("It is safe to retry now.")
	path := box.WriteSession(f)
	fork := strings.Replace(string(f.Bytes()), "e2e-edited", "e2e-fork", 1)
	fork = strings.Replace(fork, "Idempotency keys", "A fork of it", 1)
	box.WriteFile(filepath.Join(filepath.Dir(path), "2026-02-03T09-00-00-000Z_e2e-fork.jsonl"), []byte(fork))
	p.server = harness.StartServer(t, "--project-dir", dir, box.Dir)
	p.session = p.server.SessionURL(path)
	return p
}

// From a session to its files, the net diff of one on each branch, its history and its lines.
func TestFiles(t *testing.T) {
	e := newEditedProject(t)
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		look := strings.ReplaceAll(t.Name()[strings.LastIndex(t.Name(), "/")+1:], "_", "-")
		p.Open(e.session)
		waitForLive(p)
		if size == "phone" {
			p.Click(`.bottom-bar [data-do="actions"]`)
			p.Click(`#actions [data-action="files"]`)
		} else {
			p.Click(`.topbar a[aria-label="Files"]`)
		}
		p.WaitForElement("html[data-ready] .file-row[aria-current]")
		p.WaitForText(".file-row[aria-current]", "create.ts")
		p.WaitForText(".file-row[aria-current]", "1 failed")
		p.WaitUntil(`document.querySelectorAll(".file-row").length === 2 && document.documentElement.scrollWidth <= innerWidth`)
		p.WaitForText(".file-edits", "The unique violation")
		p.WaitForElement(".file-body .diff")
		p.CheckAccessibility("files")
		p.SaveScreenshot("files-" + look)
		p.Click(`.files-head .segments a:last-child`)
		p.WaitForText(".files-list", "redis.ts")
		p.Click(`.file-tabs a:nth-child(2)`)
		p.WaitForText(".file-body .diff", "redis.claim")
		p.Click(`.file-bar .segments a:last-child`)
		p.WaitForElement(`.file-edits .diff`)
		p.Click("#file-history")
		p.WaitForText(".history-head", "3 edits in 2 sessions")
		p.WaitForText(".history-copies", "Also in")
		p.WaitForText("#L1", "createOrder")
		p.WaitForText("#L8", "not found")
		p.WaitForElement(`#L9:not([class*="hue-"])`)
		p.WaitUntil(`document.documentElement.scrollWidth <= innerWidth`)
		p.CheckAccessibility("history of a file")
		p.Click(".history-row:nth-child(1) .history-pick")
		p.WaitForElement(".history-row.is-on")
		p.WaitForText(".history-picked .diff", "tx.orderKeys.save")
		p.WaitForElement("#L5.is-on")
		p.CheckAccessibility("history of a file with an edit")
		p.SaveScreenshot("file-history-" + look)
		p.Click(".history-picked .btn")
		p.WaitForText("#path", "The unique violation")
	})
}

// The keys of the pages: J and K, the brackets, H, colon and Escape.
func TestFiles_Keyboard(t *testing.T) {
	e := newEditedProject(t)
	p := sharedBrowser(t).NewPage(t)
	p.Open(e.session + "/files")
	p.WaitForElement("#filespage[data-keys] .file-row[aria-current]")
	p.PressKey("j")
	p.WaitForText(".file-row[aria-current]", "keys.ts")
	p.WaitForElement("#filespage[data-keys]")
	p.PressKey("k")
	p.WaitForText(".file-row[aria-current]", "create.ts")
	p.WaitForElement("#filespage[data-keys]")
	p.PressKey("]")
	p.WaitForElement(".file-tabs a:nth-child(2)[aria-current]")
	p.WaitForElement("#filespage[data-keys]")
	p.PressKey("/")
	p.TypeText("keys")
	p.WaitUntil(`[...document.querySelectorAll(".file-row")].filter(e => e.checkVisibility()).length === 1`)
	p.PressKey(harness.Escape)
	p.PressKey("h")
	p.WaitForElement("#historypage[data-keys] .blame")
	p.PressKey(":")
	p.TypeText("10")
	p.PressKey(harness.Enter)
	p.WaitForElement("#L10:target")
	p.PressKey(harness.Escape)
	p.PressKey("j")
	p.WaitForElement(".history-row.is-on")
	p.Open(e.session + "/files")
	p.WaitForElement("#filespage[data-keys] .file-row")
	p.PressKey(harness.Escape)
	p.WaitForText("#path", "It is safe to retry now")
}

// Without script the pages work by links: from an end of a path to the file, an edit and its entry.
func TestFiles_NoScript(t *testing.T) {
	e := newEditedProject(t)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	p.Open(e.session + "/files")
	p.Click(".file-row:not([aria-current])")
	p.WaitForText(".file-head h2", "keys.ts")
	harness.Until(t, "the history", func() bool { p.Open(e.server.URL + "/files?path=.ts"); return p.CountElements(".files-note") > 0 })
	harness.Until(t, "the file", func() bool {
		p.Open(e.server.URL + "/files?path=orders/create.ts")
		return p.CountElements(".blame") == 1
	})
	p.Click(".blame-line.is-first a")
	p.WaitForElement(".history-picked .diff")
	p.Click(".history-picked .btn")
	p.WaitForElement("#path")
}
