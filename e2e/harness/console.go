package harness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"
)

// autofocusNotice matches Chromium's message about a field that was focused before the
// one with autofocus.
var autofocusNotice = regexp.MustCompile("Autofocus processing was blocked because a document already has a focused element")

// consoleEndMarker is the text of the console message that flushConsole writes.
const consoleEndMarker = "end of the test's console"

// endConsole waits until all console messages and exceptions of the page have arrived,
// so that those of the last moment are checked too. They arrive in order. Later ones are not checked.
func (p *Page) endConsole() { p.endConsoleOnce.Do(p.flushConsole) }

func (p *Page) flushConsole() {
	ctx, cancel := p.callContext()
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf("console.debug(%q)", consoleEndMarker))); err != nil {
		return // the tab is closed or crashed
	}
	select {
	case <-p.consoleEnd:
	case <-ctx.Done():
		p.t.Errorf("console: the messages before the end of the test did not arrive")
	}
}

func (p *Page) addConsoleLine(m chromedp.ConsoleMessage) {
	if m.Text == consoleEndMarker {
		close(p.consoleEnd)
		return
	}
	line := strings.TrimSpace(fmt.Sprintf("%s %s: %s (%s:%d)", m.Source, m.Type, m.Text, m.URL, m.Line+1))
	p.timeline.addLine("console  %s", line)
	select {
	case <-p.consoleEnd:
		return
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.console = append(p.console, line)
}

// AllowConsole permits console lines that match, such as failed requests while the server
// is stopped.
func (p *Page) AllowConsole(pattern string) {
	p.allowed = append(p.allowed, regexp.MustCompile(pattern))
}

func (p *Page) checkConsole() {
	for _, line := range p.unexpectedConsole() {
		p.t.Errorf("console: %s", line)
	}
}

// WorkerNotFetched matches what Chromium logs if a test stops the server while the browser
// fetches the script of the service worker.
const WorkerNotFetched = `An unknown error occurred when fetching the script`

// unexpectedConsole returns the console lines that are not permitted.
func (p *Page) unexpectedConsole() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.console), func(line string) bool {
		return slices.ContainsFunc(p.allowed, func(e *regexp.Regexp) bool { return e.MatchString(line) })
	})
}

func (p *Page) consoleLines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.console)
}
