//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// writeDatedSessions writes sessions that were last active on different days.
func writeDatedSessions(box *harness.SessionDir) {
	now := time.Now()
	for i, days := range []int{0, 0, 1, 3, 3, 5, 20, 40, 400} {
		f := transcript.New(transcript.Pi, fmt.Sprintf("e2e-dated-%d", i), fmt.Sprintf("/home/dev/project-%d", i%3), now.AddDate(0, 0, -days).Add(-time.Minute*time.Duration(i)))
		f.AddPrompt(fmt.Sprintf("Prompt %d, %d days ago", i, days))
		f.AddReply("Done.")
		box.WriteSession(f)
	}
	empty := transcript.New(transcript.Pi, "e2e-dated-empty", "/home/dev/project-0", now.AddDate(0, 0, -1))
	path := box.WriteSession(empty)
	old := now.AddDate(0, 0, -1)
	if err := os.Chtimes(path, old, old); err != nil {
		panic(err)
	}
}

// The list by date: choose it with the mouse, filter by date, and find it again.
func TestSessionList_ByDate(t *testing.T) {
	box := harness.NewSessionDir(t)
	writeDatedSessions(box)
	server := harness.StartServer(t, box.Dir)
	harness.Until(t, "the list", func() bool {
		_, body := server.GetPage("/?part=list")
		return strings.Contains(body, `data-total="9"`)
	})
	profile := sharedBrowser(t).NewProfile(t)
	p := profile.NewPage()
	p.Open(server.URL)
	p.WaitForElement(`#by-project[aria-current]`)
	waitForLive(p)
	p.Click("#by-date")
	p.WaitForElement("#by-date[aria-current]")
	waitForURL(p, "by=date")
	p.WaitUntil(`document.querySelector(".group h2").textContent === "Today"`)
	if names := harness.EvalScript[string](p, `[...document.querySelectorAll(".group h2")].slice(0, 3).map(e => e.textContent).join()`); names != "Today,Yesterday,Last week" {
		t.Errorf("groups %s", names)
	}
	p.WaitForText("#group-yesterday", "1 empty session")

	p.Click("#dates summary")
	p.Click("#choice-date-7d")
	p.WaitUntil(`document.querySelectorAll("#sessions li[data-content-hash]").length === 6`)
	p.WaitForElement(`#dates summary[aria-label="Date: Last 7 days"]`)
	p.Click("#more-filters summary")
	p.Click("#choice-labeled")
	p.WaitForText("#no-match", "No labeled sessions in the last 7 days")
	p.WaitForElement("#chip-format-pi")
	p.Click("#no-match a")
	p.WaitUntil(`document.querySelectorAll("#sessions li[data-content-hash]").length === 6`)

	// The choice is remembered. A page that is open keeps its own.
	p.Open(server.URL)
	p.WaitForElement("#by-date[aria-current]")
	waitForLive(p)
	q := profile.NewPage()
	q.Open(server.URL + "/?by=project")
	q.WaitForElement("#by-project[aria-current]")
	added := transcript.New(transcript.Pi, "e2e-dated-new", "/home/dev/project-1", time.Now())
	added.AddPrompt("A prompt of a new session")
	box.WriteSession(added)
	p.WaitForText("#group-today", "A prompt of a new session")
	p.Open(server.URL)
	p.WaitForElement("#by-project[aria-current]")
}

// A star with the mouse and with a key; unread after an addition on another page, and read
// after a visit.
func TestSessionList_StarAndUnread(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	other := transcript.New(transcript.Pi, "e2e-other", "/home/dev/other", time.Now().AddDate(0, 0, -9))
	other.AddPrompt("Another session")
	box.WriteSession(other)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL + "/?by=date")
	p.WaitForElement("a.session-link")
	waitForLive(p)
	row := "#s-" + server.SessionKey(path)
	p.Click(row + " .star")
	p.WaitForElement(row + ` .star[aria-pressed="true"] .icon--starred`)
	p.WaitForText("#chip-starred .number", "1")
	p.RunScript(fmt.Sprintf(`document.querySelector(%q).focus()`, row+" a.session-link"))
	p.PressKey("s")
	p.WaitForElement(row + ` .star[aria-pressed="false"] .icon--star`)
	p.WaitUntil(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, row+" a.session-link"))
	p.PressKey("s")
	p.WaitForElement(row + ` .star[aria-pressed="true"] .icon--starred`)
	p.PressKey("u")
	p.WaitForElement(row + `.is-unread [aria-label="Unread"]`)
	p.WaitForText("#chip-unread .number", "1")

	// Enter opens the session, which makes it read. What is added while it is seen is read too.
	p.PressKey(harness.Enter)
	p.WaitForElement(rowSelector(f.leaf))
	waitForLive(p)
	added := f.AddPrompt("And one more thing")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(rowSelector(added))
	harness.Until(t, "the report of the visit", func() bool {
		_, body := server.GetPage("/?starred=1&part=list")
		return !strings.Contains(body, `aria-label="Unread"`)
	})
	p.Open(server.URL + "/?by=date")
	p.WaitForElement(row + ` .star[aria-pressed="true"]`)
	waitForLive(p)
	p.WaitForNone(row + ".is-unread")
	f.AddReply("Nothing more.")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(row + ".is-unread")
	p.Click("#chip-unread")
	p.WaitUntil(`document.querySelectorAll("#sessions li[data-content-hash]").length === 1`)

	// Stars survive a restart, and work without script.
	p.Close()
	server.Restart()
	q := sharedBrowser(t).NewPage(t)
	q.DisableScript()
	harness.Until(t, "the list", func() bool { q.Open(server.URL + "/?by=date&starred=1"); return q.CountElements("a.session-link") == 1 })
	q.Click(row + " .star")
	q.WaitForText("#no-match", "No starred sessions")
	if !strings.HasSuffix(q.Location(), "/?by=date&starred=1") {
		t.Errorf("the star leads to %s", q.Location())
	}
}

// Working and waiting sessions say so, with what they changed. The rows are reached with the
// keyboard, and the parent of a fork from its row.
func TestSessionList_States(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-running", "/home/dev/atlas", time.Now())
	f.AddPrompt("Change the cache")
	f.AddEditCall("I will.", "cache.go", "a", "b", "+1 b\n+2 c\n-1 a")
	path := box.WriteSession(f)
	fork := transcript.New(transcript.Pi, "e2e-fork", "/home/dev/atlas", time.Now())
	fork.AddPrompt("Change it in another way")
	fork.AddReply("Done.")
	parent := fmt.Sprintf(`"parentSession":%q,"cwd"`, path)
	box.WriteFile(strings.Replace(path, "e2e-running", "e2e-fork", 1), []byte(strings.Replace(string(fork.Bytes()), `"cwd"`, parent, 1)))
	asking := filepath.Join(box.Dir, "--asking--", "e2e-asking.jsonl")
	ask := transcript.New(transcript.Pi, "e2e-asking", "/home/dev/atlas", time.Now())
	ask.AddPrompt("Which one?")
	ask.AddToolCall("I need to know.", "ask", transcript.Object{"question", "This one?"})
	box.WriteFile(asking, ask.Bytes())
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL + "/?by=date")
	row := "#s-" + server.SessionKey(path)
	p.WaitForText(row, "Working")
	waitForLive(p)
	p.WaitForText(row+" .files", "1 file +2 −1")
	p.WaitForText(row+" .forks", "1 fork")
	p.WaitForText("#s-"+server.SessionKey(asking), "Waits for you")
	p.Click("#chip-waiting")
	p.WaitUntil(`document.querySelectorAll("#sessions li[data-content-hash]").length === 1`)
	p.Click("#chip-waiting")
	p.WaitUntil(`document.querySelectorAll("#sessions li[data-content-hash]").length === 3`)
	p.PressKey(harness.Down)
	p.WaitForElement("a.session-link:focus")
	p.PressKey(harness.Down)
	p.WaitUntil(`[...document.querySelectorAll("a.session-link")].indexOf(document.activeElement) === 1`)
	p.PressKey(harness.Up)
	p.WaitUntil(`[...document.querySelectorAll("a.session-link")].indexOf(document.activeElement) === 0`)
	p.Click("a.forked-from")
	p.WaitForText("#path", "Change the cache")
}

// axe-core finds no violation in the list, with all states, menus and folded rows.
func TestAxe_SessionList(t *testing.T) {
	skipOutsideCI(t)
	box := harness.NewSessionDir(t)
	writeDatedSessions(box)
	server := harness.StartServer(t, box.Dir)
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		p.Open(server.URL + "/?by=date")
		p.WaitForElement("a.session-link")
		waitForLive(p)
		row := "#" + harness.EvalScript[string](p, `document.querySelector('#sessions li[data-content-hash]:has(.star[aria-pressed="false"])').id`)
		p.RunScript(fmt.Sprintf(`document.querySelector(%q).focus()`, row+" a.session-link"))
		p.PressKey("s")
		p.WaitForElement(row + ` .star[aria-pressed="true"]`)
		p.PressKey("u")
		p.WaitForElement(row + `.is-unread`)
		p.RunScript(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
		p.CheckAccessibility("list by date")
		if size == "phone" {
			checkWidth(t, p, "list by date")
			if h := harness.EvalScript[float64](p, `Math.min(...[...document.querySelectorAll(".star, .folded > summary, #grouping a, .pill, .choice > summary")].map(e => e.getBoundingClientRect().height))`); h < 39.5 {
				t.Errorf("something to touch is %v high", h)
			}
		}
		p.Open(server.URL + "/?by=date&labeled=1&date=today")
		p.WaitForElement("#no-match")
		p.CheckAccessibility("no match")
	})
}

// Screenshots of the list for comparison with the design: make shots.
func TestShots_SessionList(t *testing.T) {
	skipUnlessShots(t)
	server := harness.StartServer(t, copyDemo(t))
	for _, by := range []string{"date", "project"} {
		for _, theme := range []string{"light", "dark"} {
			for _, size := range []string{"desktop", "phone"} {
				p := newPageWithLook(t, size, theme)
				p.Open(server.URL + "/?by=" + by)
				p.WaitForElement("a.session-link")
				p.SaveScreenshot(fmt.Sprintf("sessions-by-%s-%s-%s", by, size, theme))
			}
		}
	}
}

// A title is shown in full if it fits, however short the prompt next to it is. A long one leaves
// room for the prompt.
func TestSessionList_TitleWidths(t *testing.T) {
	box := harness.NewSessionDir(t)
	for i, title := range []string{"A title longer than the prompt", strings.Repeat("A long title ", 20)} {
		f := transcript.New(transcript.Pi, fmt.Sprintf("e2e-titled-%d", i), "/home/dev/project", time.Now())
		f.AddPrompt("Prompt")
		f.AddName(title)
		box.WriteSession(f)
	}
	p := sharedBrowser(t).NewPage(t)
	p.Open(harness.StartServer(t, box.Dir).URL)
	p.WaitUntil(`document.querySelectorAll(".session-link b").length === 2`)
	isCut := `[...document.querySelectorAll(".session-link b, .session-link span")].map(e => e.textContent.slice(0, 7) + (e.scrollWidth > e.clientWidth ? " cut" : "")).sort().join()`
	if got, want := harness.EvalScript[string](p, isCut), "A long  cut,A title,Prompt,Prompt"; got != want {
		t.Errorf("texts %q, want %q", got, want)
	}
}
