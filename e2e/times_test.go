//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// The server writes the same times as the script: they do not change when the page has loaded, and
// browsers without script show them too.
func TestTimes(t *testing.T) {
	box := harness.NewSessionDir(t)
	writeDatedSessions(box)
	forked := box.WriteSession(newForkedSession().File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	check := func(address string, atLeast int) {
		p.Open(address)
		p.WaitForElement("html[data-ready]")
		// An age may change between the two.
		harness.Until(t, "the times of the server on "+address, func() bool {
			return harness.EvalScript[bool](p, fmt.Sprintf(`fetch(location.href).then(r => r.text()).then(text => {
				const times = d => [...d.querySelectorAll("time[data-time-format]")].map(e => e.dataset.timeFormat + e.dateTime + e.textContent)
				const shown = times(document), sent = times(new DOMParser().parseFromString(text, "text/html"))
				return sent.length >= %d && sent.every(t => shown.includes(t))
			})`, atLeast))
		})
	}
	check(server.URL, 9)
	p.WaitForText("#sessions .age", "13mo")
	sessions := harness.EvalScript[[]string](p, `[...document.querySelectorAll("#sessions a[href^='/sessions/']")].map(a => a.href)`)
	for _, address := range sessions { // one of them is empty
		check(address, 0)
	}
	check(server.SessionURL(forked), 10)
	check(server.SessionURL(forked)+"/branches", 3)
}
