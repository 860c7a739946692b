package harness

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Click presses the mouse on the first element that matches and is visible.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
	p.Do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// Type types text into what has the focus.
func (p *Page) Type(text string) {
	p.t.Helper()
	p.Do(chromedp.KeyEvent(text))
}

// Key presses a key of package kb, or a letter, with modifiers.
func (p *Page) Key(key string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.Do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// Keys presses one key several times.
func (p *Page) Keys(key string, times int) {
	p.t.Helper()
	for range times {
		p.Key(key)
	}
}

// Enter and the others are the keys of tests, so that they need not import kb.
const (
	Enter, Escape, Tab      = kb.Enter, kb.Escape, kb.Tab
	Up, Down, Left, Right   = kb.ArrowUp, kb.ArrowDown, kb.ArrowLeft, kb.ArrowRight
	Home, End               = kb.Home, kb.End
	Shift, Control          = kb.ModifierShift, kb.ModifierCtrl
	PhoneWidth, PhoneHeight = 390, 844
)

// Wheel turns the wheel at a point several times.
func (p *Page) Wheel(x, y, by float64, times int) {
	p.t.Helper()
	p.call(func(ctx context.Context) error {
		for range times {
			_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaY: by})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
