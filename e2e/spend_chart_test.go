//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// Left and Right move between the bars of the chart, whose names have their values, and Enter
// opens one.
func TestSpend_chartKeys(t *testing.T) {
	_, p := startSpend(t)
	p.RunScript(`document.querySelector('.plot .day[tabindex="0"]').focus()`)
	bar := func(fromEnd int) string {
		return `document.activeElement === [...document.querySelectorAll(".plot .day")].at(` + map[int]string{0: "0", 1: "-1", 2: "-2", 3: "-3"}[fromEnd] + `)`
	}
	p.WaitUntil(bar(1))
	p.PressKey(harness.Right)
	p.PressKey(harness.Left)
	p.WaitUntil(bar(2))
	p.PressKey(harness.Left)
	p.WaitUntil(bar(3))
	p.WaitUntil(`document.querySelectorAll('.plot .day[tabindex="0"]').length === 1 && document.activeElement.tabIndex === 0`)
	p.WaitUntil(`document.querySelector(".plot-value").textContent === document.activeElement.getAttribute("aria-label") && document.activeElement.getAttribute("aria-label").includes(": $")`)
	p.SaveScreenshot("spend-chart-keys")
	p.PressKey(harness.Home)
	p.WaitUntil(bar(0))
	p.PressKey(harness.End)
	p.WaitUntil(bar(1))
	p.PressKey(harness.Enter)
	waitForURL(p, "after=")
}
