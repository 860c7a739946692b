//go:build e2efirefox

package firefox

import (
	"fmt"
	"os"
	"path/filepath"

	"sessiontree/e2e/harness"
)

// Keys by their code points in WebDriver.
const (
	enterKey  = "\uE007"
	escapeKey = "\uE00C"
	homeKey   = "\uE011"
	endKey    = "\uE010"
	downKey   = "\uE015"
	ctrlKey   = "\uE009"
)

type object = map[string]any

// open opens an address and waits until its scripts have started.
func (b *browser) open(address string) {
	b.t.Helper()
	b.call("browsingContext.navigate", object{"context": b.tab, "url": address, "wait": "complete"}, nil)
	b.waitUntil(`document.documentElement.dataset.ready !== undefined`)
}

// evaluate returns the value of an expression: a string, a bool, a float64 or nil.
func (b *browser) evaluate(expression string) any {
	b.t.Helper()
	var result struct {
		Type             string
		Result           struct{ Value any }
		ExceptionDetails struct{ Text string }
	}
	b.call("script.evaluate", object{"expression": expression, "target": object{"context": b.tab}, "awaitPromise": true}, &result)
	if result.Type != "success" {
		b.t.Fatalf("%s: %s", expression, result.ExceptionDetails.Text)
	}
	return result.Result.Value
}

// waitUntil waits until an expression is true.
func (b *browser) waitUntil(expression string) {
	b.t.Helper()
	harness.Until(b.t, expression, func() bool { return b.evaluate("(async () => !!(await ("+expression+")))()") == true })
}

// waitForText waits until an element contains a text.
func (b *browser) waitForText(selector, text string) {
	b.t.Helper()
	b.waitUntil(fmt.Sprintf(`document.querySelector(%q)?.textContent.includes(%q)`, selector, text))
}

// waitForElement waits until an element exists.
func (b *browser) waitForElement(selector string) {
	b.t.Helper()
	b.waitUntil(fmt.Sprintf(`document.querySelector(%q)`, selector))
}

// click clicks the middle of an element with the mouse.
func (b *browser) click(selector string) {
	b.t.Helper()
	b.waitUntil(fmt.Sprintf(`document.querySelector(%q)?.getClientRects().length`, selector))
	middle := fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return `, selector)
	x, _ := b.evaluate(middle + `Math.round(r.x + r.width / 2) })()`).(float64)
	y, _ := b.evaluate(middle + `Math.round(r.y + r.height / 2) })()`).(float64)
	b.perform("pointer", "mouse", []object{
		{"type": "pointerMove", "x": int(x), "y": int(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
	})
}

// press presses keys one after the other, with the last one while the others are down.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	var actions []object
	for _, key := range keys {
		actions = append(actions, object{"type": "keyDown", "value": key})
	}
	for i := range keys {
		actions = append(actions, object{"type": "keyUp", "value": keys[len(keys)-1-i]})
	}
	b.perform("key", "keyboard", actions)
}

// typeText types a text into the focused field.
func (b *browser) typeText(text string) {
	b.t.Helper()
	for _, r := range text {
		b.press(string(r))
	}
}

func (b *browser) perform(kind, id string, actions []object) {
	b.t.Helper()
	b.call("input.performActions", object{"context": b.tab, "actions": []object{{"type": kind, "id": id, "actions": actions}}}, nil)
}

// saveScreenshot writes a screenshot to the directory SHOTS, if it is set.
func (b *browser) saveScreenshot(name string) {
	b.t.Helper()
	dir := os.Getenv("SHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data []byte } // in base64
	b.call("browsingContext.captureScreenshot", object{"context": b.tab}, &shot)
	if err := os.WriteFile(filepath.Join(dir, "firefox-"+name+".png"), shot.Data, 0o644); err != nil {
		b.t.Error(err)
	}
}
