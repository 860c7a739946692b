//go:build e2e

package e2e

import (
	"fmt"
	"math"
	"testing"

	"sessiontree/e2e/harness"
)

// scrollPathScript scrolls the path and returns its first visible entry and that entry's place.
const scrollPathScript = `(async () => {
  const main = document.querySelector("#main"), frame = () => new Promise(requestAnimationFrame)
  main.scrollTop -= %d
  await frame()
  await frame()
  const item = [...main.querySelectorAll("#path-pages .entry[data-entry]")].find(el => el.getBoundingClientRect().top > main.getBoundingClientRect().top + 40)
  return { id: item.id, entry: item.dataset.entry, y: item.getBoundingClientRect().top }
})()`

type pathPlace struct {
	ID, Entry string
	Y         float64
}

func scrollPathUp(p *harness.Page, pixels int) pathPlace {
	return harness.EvalScript[pathPlace](p, fmt.Sprintf(scrollPathScript, pixels))
}

// After a label the path is loaded again. What is visible when it arrives keeps its place: the viewer
// may have scrolled since it was requested.
func TestReloadPath_ScrolledMeanwhile(t *testing.T) {
	for name, before := range map[string]int{"from the end": 0, "from further up": 500} {
		t.Run(name, func(t *testing.T) {
			box := harness.NewSessionDir(t)
			f := longSession("e2e-scrolled-path", 60)
			path := box.WriteSession(f)
			p := openWithholding(t, box, path, "")
			p.WaitForElement(pathItemSelector(f.LastID))
			labeled := scrollPathUp(p, before)
			p.RunScript(`window.withhold = /\/path\?/`)
			f.AddLabel(labeled.Entry, "remember this")
			box.AppendFile(path, f.LastLines(1))
			p.WaitUntil(`window.heldCount === 1`)
			scrolled := scrollPathUp(p, 300)
			p.RunScript(`window.release()`)
			p.WaitForText("#path", "remember this")
			y := harness.EvalScript[float64](p, fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().top`, scrolled.ID))
			if math.Abs(y-scrolled.Y) > 1 {
				t.Errorf("the first visible item moved from %v to %v", scrolled.Y, y)
			}
		})
	}
}
