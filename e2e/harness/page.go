package harness

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// Page is one tab. Whatever the page writes to its console, an exception nobody
// caught and every report of a broken content policy fail the test, unless
// Expect allows it. Of a test that fails a screenshot, the elements and the
// timeline of each page are kept.
type Page struct {
	name     string // page-N of its test
	plain    bool   // script is off
	t        T
	ctx      context.Context
	timeline *timeline
	mu       sync.Mutex
	said     []string
	expect   []*regexp.Regexp
	close    sync.Once
	stop     func()
}

// hasty is what Chromium reports, as information, when a field of the page was
// pressed before the one with autofocus got the focus.
var hasty = regexp.MustCompile("Autofocus processing was blocked because a document already has a focused element")

// Page opens a tab of 1440 by 900 points.
func (v *Visit) Page() *Page {
	v.t.Helper()
	ctx, stop := v.context()
	p := &Page{name: artifactName(v.t, "page"), t: v.t, ctx: ctx, timeline: newTimeline(), expect: []*regexp.Regexp{hasty}}
	// The tab itself is opened with ctx and not with a context that has a deadline:
	// it would be closed at the deadline.
	slow := time.AfterFunc(Patience, stop)
	console := chromedp.Console(ctx)
	err := chromedp.Listen(ctx, p.timeline.listen)
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
			p.hear(m)
		}
	}()
	p.stop = func() {
		p.keepState()
		stop()
		<-listening
		p.check()
	}
	v.t.Cleanup(p.keepTimeline) // also of a tab that the test closed
	v.t.Cleanup(p.Close)
	p.Size(1440, 900)
	p.slowDown()
	return p
}

// Close closes the tab and checks what it said; the end of the test does it too.
func (p *Page) Close() { p.close.Do(p.stop) }

func (p *Page) hear(m chromedp.ConsoleMessage) {
	line := strings.TrimSpace(fmt.Sprintf("%s %s: %s (%s:%d)", m.Source, m.Type, m.Text, m.URL, m.Line+1))
	p.timeline.add("console  %s", line)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, line)
}

// Expect allows console lines that match, such as failed requests while the
// server is away.
func (p *Page) Expect(pattern string) { p.expect = append(p.expect, regexp.MustCompile(pattern)) }

func (p *Page) check() {
	for _, line := range p.unexpected() {
		p.t.Errorf("console: %s", line)
	}
}

// unexpected returns the console lines that Expect does not allow.
func (p *Page) unexpected() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.said), func(line string) bool {
		return slices.ContainsFunc(p.expect, func(e *regexp.Regexp) bool { return e.MatchString(line) })
	})
}

// deadline returns the context of one thing that is asked of the browser.
func (p *Page) deadline() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, Patience)
}

// Do runs browser actions.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	p.call(func(ctx context.Context) error { return chromedp.Do(ctx, steps...) })
}

func (p *Page) call(f func(context.Context) error) {
	p.t.Helper()
	ctx, cancel := p.deadline()
	defer cancel()
	if err := f(ctx); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// Open loads an address and waits until it is there and its script has begun.
func (p *Page) Open(url string) {
	p.t.Helper()
	p.timeline.add("test     open %s", url)
	p.Do(chromedp.Navigate(url))
	if !p.plain {
		p.Wait(`document.documentElement.dataset.ready !== undefined || !document.getElementById("boot")`)
	}
}

// Back goes back in the history.
func (p *Page) Back() {
	p.t.Helper()
	p.Exec(`history.back()`)
}

// Exec runs a script for its effect.
func (p *Page) Exec(script string) {
	p.t.Helper()
	p.timeline.add("test     run %s", script)
	p.Do(chromedp.Evaluate[chromedp.Void](script))
}

// Eval returns the value of an expression; promises are awaited.
func Eval[V any](p *Page, expression string) V {
	p.t.Helper()
	ctx, cancel := p.deadline()
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[V](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("eval %s: %v", cut(expression), err)
	}
	return v
}

// Wait waits until an expression is true, over navigations. It asks from outside
// the page, which works in pages without script and in tabs that are not in
// front.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	p.timeline.add("test     wait for %s", expression)
	ctx, cancel := p.deadline()
	defer cancel()
	err := p.until(ctx, func() (bool, error) {
		return chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
	})
	if err != nil {
		p.t.Fatalf("waited for %s: %v\nat %s\nconsole %q", cut(expression), err, p.Location(), p.heard())
	}
}

// until calls try until it returns true or ctx ends. An error is tried again: the
// page may be on its way to another one.
func (p *Page) until(ctx context.Context, try func() (bool, error)) error {
	var last error
	done := poll(ctx, func() bool {
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

func (p *Page) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.said)
}

// Location is the address of the page.
func (p *Page) Location() string {
	ctx, cancel := p.deadline()
	defer cancel()
	where, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href`))
	if err != nil {
		return err.Error()
	}
	return where
}

// Text is the visible text of the first element that matches.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return Eval[string](p, fmt.Sprintf(`(document.querySelector(%q) ?? {innerText: ""}).innerText.trim()`, selector))
}

// Count is how many elements match.
func (p *Page) Count(selector string) int {
	p.t.Helper()
	return Eval[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// Has waits for an element that matches.
func (p *Page) Has(selector string) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(`document.querySelector(%q)`, selector))
}

// Lacks waits until no element matches.
func (p *Page) Lacks(selector string) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(`!document.querySelector(%q)`, selector))
}

// Says waits until an element's text holds the words.
func (p *Page) Says(selector, words string) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(`[...document.querySelectorAll(%q)].some(e => e.innerText.includes(%q))`, selector, words))
}

func cut(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
