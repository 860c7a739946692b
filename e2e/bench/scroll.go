package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

// scrollWatch looks at every frame whether rows cover the visible tree, how many
// elements the tree has, and how long the longest task was.
const scrollWatch = `(() => {
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

type seen struct {
	Blank, Task      float64
	Elements, Frames int
}

// scroll goes through all rows of the large session by wheel, then jumps with End
// and Home. The outline layout has every entry as a row.
func (b *bench) scroll() {
	s := harness.Start(b, b.work.Library)
	p := b.browser.Page(b)
	b.complete(s)
	p.Open(s.URL + "/sessions/" + s.Key(b.work.Big.Path) + "?layout=outline&filter=all")
	p.Wait(`document.querySelector("#tree .row .leaf-tag") && document.querySelector('#live-state[data-state="live"]')`)
	rows := harness.Eval[int](p, `+document.querySelector("#tree .rows").dataset.total`)
	p.Exec(`document.querySelector("#tree [tabindex='0']").focus()`)
	p.Key(harness.Home)
	p.Wait(`document.activeElement.dataset.i === "0"`)
	p.Exec(scrollWatch)
	began := time.Now()
	for harness.Eval[bool](p, `(() => { const t = document.querySelector("#tree"); return t.scrollTop + t.clientHeight < t.scrollHeight - 2 })()`) {
		p.Wheel(180, 450, 1200, 20)
	}
	b.judge(fmt.Sprintf("wheel through %d rows in %s", rows, show(time.Since(began))), harness.Eval[seen](p, `window.seen`))

	p.Exec(`window.seen.blank = window.seen.task = 0`)
	for _, key := range []string{harness.Home, harness.End, harness.Home, harness.End} {
		p.Key(key)
		want := 0
		if key == harness.End {
			want = rows - 1
		}
		p.Wait(fmt.Sprintf(`document.activeElement.dataset.i === "%d"`, want))
	}
	b.judge("Home and End", harness.Eval[seen](p, `window.seen`))
}

func (b *bench) judge(what string, w seen) {
	b.table.add(result{what: what + ": longest blank", cache: "warm", ours: fmt.Sprintf("%.0f ms", w.Blank), target: "< 100 ms", missed: w.Blank >= 100})
	task := "none over 50 ms"
	if w.Task > 0 {
		task = fmt.Sprintf("%.0f ms", w.Task)
	}
	b.table.add(result{what: what + ": longest task", cache: "warm", ours: task, target: "< 50 ms", missed: w.Task >= 50})
	b.table.add(result{what: what + ": elements in the tree", cache: "warm", ours: fmt.Sprint(w.Elements), target: "< 1,500", missed: w.Elements >= 1500})
}
