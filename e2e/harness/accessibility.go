package harness

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
)

// axeScript finishes all animations, because their colors are mixed, and runs axe-core with more
// options.
const axeScript = `document.getAnimations().forEach((a) => { try { a.finish() } catch { /* it has no end */ } }), axe.run(document, {resultTypes: ["violations"], %s}).then(r => r.violations.map(v =>
  v.id + " (" + v.impact + "): " + v.help + "\n" + v.nodes.slice(0, 4).map(n => "    " + n.target.join(" ") + "\n      " +
  n.failureSummary.replaceAll("\n", "\n      ")).join("\n")))`

// CheckAccessibility fails the test for each violation that axe-core finds on the page. In the theme
// that the page does not have, it checks the contrast of colors only, since nothing else differs.
func (p *Page) CheckAccessibility(what string) {
	p.t.Helper()
	source, err := os.ReadFile(filepath.Join(SourceRoot(p.t), "e2e", "testdata", "axe", "axe.min.js"))
	if err != nil {
		p.t.Fatalf("%v", err)
	}
	if !EvalScript[bool](p, `typeof axe !== "undefined"`) {
		p.RunActions(chromedp.Evaluate[chromedp.Void](string(source) + ";0"))
	}
	p.AllowConsole("Content Security Policy.*eval|unsafe-eval") // axe tries it
	p.reportViolations(what, "")
	other := otherTheme(p.theme)
	p.emulatePreferences(other)
	p.reportViolations(what+" in the "+other+" theme", `runOnly: ["color-contrast"]`)
	p.emulatePreferences(p.theme)
	if n := EvalScript[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, "main *")); n == 0 {
		p.t.Errorf("%s: an empty page was checked", what)
	}
}

// reportViolations fails the test for each violation that axe-core finds with more options.
func (p *Page) reportViolations(what, options string) {
	p.t.Helper()
	for _, v := range EvalScript[[]string](p, fmt.Sprintf(axeScript, options)) {
		p.t.Errorf("%s: %s", what, v)
	}
}
