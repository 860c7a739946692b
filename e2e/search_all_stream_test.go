//go:build e2e

package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// holdStream makes the page get a line of the results only when a test emits it.
const holdStream = `(() => {
	const real = fetch;
	window.fetch = async (url, options) => {
		if (!String(url).startsWith("/search/stream")) return real(url, options);
		const lines = (await (await real(url, options)).text()).split("\n").filter(Boolean);
		return new Response(new ReadableStream({ start(stream) {
			options.signal.addEventListener("abort", () => { try { stream.error(options.signal.reason) } catch { /* it has ended */ } });
			window.heldLines = lines.length;
			window.emitLine = (n) => stream.enqueue(new TextEncoder().encode(lines[n] + "\n"));
			window.breakStream = () => stream.error(new TypeError("network error"));
		} }));
	};
})()`

// startHeldSearch opens a search whose results a test emits, and waits for it.
func startHeldSearch(t *testing.T, server *harness.Server, query string, prepare func(p *harness.Page)) *harness.Page {
	t.Helper()
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(holdStream)
	if prepare != nil {
		prepare(p)
	}
	p.Open(searchAllURL(server, query))
	p.WaitUntil(`window.heldLines > 2`)
	return p
}

// While a search runs, what was found can be used: it stays in place, and can be stopped.
func TestSearchAll_Running(t *testing.T) {
	server, _, _ := startSearchAll(t, "")
	p := startHeldSearch(t, server, "basket", nil)
	p.RunScript(`emitLine(0)`) // the newest session has no hit
	p.WaitForText("#search-count", "Searching")
	p.RunScript(`emitLine(1)`)
	p.WaitForText("#search-count", "1 hit in 1 session so far")
	p.WaitForText("#read-text", " of ")
	p.WaitUntil(`(n => n > 0 && n < 100)(Number(document.querySelector("#read-bar:not([hidden])").ariaValueNow))`)
	p.PressKey(harness.Down)
	p.WaitUntil(`document.activeElement === document.querySelector(".search-hit")`)
	top := harness.EvalScript[float64](p, `document.activeElement.getBoundingClientRect().top`)
	p.RunScript(`emitLine(2)`)
	p.WaitUntil(`document.querySelectorAll(".result").length === 2`)
	if now := harness.EvalScript[float64](p, `document.activeElement.matches(".search-hit") ? document.activeElement.getBoundingClientRect().top : -1`); now != top {
		t.Errorf("the focused hit moved from %v to %v", top, now)
	}
	p.WaitUntil(`document.querySelector('[data-token="is:abandoned"] .number').textContent === ""`) // not known yet

	// Stop keeps what was found; Escape then leaves it.
	p.PressKey(harness.Escape)
	p.WaitForText(`#search-status[data-state="stopped"]`, "2 hits in 2 sessions so far")
	p.WaitForText("#read-text", "stopped after")
	p.WaitUntil(`document.activeElement.matches(".search-hit")`)
	p.PressKey(harness.Escape)
	p.WaitUntil(`document.activeElement === document.body`)

	// The connection breaks in the middle.
	p.Click("#query")
	p.RunScript(`window.heldLines = 0`)
	p.PressKey(harness.Enter)
	p.WaitUntil(`window.heldLines > 2`)
	p.RunScript(`emitLine(0), emitLine(1)`)
	p.WaitUntil(`document.querySelectorAll(".result").length === 1`)
	p.RunScript(`breakStream()`)
	p.WaitForText(`#search-message [role="alert"]`, "The 1 hit so far is below.")
	p.WaitForText(`#search-message [role="alert"]`, "The search stopped at ")
	p.WaitForElement(".result .search-hit")
	p.RunScript(`window.heldLines = 0`)
	p.Click("#search-message [data-again]")
	p.WaitUntil(`window.heldLines > 2`)
	p.RunScript(`for (let i = 0; i < heldLines; i++) emitLine(i)`)
	waitForHits(p, 12)
	p.WaitForNone(`#search-message [role="alert"]`)
}

// A hit that a fork records again is listed once and links to the other session.
func TestSearchAll_Copies(t *testing.T) {
	box := harness.NewSessionDir(t)
	first := transcript.New(transcript.Pi, "e2e-original", "/home/dev/project", harness.SessionStart)
	prompt := first.AddPrompt("What is in the basket?")
	first.AddReply("Apples.")
	box.WriteSession(first)
	fork := bytes.Replace(first.Bytes(), []byte("e2e-original"), []byte("e2e-fork-one"), 1)
	first.AdvanceTime(time.Hour)
	first.AddPrompt("And what else is in the fork?")
	fork = append(fork, first.LastLines(1)...)
	box.WriteFile(filepath.Join(box.Dir, "--project--", "fork_e2e-fork-one.jsonl"), fork)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(searchAllURL(server, "basket"))
	waitForHits(p, 1)
	p.WaitForText(hitSelector(prompt)+" + .search-hit-copies", "Also in What is in the basket?")
	p.Click(".search-hit-copies a")
	p.WaitForText("#path", "Apples.")
	p.WaitUntil(fmt.Sprintf(`document.querySelector(%q) && !document.querySelector("#path").textContent.includes("else")`, pathItemSelector(prompt)))
}

// A line of a response may arrive in parts. Empty lines are skipped, the last line needs no
// newline, and nothing is read after an abort.
func TestReadLines(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(harness.SourceRoot(t), "web/static/js/server.js"))
	if err != nil {
		t.Fatal(err)
	}
	p := sharedBrowser(t).NewPage(t)
	p.Open("about:blank")
	read := `(async (parts, stopAt) => {
		const { readLines } = await import("data:text/javascript;base64,` + base64.StdEncoding.EncodeToString(source) + `");
		const abort = new AbortController(), lines = [];
		const body = new ReadableStream({ start(stream) { for (const part of parts) stream.enqueue(new TextEncoder().encode(part)); stream.close(); } });
		await readLines(new Response(body), (line) => { lines.push(line); if (line === stopAt) abort.abort(); }, abort.signal);
		return lines.join();
	})`
	for call, want := range map[string]string{
		`(['1\n2', '3\n', '\n\n"é', '"\n4\n'])`: "1,23,é,4",
		`(['1\n', '2'])`:                        "1,2",
		`(['1\n2\n', '3\n4'], 2)`:               "1,2",
		`([])`:                                  "",
	} {
		if got := harness.EvalScript[string](p, read+call); got != want {
			t.Errorf("lines of %s: %q, want %q", call, got, want)
		}
	}
}
