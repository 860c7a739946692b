package harness

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// point is a position in the window.
type point struct{ X, Y float64 }

// aimScript returns the position to click on the first element that matches. It returns
// null while the element is invisible, moving or covered. It installs a guard that
// discards the click if it hits another element because the page changed meanwhile. Without
// script neither frames nor the guard run: it returns null until the document is complete,
// because the parts that arrive and the styles move what is there.
const aimScript = `(async (selector, script) => {
  const find = () => { const el = document.querySelector(selector); return el?.checkVisibility() ? el : null; };
  const place = () => {
    const box = [...find()?.getClientRects() ?? []].find((r) => r.width > 0 && r.height > 0);
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
  };
  const meets = (at) => { const el = find(); return !!el && !!at && (el.contains(at) || at.closest("label")?.control === el); };
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  if (!script && document.readyState !== "complete") return null;
  find()?.scrollIntoViewIfNeeded();
  const before = script ? (await frame(), place()) : null;
  if (script) await frame();
  const now = place();
  if (!now || script && (before?.x !== now.x || before.y !== now.y) || !meets(document.elementFromPoint(now.x, now.y))) return null;
  const key = Symbol.for("harness.click"), types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  window[key]?.end();
  const press = window[key] = { met: null, end: () => types.forEach((type) => removeEventListener(type, guard, true)) };
  const guard = (event) => {
    press.met ??= meets(event.target);
    if (press.met) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  types.forEach((type) => addEventListener(type, guard, true));
  return now;
})`

// metScript removes the guard and reports whether the click hit the element. It returns
// true if the click has loaded another document. Without script there is no guard, and
// elements of a complete document do not move.
const metScript = `((script) => {
  const press = window[Symbol.for("harness.click")];
  press?.end();
  return !press || (script ? press.met === true : true);
})`

// Click clicks the first element that matches as soon as it is visible, does not move and
// is not covered.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.timeline.addLine("test     click %s", selector)
	ctx, cancel := p.callContext()
	defer cancel()
	err := p.retryUntil(ctx, func() (bool, error) { return p.tryClickFor(ctx, selector) })
	if err != nil {
		p.t.Fatalf("click %s: %v\nat %s\nconsole %q", selector, err, p.Location(), p.consoleLines())
	}
}

// tryClickFor calls tryClick and activates the tab if that takes long: Chromium sometimes
// stops drawing a tab, and then neither frames nor the ends of clicks arrive.
func (p *Page) tryClickFor(ctx context.Context, selector string) (bool, error) {
	attempt, cancel := context.WithTimeout(ctx, Patience/6)
	defer cancel()
	ok, err := p.tryClick(attempt, selector)
	if attempt.Err() != nil && ctx.Err() == nil {
		p.timeline.addLine("test     activate the tab: no click within %v", Patience/6)
		_, err = chromedp.Call(ctx, page.BringToFront, cdp.Empty{})
		return false, err
	}
	return ok, err
}

// tryClick reports whether a click hit the element.
func (p *Page) tryClick(ctx context.Context, selector string) (bool, error) {
	at, err := chromedp.Run(ctx, chromedp.Evaluate[*point](fmt.Sprintf(`%s(%q, %t)`, aimScript, selector, !p.scriptDisabled), chromedp.EvalAwaitPromise))
	if err != nil || at == nil {
		return false, err
	}
	if err := chromedp.Do(ctx, chromedp.MouseClickXY(at.X, at.Y)); err != nil {
		return false, err
	}
	ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(`%s(%t)`, metScript, !p.scriptDisabled)))
	return ok || err != nil, nil // an error: another page is loading
}
