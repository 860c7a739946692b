//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

var (
	signInPattern  = regexp.MustCompile(`http\S+/signin\?code=\S+`)
	commandPattern = regexp.MustCompile(`explorer (push --hub \S+ --code \S+)`)
)

// hubPages are the pages of a hub besides those of explorers, by the names of their screenshots.
var hubPages = map[string]string{"team": "/", "team-device": "/team/device", "team-settings": "/team/settings", "team-audit": "/team/audit"}

// hubTeam is a hub with an admin who has signed in and a laptop with a session.
type hubTeam struct {
	t      *testing.T
	hub    *harness.Server
	admin  *harness.Page
	laptop string // home
	path   string // of the session
	f      *transcript.File
}

func newHubTeam(t *testing.T) *hubTeam {
	t.Helper()
	hub := harness.StartHub(t, "--store", filepath.Join(t.TempDir(), "store"))
	harness.Until(t, "the link of the first admin", func() bool { return signInPattern.MatchString(hub.Output()) })
	h := &hubTeam{t: t, hub: hub, laptop: t.TempDir(), f: longSession("hub-session", 3)}
	h.admin = h.signIn(signInPattern.FindString(hub.Output()))
	dir := filepath.Join(h.laptop, ".pi", "agent", "sessions", "--home-dev-project--")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	h.path = filepath.Join(dir, h.f.FileName(harness.SessionStart))
	if err := os.WriteFile(h.path, h.f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return h
}

// signIn opens a link in a browser of its own and presses its button.
func (h *hubTeam) signIn(link string) *harness.Page {
	h.t.Helper()
	p := sharedBrowser(h.t).NewPage(h.t)
	p.Open(link)
	p.CheckAccessibility("signing in")
	p.Click(`form[action="/signin"] button`)
	p.WaitForElement("#team")
	return p
}

// addDevice adds the laptop for a person and waits until the page says so.
func (h *hubTeam) addDevice(p *harness.Page) {
	h.t.Helper()
	p.Open(h.hub.URL + "/team/device")
	p.CheckAccessibility("adding a device")
	p.RunScript(`document.querySelector("#new-projects").value = "project"`)
	p.Click(`form[action="/team/device"] button[type="submit"]`)
	p.WaitForText("#device-status", "Waiting for the device")
	p.CheckAccessibility("waiting for a device")
	command := commandPattern.FindStringSubmatch(p.Text(".team-copy code"))
	if command == nil {
		h.t.Fatalf("the page has no command but %q", p.Text(".team-copy code"))
	}
	harness.RunCommand(h.t, h.laptop, append(strings.Fields(command[1]), "--name", "mara-laptop")...)
	p.WaitForText("#device-status", "mara-laptop was added")
}

func (h *hubTeam) append(lines []byte) {
	h.t.Helper()
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(lines)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		h.t.Fatal(err)
	}
}

// A device is added, pushes a session and then what the agent writes, and its owner sees it
// live. Others see it only while it is shared, and that they read it is on record.
func TestHub(t *testing.T) {
	h := newHubTeam(t)
	h.addDevice(h.admin)
	h.admin.Open(h.hub.URL)
	h.admin.WaitForText("#team", "No sessions yet")
	harness.StartCommand(t, h.laptop, "push", "--watch", "--project", "/home/dev/project")
	h.admin.WaitForText("#team", "Question 1 of a long session") // live
	h.admin.CheckAccessibility("the sessions of the team")
	h.admin.Click(".team-name")
	h.admin.WaitForText("#path", "Answer 3.")
	waitForLive(h.admin)
	next := h.f.AddPrompt("Pushed while it is viewed")
	h.append(h.f.LastLines(1))
	h.admin.WaitForElement(pathItemSelector(next))

	h.admin.Open(h.hub.URL + "/team/settings")
	h.admin.CheckAccessibility("people and projects")
	h.admin.RunScript(`document.querySelector(".team-invite [name=name]").value = "Jonas Okafor"`)
	h.admin.Click(".team-invite button")
	h.admin.WaitForText(".team-copy", "/signin?code=")
	jonas := h.signIn(h.admin.Text(".team-copy code"))
	jonas.WaitForText("#team", "No sessions yet")

	h.admin.Open(h.hub.URL)
	h.admin.Click(".visibility--private")
	jonas.WaitForText("#team", "Question 1 of a long session")
	jonas.WaitForText(".team-row", "Team")
	jonas.Click(".team-name")
	jonas.WaitForText("#path", "Answer 3.")
	session := jonas.Location()
	waitForLive(jonas)
	h.admin.Open(session)
	waitForLive(h.admin)
	focusRow(h.admin, next)
	h.admin.PressKey("L", harness.Shift)
	h.admin.WaitForText("#change[open]", "Visible to everyone")
	h.admin.CheckAccessibility("labeling on a hub")
	h.admin.TypeText("for Jonas")
	h.admin.PressKey(harness.Enter)
	h.admin.WaitForText(rowSelector(next)+" .chip", "for Jonas")
	jonas.WaitForText(rowSelector(next)+" .chip", "for Jonas") // live
	h.admin.Open(h.hub.URL + "/team/audit")
	h.admin.WaitForText("main", "Jonas read Question 1 of a long session")
	h.admin.CheckAccessibility("the audit")

	h.admin.Open(h.hub.URL)
	h.admin.Click(".visibility--team")
	h.admin.WaitForElement(".visibility--private")
	jonas.AllowConsole("404")
	jonas.AllowConsole("WebSocket")
	jonas.Open(session)
	jonas.WaitForText("main", "Not found")
	jonas.Open(h.hub.URL)
	jonas.WaitForText("#team", "No sessions yet")
}

// Screenshots of the pages of a hub.
func TestHubScreenshots(t *testing.T) {
	skipUnlessShots(t)
	h := newHubTeam(t)
	h.addDevice(h.admin)
	harness.RunCommand(t, h.laptop, "push", "--project", "/home/dev/project")
	for _, size := range []string{"desktop", "phone"} {
		for _, theme := range []string{"light", "dark"} {
			if size == "phone" {
				h.admin.EmulatePhone()
			}
			h.admin.EmulateTheme(theme)
			for name, path := range hubPages {
				h.admin.Open(h.hub.URL + path)
				h.admin.SaveScreenshot(name + "-" + size + "-" + theme)
			}
		}
	}
}
