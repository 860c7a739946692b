package harness

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"

	"sessiontree/internal/sampletest"
)

// axeScript finishes all animations, because their colors are mixed, and runs axe-core with more
// options.
const axeScript = `document.getAnimations().forEach((a) => { try { a.finish() } catch { /* it has no end */ } }), axe.run(document, {resultTypes: ["violations"], %s}).then(r => r.violations.map(v =>
  v.id + " (" + v.impact + "): " + v.help + "\n" + v.nodes.slice(0, 4).map(n => "    " + n.target.join(" ") + "\n      " +
  n.failureSummary.replaceAll("\n", "\n      ")).join("\n")))`

// CheckAccessibility fails the test for each violation that axe-core finds on the page. In the theme
// that the page does not have, it checks the contrast of colors only, since nothing else differs, and
// that only in CI, since it takes as long as all other rules.
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
	if sampletest.InCI() {
		p.reportContrast(what, otherTheme(p.theme))
	}
	if n := EvalScript[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, "main *")); n == 0 {
		p.t.Errorf("%s: an empty page was checked", what)
	}
}

// reportContrast fails the test for colors without enough contrast in a theme.
func (p *Page) reportContrast(what, theme string) {
	p.t.Helper()
	p.emulatePreferences(theme)
	p.reportViolations(what+" in the "+theme+" theme", `runOnly: ["color-contrast"]`)
	p.emulatePreferences(p.theme)
}

// reportViolations fails the test for each violation that axe-core finds with more options.
func (p *Page) reportViolations(what, options string) {
	p.t.Helper()
	for _, v := range EvalScript[[]string](p, fmt.Sprintf(axeScript, options)) {
		p.t.Errorf("%s: %s", what, v)
	}
}
