package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

// scrollScript checks in every frame whether rows cover the visible tree, and records the
// number of elements and the longest task.
const scrollScript = `(() => {
  const seen = window.seen = {blank: 0, elements: 0, task: 0, frames: 0}
  let since = 0
  new PerformanceObserver(list => { for (const e of list.getEntries()) seen.task = Math.max(seen.task, e.duration) }).observe({type: "longtask"})
  const tree = document.querySelector("#tree")
  const covered = () => {
    const box = tree.getBoundingClientRect()
    for (const part of [.08, .3, .5, .7, .92])
      if (!document.elementFromPoint(box.left + 120, box.top + box.height * part)?.closest(".row")) return false
    return true
  }
  const frame = now => {
    seen.frames++
    if (seen.frames % 8 === 0) seen.elements = Math.max(seen.elements, tree.getElementsByTagName("*").length)
    if (covered()) since = 0
    else seen.blank = Math.max(seen.blank, now - (since ||= now))
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
})()`

type scrollStats struct {
	Blank, Task      float64
	Elements, Frames int
}

// measureScroll scrolls through all rows of the large session by wheel, then jumps with
// End and Home. In the outline layout every entry has a row.
func (b *benchmark) measureScroll() {
	s := harness.StartServer(b, b.work.Library)
	p := b.browser.NewPage(b)
	defer p.Close()
	b.waitForCompleteList(s)
	p.Open(s.URL + "/sessions/" + s.SessionKey(b.work.Big.Path) + "?layout=outline&filter=all")
	p.WaitUntil(sessionIsLive)
	rows := harness.EvalScript[int](p, `+document.querySelector("#tree .rows").dataset.total`)
	p.RunScript(`document.querySelector("#tree [tabindex='0']").focus()`)
	p.PressKey(harness.Home)
	p.WaitUntil(`document.activeElement.dataset.row === "0"`)
	p.RunScript(scrollScript)
	began := time.Now()
	for harness.EvalScript[bool](p, `(() => { const t = document.querySelector("#tree"); return t.scrollTop + t.clientHeight < t.scrollHeight - 2 })()`) {
		p.TurnWheel(180, 450, 1200, 20)
	}
	b.table.addScrollResults(fmt.Sprintf("wheel through %d rows in %s", rows, formatDuration(time.Since(began))), harness.EvalScript[scrollStats](p, `window.seen`))

	p.RunScript(`window.seen.blank = window.seen.task = 0`)
	for _, key := range []string{harness.Home, harness.End, harness.Home, harness.End} {
		p.PressKey(key)
		want := 0
		if key == harness.End {
			want = rows - 1
		}
		p.WaitUntil(fmt.Sprintf(`document.activeElement.dataset.row === "%d"`, want))
	}
	b.table.addScrollResults("Home and End", harness.EvalScript[scrollStats](p, `window.seen`))
}

func (t *resultTable) addScrollResults(what string, w scrollStats) {
	t.addResult(result{what: what + ": longest blank", cache: "warm", measured: fmt.Sprintf("%.0f ms", w.Blank), target: "< 100 ms", missed: w.Blank >= 100})
	task := "none over 50 ms"
	if w.Task > 0 {
		task = fmt.Sprintf("%.0f ms", w.Task)
	}
	t.addResult(result{what: what + ": longest task", cache: "warm", measured: task, target: "< 50 ms", missed: w.Task >= 50})
	t.addResult(result{what: what + ": elements in the tree", cache: "warm", measured: fmt.Sprint(w.Elements), target: "< 1,500", missed: w.Elements >= 1500})
}
