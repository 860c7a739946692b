package harness

import (
	"context"
	"errors"
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
// Expect allows it.
type Page struct {
	plain  bool // script is off
	t      T
	ctx    context.Context
	mu     sync.Mutex
	said   []string
	expect []*regexp.Regexp
	close  sync.Once
	stop   func()
}

// Page opens a tab of 1440 by 900 points.
func (v *Visit) Page() *Page {
	v.t.Helper()
	ctx, stop := v.context()
	p := &Page{t: v.t, ctx: ctx}
	console := chromedp.Console(ctx)
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
		stop()
		<-listening
		p.check()
	}
	v.t.Cleanup(p.Close)
	p.Size(1440, 900)
	return p
}

// Close closes the tab and checks what it said; the end of the test does it too.
func (p *Page) Close() { p.close.Do(p.stop) }

func (p *Page) hear(m chromedp.ConsoleMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, strings.TrimSpace(fmt.Sprintf("%s %s: %s (%s:%d)", m.Source, m.Type, m.Text, m.URL, m.Line+1)))
}

// Expect allows console lines that match, such as failed requests while the
// server is away.
func (p *Page) Expect(pattern string) { p.expect = append(p.expect, regexp.MustCompile(pattern)) }

func (p *Page) check() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.said {
		known := false
		for _, e := range p.expect {
			known = known || e.MatchString(line)
		}
		if !known {
			p.t.Errorf("console: %s", line)
		}
	}
}

// Do runs browser actions.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*Patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// Open loads an address and waits until it is there and its script has begun.
func (p *Page) Open(url string) {
	p.t.Helper()
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
	p.Do(chromedp.Evaluate[chromedp.Void](script))
}

// Eval answers the value of an expression; promises are awaited.
func Eval[V any](p *Page, expression string) V {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*Patience)
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
	var last error
	for end := time.Now().Add(Patience); time.Now().Before(end); time.Sleep(4 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(p.ctx, Patience)
		v, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		cancel()
		if v {
			return
		}
		if last = err; errors.Is(err, context.Canceled) {
			break
		}
	}
	p.Shot("failed")
	p.t.Fatalf("waited %v for %s (last error %v)\nat %s\nconsole %q", Patience, cut(expression), last, p.Location(), p.heard())
}

func (p *Page) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.said)
}

// Location is the address of the page.
func (p *Page) Location() string {
	where, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`location.href`))
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
