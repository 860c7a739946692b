//go:build e2e

package e2e

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
)

// keepLines are the lines of a session of Claude Code.
func keepLines(id, prompt string) string {
	return `{"type":"user","uuid":"00000000-0000-4000-8000-` + id[24:] + `","parentUuid":null,"sessionId":"` + id + `","cwd":"/p","timestamp":"2026-03-01T10:00:00.000Z","version":"2.1.0","message":{"role":"user","content":"` + prompt + `"}}` + "\n"
}

// The list asks whether to keep copies, and marks a session whose file is deleted then. It is
// opened and restored.
func TestKeep(t *testing.T) {
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		look := path.Base(t.Name())
		check := func(what string) {
			p.CheckAccessibility(what)
			if strings.HasSuffix(look, "light") {
				p.RunScript(stylesWithoutMotion)
				checkStyles(t, p, what)
			}
		}
		home := t.TempDir()
		dir := filepath.Join(home, ".claude", "projects", "-p")
		write := func(id, prompt string, days int) string {
			file := filepath.Join(dir, id+".jsonl")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(keepLines(id, prompt)), 0o600); err != nil {
				t.Fatal(err)
			}
			at := time.Now().AddDate(0, 0, -days)
			if err := os.Chtimes(file, at, at); err != nil {
				t.Fatal(err)
			}
			return file
		}
		file := write("11111111-0000-4000-8000-000000000001", "find the pineapple", 2)
		write("22222222-0000-4000-8000-000000000002", "write a migration that adds currency", 26)
		server := harness.StartServerIn(t, home, filepath.Dir(dir))
		p.Open(server.URL)
		p.WaitForText("#keep-question", "Claude Code deletes sessions after 30 days. Keep copies?")
		p.WaitForText("#sessions", "Deleted by Claude Code in 4 days")
		check("the question")
		p.SaveScreenshot("keep-first-" + size + "-" + look)
		p.Click(`#keep-question [value="on"]`)
		p.WaitUntil(`!document.querySelector("#keep-question") && document.querySelector("#keep-link")?.textContent.includes("of 10 GB")`)
		p.WaitUntil(`/Kept *[1-9]/.test(document.querySelector("#keep-link").textContent)`)
		p.Click("#keep-link")
		p.WaitForText("#keep[open]", "Keep copies of every session")
		check("the dialog")
		p.SaveScreenshot("keep-dialog-" + size + "-" + look)
		p.PressKey(harness.Escape)
		p.WaitUntil(`!document.querySelector("#keep").open`)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		p.WaitForText("#sessions", "Kept, file deleted")
		if n := p.CountElements(".filters .separator"); n != 2 { // before the states, and before those of files
			t.Errorf("the filters have %d separators after the list was updated", n)
		}
		check("the list")
		p.SaveScreenshot("keep-" + size + "-" + look)
		p.Click(".is-deleted .session-link")
		p.WaitForText("#banners", "The file was deleted. This is the kept copy.")
		check("the session")
		p.SaveScreenshot("keep-session-" + size + "-" + look)
		p.Click(`#banners a[href$="/restore"]`)
		p.WaitForText("#change", "with the same bytes")
		check("the dialog that restores")
		p.Click(`#change [data-do="change-submit"]`)
		p.WaitUntil(`!document.querySelector("#banners")?.textContent.includes("kept copy")`)
		if text, err := os.ReadFile(file); err != nil || string(text) != keepLines("11111111-0000-4000-8000-000000000001", "find the pineapple") {
			t.Errorf("the restored file: %q, %v", text, err)
		}
	})
}
