//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// The map next to the path marks the part of the path on the screen. Dragging the mark
// scrolls the path, also to parts that are not loaded. Labels and branches lead to the path.
func TestMapPanel(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-map-panel", 400)
	start := f.AddReply("It began here.")
	leaf := f.AddPrompt("And again")
	f.AddLabel(leaf, "again")
	f.BranchFrom(start)
	side := f.AddPrompt("Another way")
	f.AddReply("It is shorter.")
	f.BranchFrom(leaf)
	f.AddBashCall("", "false", "exit 1", true)
	for range 40 {
		f.AddReply("And so on.")
	}
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(box.WriteSession(f))
	for _, look := range themes() {
		p := newPageWithLook(t, "desktop", look)
		p.Open(url)
		waitForLive(p)
		p.Click(`.topbar a[aria-label="Map"]`)
		p.WaitUntil(`document.querySelectorAll("#map-panel .map-branch").length === 1`)
		place := `new DOMMatrix(getComputedStyle(document.getElementById("map-window")).transform).f`
		p.WaitUntil(place + ` > 600`)
		p.CheckAccessibility("map next to the path")
		p.SaveScreenshot("map-panel-" + look)

		t.Log("the window to the top, where the path is not loaded")
		p.Drag("#map-window", 0, -800)
		p.WaitForText("#path .entry--user", "Question 1 of")
		p.WaitUntil(place + ` < 40`)
		p.RunScript(`document.getElementById("map-window").focus()`)
		p.PressKey(harness.End)
		p.WaitUntil(place + ` > 600`)

		t.Log("a branch")
		p.RunScript(`document.querySelector("#map-panel .map-branch").focus()`)
		p.PressKey(harness.Enter)
		p.WaitForElement(pathItemSelector(side))
		p.WaitUntil(`document.querySelector("#map-panel .map-line--branch .is-viewed")`)

		t.Log("the other axis, and one panel at a time")
		p.Click(`#map-panel a[data-map-axis]:not([aria-current])`)
		p.WaitUntil(`document.querySelector("#map-panel a[aria-current]").textContent === "Time"`)
		p.PressKey("i")
		p.WaitUntil(`document.getElementById("map-panel").hidden && !document.getElementById("context").hidden`)
		p.PressKey("m")
		p.WaitUntil(`!document.getElementById("map-panel").hidden && document.getElementById("context").hidden`)
		p.PressKey(harness.Escape)
		p.WaitUntil(`document.getElementById("map-panel").hidden`)
		p.Close()
	}
}
