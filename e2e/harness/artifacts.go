package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"
)

// artifacts are the files that are saved for a failed test.
type artifacts struct {
	dir    string         // "" before the first file
	counts map[string]int // number of pages and servers of the test
}

var (
	artifactsMu     sync.Mutex
	artifactsByTest = map[T]*artifacts{}
)

// artifactName returns kind-N for the Nth page or server of a test.
func artifactName(t T, kind string) string {
	artifactsMu.Lock()
	defer artifactsMu.Unlock()
	a := artifactsByTest[t]
	if a == nil {
		a = &artifacts{counts: map[string]int{}}
		artifactsByTest[t] = a
	}
	a.counts[kind]++
	return fmt.Sprintf("%s-%d", kind, a.counts[kind])
}

// saveArtifact saves a file of a failed test. The first one replaces the directory of an
// earlier run and logs its path.
func saveArtifact(t T, file string, data []byte) {
	t.Helper()
	artifactsMu.Lock()
	defer artifactsMu.Unlock()
	a := artifactsByTest[t]
	if a.dir == "" {
		dir := artifactDir(t)
		if err := os.RemoveAll(dir); err != nil {
			t.Logf("artifacts: %v", err)
		}
		a.dir = dir
		t.Logf("screenshots, console and server log are kept in %s", dir)
	}
	err := os.MkdirAll(a.dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(a.dir, file), data, 0o644)
	}
	if err != nil {
		t.Logf("artifacts: %v", err)
	}
}

// artifactDir returns the directory of a test below FAILURES, or below e2e/failures.
func artifactDir(t T) string {
	t.Helper()
	dir := os.Getenv("FAILURES")
	if dir == "" {
		dir = filepath.Join(SourceRoot(t), "e2e", "failures")
	}
	return filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "."))
}

// pageStateScript describes what a screenshot does not show.
const pageStateScript = `[location.href, document.title, document.readyState, "focus " + (document.activeElement?.cloneNode().outerHTML ?? "none"),
	"value " + JSON.stringify(document.activeElement?.value ?? null)].join(", ")`

// savePageState saves the appearance of the page if the test has failed or will fail.
func (p *Page) savePageState() {
	p.t.Helper()
	if !p.t.Failed() && len(p.unexpectedConsole()) == 0 || p.ctx.Err() != nil {
		return
	}
	ctx, cancel := p.callContext()
	defer cancel()
	if words, err := chromedp.Run(ctx, chromedp.Evaluate[string](pageStateScript)); err == nil {
		p.timeline.addLine("state    %s", words)
	}
	png, err := p.screenshot()
	if err == nil {
		saveArtifact(p.t, p.name+".png", png)
	}
	html, err2 := chromedp.Run(ctx, chromedp.Evaluate[string](`document.documentElement.outerHTML`))
	if err2 == nil {
		saveArtifact(p.t, p.name+".html", []byte(html))
	}
	if err := errors.Join(err, err2); err != nil {
		p.t.Logf("%s shows nothing: %v", p.name, err)
	}
}

// saveTimeline saves the events of the page if the test has failed.
func (p *Page) saveTimeline() {
	if p.t.Failed() {
		saveArtifact(p.t, p.name+".log", []byte(p.timeline.String()))
	}
}
