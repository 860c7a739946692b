//go:build e2e

package e2e

import (
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// activeSessions are sessions in different states.
type activeSessions struct {
	box            *harness.SessionDir
	running, asked *transcript.File
	runningPath    string
}

// writeActiveSessions writes a session of each state.
func writeActiveSessions(box *harness.SessionDir) *activeSessions {
	now := time.Now()
	begin := func(name, prompt string, ago time.Duration) *transcript.File {
		f := transcript.New(transcript.Pi, "e2e-now-"+strings.ToLower(strings.ReplaceAll(name, " ", "-")), "/home/dev/project", now.Add(-ago))
		f.AddPrompt(prompt)
		f.AddName(name)
		return f
	}
	write := func(f *transcript.File, ago time.Duration) string {
		file := box.WriteSession(f)
		at := now.Add(-ago)
		if err := os.Chtimes(file, at, at); err != nil {
			panic(err)
		}
		return file
	}
	s := &activeSessions{box: box}
	s.asked = begin("Asks first", "Make it safe", 5*time.Minute)
	s.asked.AddToolCall("One question.", "ask", transcript.Object{"question", "Where should the key live?", "options", []string{"Postgres", "Redis"}})
	write(s.asked, 4*time.Minute)
	s.running = begin("Runs a tool", "Build it", time.Minute)
	s.running.AddToolCall("Building.", "bash", transcript.Object{"command", "npm run build"})
	s.runningPath = write(s.running, 0)
	likely := begin("Likely asks", "Fix the view", 8*time.Minute)
	likely.AddReply("I can do both.\n\nShould it keep the fork in place?")
	write(likely, 3*time.Minute)
	done := begin("Is done", "Release it", 20*time.Minute)
	done.AddReply("All checks pass.")
	write(done, 10*time.Minute)
	quiet := begin("Is quiet", "Explain it", 3*time.Hour)
	quiet.AddReply("It is a tree.")
	write(quiet, 2*time.Hour)
	return s
}

// nowRow returns the selector of the row of a session by the end of its title.
func nowRow(title string) string { return `.now-row[data-title="` + title + `"]` }

func openNow(p *harness.Page, server *harness.Server) {
	p.Open(server.URL + "/now")
	waitForLive(p)
	p.WaitUntil(`document.querySelectorAll(".now-row").length === 5`)
}

func TestNow(t *testing.T) {
	box := harness.NewSessionDir(t)
	writeActiveSessions(box)
	server := harness.StartServer(t, box.Dir)
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		look := path.Base(t.Name())
		p.AddInitScript(`Object.defineProperty(Notification, "permission", {value: "default"})`) // without a window it is "denied"
		p.Open(server.URL)
		waitForLive(p)
		p.Click(`.site-nav a[href="/now"]`)
		waitForLive(p)
		p.WaitUntil(`document.querySelectorAll(".now-row").length === 5`)
		p.WaitForText("#now-waits "+nowRow("Asks first"), "Where should the key live?")
		p.WaitForText("#now-waits "+nowRow("Asks first"), "Recorded question")
		p.WaitForText("#now-waits "+nowRow("Likely asks"), "Likely: the last message ends with a question")
		p.WaitForText("#now-working "+nowRow("Runs a tool"), "npm run build")
		p.WaitForText("#now-finished "+nowRow("Is done"), "All checks pass.")
		p.WaitForText("#now-quiet "+nowRow("Is quiet"), "It is a tree.")
		p.WaitUntil(`document.title === "(2) Now" && document.getElementById("favicon").href.startsWith("data:image/svg")`)
		p.WaitUntil(`document.documentElement.scrollWidth <= innerWidth`)
		p.CheckAccessibility("now")
		p.SaveScreenshot("now-" + strings.ReplaceAll(look, " ", "-"))
		p.Click("#notifications summary")
		p.WaitForText(".now-notify", "Nothing leaves this computer")
		p.CheckAccessibility("now with the notifications")
		p.Click(`[data-notify="sound"]`)
		p.WaitUntil(`localStorage.getItem("notify-sound") === "on"`)
		p.Click("#notifications summary")
		p.Click("#now-rules summary")
		p.WaitForText("#now-rules", "pi runs tools without asking")
		p.CheckAccessibility("now with the rules")
		p.Click(nowRow("Is done") + " .now-link")
		p.WaitForText("#path", "All checks pass.")
	})
}

// The arrow keys and letters move between sessions, N turns on the bell, G and a letter goes
// to a group.
func TestNow_Keyboard(t *testing.T) {
	box := harness.NewSessionDir(t)
	writeActiveSessions(box)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	openNow(p, server)
	focused := func(title string) {
		p.WaitUntil(`document.activeElement.closest(".now-row")?.dataset.title === "` + title + `"`)
	}
	p.PressKey("j")
	focused("Asks first")
	p.PressKey(harness.Down)
	focused("Likely asks")
	p.PressKey("k")
	focused("Asks first")
	p.PressKey("n")
	p.WaitForElement(nowRow("Asks first") + ` [aria-pressed="true"]`)
	p.WaitUntil(`JSON.parse(localStorage.getItem("notify-sessions")).length === 1`)
	p.PressKey("g")
	p.PressKey("f")
	focused("Is done")
	p.PressKey("g")
	p.PressKey("k")
	focused("Runs a tool")
	p.PressKey(harness.Enter)
	p.WaitForText("#path", "npm run build")
	p.WaitUntil(`/^\d+:\d\d$/.test(document.querySelector("#path .running .elapsed").textContent)`)
	p.Open(server.URL + "/now")
	waitForLive(p)
	p.WaitForElement(nowRow("Asks first") + ` [aria-pressed="true"]`)
}

// The clock of a tool counts on. A session that finishes moves, is announced and notified.
func TestNow_Live(t *testing.T) {
	box := harness.NewSessionDir(t)
	s := writeActiveSessions(box)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(`
		window.notified = [];
		window.Notification = class { static permission = "granted"; static requestPermission() { return Promise.resolve("granted"); } constructor(title) { window.notified.push(title); } };
		localStorage.setItem("notify-waits", "on");
		localStorage.setItem("notify-finishes", "on");`)
	openNow(p, server)
	clock := `document.querySelector(".now-clock").textContent`
	before := harness.EvalScript[string](p, clock)
	p.WaitUntil(clock + ` !== "` + before + `"`)
	p.RunScript(`new MutationObserver(() => { window.said = (window.said ?? "") + document.getElementById("say").textContent; }).observe(document.getElementById("say"), { childList: true, subtree: true, characterData: true });`)

	s.running.AddResult("built")
	box.AppendFile(s.runningPath, s.running.LastLines(1))
	p.WaitForText("#now-working "+nowRow("Runs a tool"), "Thinking")
	s.running.AddReply("It is built.\nShall I publish it?")
	box.AppendFile(s.runningPath, s.running.LastLines(1))
	p.WaitForText("#now-waits "+nowRow("Runs a tool"), "Shall I publish it?")
	p.WaitUntil(`document.title === "(3) Now"`)
	p.WaitForText("#now-counts", "3 wait for you")
	p.WaitUntil(`(window.said ?? "").includes("Runs a tool: waits for you")`)
	p.WaitUntil(`window.notified.join() === "Runs a tool: waits for you"`)

	// Rows stay where they are while the focus is among them.
	p.RunScript(`document.querySelector('` + nowRow("Is done") + ` .now-link').focus()`)
	s.running.AddPrompt("Yes")
	s.running.AddReply("Published.")
	box.AppendFile(s.runningPath, s.running.LastLines(2))
	p.WaitForText("#now-pending", "Show 1 change")
	p.WaitForElement("#now-waits " + nowRow("Runs a tool"))
	p.Click("#now-pending")
	p.WaitForText("#now-finished "+nowRow("Runs a tool"), "Published.")
	p.WaitUntil(`window.notified.includes("Runs a tool: has finished")`)
}

func TestNow_WithoutScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	writeActiveSessions(box)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	harness.Until(t, "the page", func() bool { p.Open(server.URL + "/now"); return p.CountElements(".now-row") == 5 })
	if shown := harness.EvalScript[int](p, `[...document.querySelectorAll(".needs-js")].filter(e => e.checkVisibility()).length`); shown > 0 {
		t.Errorf("%d controls that need script are shown", shown)
	}
	p.Click("#chip-pi")
	waitForURL(p, "agent=pi")
	p.Click(nowRow("Likely asks") + " .now-link")
	p.WaitForText("#path", "Should it keep the fork in place?")
}
