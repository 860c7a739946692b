package harness

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TypeText types text into the focused element.
func (p *Page) TypeText(text string) {
	p.t.Helper()
	p.timeline.addLine("test     type %q", text)
	for _, r := range text {
		p.sendKey(r)
	}
}

// PressKey presses a key of package kb, or a letter, with modifiers.
func (p *Page) PressKey(key string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.timeline.addLine("test     key %q %v", key, modifiers)
	for _, r := range key {
		p.sendKey(r, modifiers...)
	}
}

// sendKey sends the events of a key press. The keydown event carries the text, so that a
// page that prevents it gets no text.
func (p *Page) sendKey(key rune, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	events := kb.Encode(key)
	down, up := *events[0], *events[len(events)-1]
	for _, m := range modifiers {
		down.Modifiers |= int64(m)
		up.Modifiers |= int64(m)
	}
	if len(events) == 3 && down.Modifiers&^int64(Shift) == 0 {
		down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
	}
	p.callBrowser(func(ctx context.Context) error {
		for _, event := range []input.DispatchKeyEventParams{down, up} {
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, event); err != nil {
				return err
			}
		}
		return nil
	})
}

// RepeatKey presses one key several times.
func (p *Page) RepeatKey(key string, times int) {
	p.t.Helper()
	for range times {
		p.PressKey(key)
	}
}

// Keys for tests, which need not import kb then.
const (
	Enter, Escape, Tab      = kb.Enter, kb.Escape, kb.Tab
	Up, Down, Left, Right   = kb.ArrowUp, kb.ArrowDown, kb.ArrowLeft, kb.ArrowRight
	Home, End, Backspace    = kb.Home, kb.End, kb.Backspace
	Shift, Control          = kb.ModifierShift, kb.ModifierCtrl
	PhoneWidth, PhoneHeight = 390, 844
)

// wheelEvent is Input.dispatchMouseEvent with both deltas. Chromium requires both, but
// the generated command omits one that is 0.
type wheelEvent struct {
	Type   string  `json:"type"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	DeltaX float64 `json:"deltaX"`
	DeltaY float64 `json:"deltaY"`
}

var dispatchWheel = cdp.Command[wheelEvent, cdp.Empty]{Method: "Input.dispatchMouseEvent"}

// TurnWheel turns the wheel at a point several times.
func (p *Page) TurnWheel(x, y, by float64, times int) {
	p.t.Helper()
	p.callBrowser(func(ctx context.Context) error {
		for range times {
			if _, err := chromedp.Call(ctx, dispatchWheel, wheelEvent{Type: "mouseWheel", X: x, Y: y, DeltaY: by}); err != nil {
				return err
			}
		}
		return nil
	})
}

// ClickAt clicks at a position of the window.
func (p *Page) ClickAt(x, y float64) {
	p.t.Helper()
	p.callBrowser(func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.MouseClickXY(x, y)) })
}

// middleOf returns the middle of an element in the window.
func (p *Page) middleOf(selector string) point {
	p.t.Helper()
	return EvalScript[point](p, fmt.Sprintf(`(() => { const box = document.querySelector(%q).getBoundingClientRect(); return {x: box.x + box.width / 2, y: box.y + box.height / 2} })()`, selector))
}

// MovePointer moves the pointer of the mouse to the middle of an element.
func (p *Page) MovePointer(selector string) {
	p.t.Helper()
	at := p.middleOf(selector)
	p.callBrowser(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseMoved", X: at.X, Y: at.Y})
		return err
	})
}

// Drag drags an element with the mouse by a distance.
func (p *Page) Drag(selector string, dx, dy float64) {
	p.t.Helper()
	p.MovePointer(selector)
	from := p.middleOf(selector)
	p.callBrowser(func(ctx context.Context) error {
		for _, e := range []input.DispatchMouseEventParams{
			{Type: "mousePressed", X: from.X, Y: from.Y, Button: "left", Buttons: 1, ClickCount: 1},
			{Type: "mouseMoved", X: from.X + dx, Y: from.Y + dy, Button: "left", Buttons: 1},
			{Type: "mouseReleased", X: from.X + dx, Y: from.Y + dy, Button: "left", ClickCount: 1},
		} {
			if _, err := chromedp.Call(ctx, input.DispatchMouseEvent, e); err != nil {
				return err
			}
		}
		return nil
	})
}
