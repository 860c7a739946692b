//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// On a tablet and a phone the pages of a hub can be used, too: everything can be touched, and sessions
// can be deleted.
func TestHub_Touch(t *testing.T) {
	h := newHubTeam(t)
	h.addDevice(h.admin)
	harness.RunCommand(t, h.laptop, "push", "--project", "/home/dev/project")
	for _, look := range touchLooks {
		look.emulate(h.admin)
		for name, path := range hubPages {
			h.admin.Open(h.hub.URL + path)
			h.admin.WaitForElement("main")
			checkTargets(t, h.admin, look.name+" "+name)
			checkWidthIn(t, h.admin, look.name+" "+name, look.width)
			h.admin.SaveScreenshot(look.name + "-" + name)
		}
		h.admin.Open(h.hub.URL)
		h.admin.WaitUntil(`document.querySelector(".team-delete a").checkVisibility({ opacityProperty: true })`)
	}
	h.admin.Click(".team-delete a")
	h.admin.WaitForText("main", "Delete this session from the hub?")
	h.admin.Click(".btn--danger")
	h.admin.WaitForText("#team", "No sessions yet")
}
