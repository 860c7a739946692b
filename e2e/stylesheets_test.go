//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// stylesWithoutMotion prevents transitions, which would be seen halfway.
const stylesWithoutMotion = `(() => {
	const sheet = new CSSStyleSheet()
	sheet.replaceSync("*, ::before, ::after { animation: none !important; transition: none !important }")
	document.adoptedStyleSheets = [sheet]
})()`

// A page has all rules of the stylesheets for what it shows at first, on every size of screen.
func TestStylesheets_Complete(t *testing.T) {
	skipOutsideCI(t)
	server := harness.StartServer(t, "--demo")
	sizes := map[string]func(*harness.Page){
		"desktop": func(p *harness.Page) { p.SetWindowSize(1440, 900) },
		"phone":   (*harness.Page).EmulatePhone,
	}
	for size, emulate := range sizes {
		p := sharedBrowser(t).NewPage(t)
		emulate(p)
		p.Open(server.URL + "/")
		p.WaitForElement("a.session-link")
		// The first session of each agent, and those that work or wait.
		addresses := harness.EvalScript[[]string](p, `[...new Map([...document.querySelectorAll(".session-row")].filter(row => row.querySelector("a.session-link"))
			.map(row => [(row.querySelector(".session-agent")?.textContent ?? "") + (row.querySelector(".tag")?.textContent ?? ""), row.querySelector("a.session-link").href])).values()].slice(0, 4)`)
		for _, address := range append(addresses, server.URL+"/", server.URL+"/?group=date", server.URL+"/?q=zzyzx") {
			p.Open(address)
			p.WaitUntil(`document.readyState === "complete"`)
			p.RunScript(stylesWithoutMotion)
			checkStyles(t, p, size+", "+p.Location())
		}
		p.Close()
	}
}
