//go:build e2e

package e2e

import (
	"os"
	"testing"

	"sessiontree/e2e/harness"
)

// A search of a hub says in how many old sessions it did not read the output of tools, and a button
// searches that too.
func TestHub_SearchOldSessions(t *testing.T) {
	h := newHubTeam(t)
	h.addDevice(h.admin)
	h.f.AddBashCall("", "ls", "an orchard", false)
	h.append(h.f.LastLines(2))
	if err := os.Chtimes(h.path, harness.SessionStart, harness.SessionStart); err != nil {
		t.Fatal(err)
	}
	harness.RunCommand(t, h.laptop, "push", "--project", "/home/dev/project")
	p := h.admin
	p.Open(h.hub.URL)
	p.WaitForElement(".team-row")
	p.Open(h.hub.URL + "/search?q=question")
	p.WaitForText("#result-tail", "In 1 old session only prompts, answers and labels were searched.")
	p.CheckAccessibility("hits of an old session")
	p.SaveScreenshot("hub-search-hits")
	p.Open(h.hub.URL + "/search?q=orchard")
	p.WaitForText("#search-message", "In 1 old session only prompts, answers and labels were searched.")
	p.CheckAccessibility("no hits without old sessions")
	p.SaveScreenshot("hub-search-none")
	p.Click("[data-all]")
	p.WaitForText("#result-list", "an orchard")
	p.Open(p.Location())
	p.WaitForText("#result-list", "an orchard")
	p.GoBack()
	p.WaitForText("#search-message", "In 1 old session")
	p.Open(h.hub.URL + "/team/settings")
	p.RunScript(`document.querySelector("[name=search]").value = "0"`)
	p.Click(`[aria-label="Save the rules of project"]`)
	p.WaitForElement(`[name=search] option[value="0"][selected]`)
	p.SaveScreenshot("hub-settings")
	p.CheckAccessibility("rules of a project")
	p.Open(h.hub.URL + "/search?q=orchard")
	p.WaitForText("#result-list", "an orchard")
}
