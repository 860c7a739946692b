package harness

import (
	"context"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// Page is one tab. Console messages, uncaught exceptions and content policy reports fail
// the test unless AllowConsole permits them. For a failed test a screenshot, the elements
// and the timeline of each page are saved.
type Page struct {
	name           string // page-N of its test
	scriptDisabled bool   // script is disabled
	t              T
	ctx            context.Context
	timeline       *timeline
	mu             sync.Mutex
	theme, motion  string // emulated preferences, empty as in the browser
	console        []string
	allowed        []*regexp.Regexp
	consoleEnd     chan struct{} // closed when the last console message has arrived
	endConsoleOnce sync.Once
	closeOnce      sync.Once
	stop           func()
}

// NewPage opens a tab of 1440 by 900 points.
func (v *Profile) NewPage() *Page {
	v.t.Helper()
	ctx, stop := v.newTab()
	p := &Page{name: artifactName(v.t, "page"), t: v.t, ctx: ctx, timeline: newTimeline(), allowed: []*regexp.Regexp{autofocusNotice}, consoleEnd: make(chan struct{})}
	// Open the tab with ctx and not with a context that has a deadline, because the tab
	// is closed at the deadline.
	slow := time.AfterFunc(Patience, stop)
	console := chromedp.Console(ctx)
	err := chromedp.Listen(ctx, p.timeline.addEvent)
	slow.Stop()
	if err != nil {
		stop()
		v.t.Fatalf("open a tab: %v", err)
	}
	listening := make(chan struct{})
	go func() {
		defer close(listening)
		for m, err := range console {
			if err != nil {
				return // the tab is closed
			}
			p.addConsoleLine(m)
		}
	}()
	p.stop = func() {
		openPages.remove(v.t, p)
		p.endConsole()
		p.savePageState()
		stop()
		<-listening
		p.checkConsole()
	}
	v.t.Cleanup(p.saveTimeline) // also for a tab that the test closed
	v.t.Cleanup(p.Close)
	openPages.add(v.t, p)
	p.SetWindowSize(1440, 900)
	p.addRandomDelay()
	return p
}

// Close closes the tab and checks its console. The end of the test does it too.
func (p *Page) Close() { p.closeOnce.Do(p.stop) }

// callContext returns the context for one call of the browser.
func (p *Page) callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, Patience)
}

// RunActions runs browser actions.
func (p *Page) RunActions(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	p.callBrowser(func(ctx context.Context) error { return chromedp.Do(ctx, steps...) })
}

func (p *Page) callBrowser(f func(context.Context) error) {
	p.t.Helper()
	ctx, cancel := p.callContext()
	defer cancel()
	if err := f(ctx); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// Open loads an address and waits until its script has started.
func (p *Page) Open(url string) {
	p.t.Helper()
	p.timeline.addLine("test     open %s", url)
	p.RunActions(chromedp.Navigate(url))
	if !p.scriptDisabled {
		p.WaitUntil(`document.documentElement.dataset.ready !== undefined || !document.getElementById("boot")`)
	}
}

// Traffic returns how many requests the page has sent, sockets included, and how many bytes it has
// received for them.
func (p *Page) Traffic() (requests, bytes int) { return p.timeline.traffic() }

// GoBack goes back in the history, after the browser has reported that the script has run: a report
// from a page that is left already is an error.
func (p *Page) GoBack() {
	p.t.Helper()
	p.RunScript(`setTimeout(() => history.back())`)
}

// RunScript runs a script for its effect.
func (p *Page) RunScript(script string) {
	p.t.Helper()
	p.timeline.addLine("test     run %s", script)
	p.RunActions(chromedp.Evaluate[chromedp.Void](script))
}

// EvalScript returns the value of an expression and awaits promises.
func EvalScript[V any](p *Page, expression string) V {
	p.t.Helper()
	ctx, cancel := p.callContext()
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[V](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("eval %s: %v", truncateLine(expression), err)
	}
	return v
}

// WaitUntil waits until an expression is true, across navigations. It polls from outside
// the page, which also works without script and in background tabs.
func (p *Page) WaitUntil(expression string) {
	p.t.Helper()
	p.timeline.addLine("test     wait for %s", expression)
	ctx, cancel := p.callContext()
	defer cancel()
	err := p.retryUntil(ctx, func() (bool, error) {
		return chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
	})
	if err != nil {
		p.t.Fatalf("waited for %s: %v\nat %s\nconsole %q", truncateLine(expression), err, p.Location(), p.consoleLines())
	}
}

// retryUntil calls try until it returns true or ctx ends. It retries after errors,
// because the page may be navigating.
func (p *Page) retryUntil(ctx context.Context, try func() (bool, error)) error {
	var last error
	done := pollUntil(ctx, func() bool {
		ok, err := try()
		if ctx.Err() == nil {
			last = err
		}
		return ok
	})
	switch {
	case done:
		return nil
	case p.ctx.Err() != nil:
		return fmt.Errorf("the tab is closed: %w", p.ctx.Err())
	case last != nil:
		return fmt.Errorf("not within %v: %w", Patience, last)
	}
	return fmt.Errorf("not within %v", Patience)
}

// Location returns the address of the page.
func (p *Page) Location() string {
	ctx, cancel := p.callContext()
	defer cancel()
	where, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href`))
	if err != nil {
		return err.Error()
	}
	return where
}

// Text returns the visible text of the first element that matches.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return EvalScript[string](p, fmt.Sprintf(`(document.querySelector(%q) ?? {innerText: ""}).innerText.trim()`, selector))
}

// CountElements returns the number of elements that match.
func (p *Page) CountElements(selector string) int {
	p.t.Helper()
	return EvalScript[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// WaitForElement waits for an element that matches.
func (p *Page) WaitForElement(selector string) {
	p.t.Helper()
	p.WaitUntil(fmt.Sprintf(`document.querySelector(%q)`, selector))
}

// WaitForNone waits until no element matches.
func (p *Page) WaitForNone(selector string) {
	p.t.Helper()
	p.WaitUntil(fmt.Sprintf(`!document.querySelector(%q)`, selector))
}

// WaitForText waits until the text of a matching element contains the words.
func (p *Page) WaitForText(selector, words string) {
	p.t.Helper()
	p.WaitUntil(fmt.Sprintf(`[...document.querySelectorAll(%q)].some(e => e.innerText.includes(%q))`, selector, words))
}

func truncateLine(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
