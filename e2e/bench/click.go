package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

const (
	measuredClicks = 15
	slowClicks     = 15 // with a slower processor
	slowdown       = 4
)

// clickScript defines window.measureClick, which clicks an element and resolves to the
// milliseconds until is() is true and painted, and window.interactions, the durations of all
// interactions that the browser reports.
const clickScript = `(() => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const painted = () => new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0) }) // within a frame
  window.measureClick = async (el, is) => {
    const began = performance.now()
    el.click()
    do {
      if (performance.now() - began > 10000) throw new Error("the click had no effect")
      await frame()
    } while (!is())
    await painted()
    return performance.now() - began
  }
  window.interactions = []
  new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.interactionId) window.interactions.push(e.duration) }).observe({type: "event", durationThreshold: 16, buffered: true})
})()`

// rowClickScript clicks the row in the middle of the tree after a jump to a part of it, and waits
// for its entry in the path.
const rowClickScript = `(async () => {
  const tree = document.querySelector("#tree")
  tree.scrollTop = tree.scrollHeight * %f
  const find = () => {
    const box = tree.getBoundingClientRect()
    return document.elementFromPoint(box.left + 120, box.top + box.height / 2)?.closest(".row[data-entry]:not(.row--branch)")
  }
  for (let n = 0; n < 300 && !find(); n++) await new Promise((done) => setTimeout(done, 10))
  await new Promise((done) => setTimeout(done, 100)) // the rows after a jump are painted
  const row = find(), entry = row.dataset.entry
  return measureClick(row.querySelector(".row-link"), () => [...document.querySelectorAll("#path-pages .is-target")].some((el) => el.dataset.entry === entry || el.dataset.result === entry || el.querySelector('[data-entry="' + CSS.escape(entry) + '"], [data-result="' + CSS.escape(entry) + '"]')))
})()`

// switchScript switches to another branch at the fork nearest to the end, and waits for its first
// entry.
const switchScript = `(async () => {
  const main = document.querySelector("#main")
  for (let n = 0; n < 100 && !document.querySelector("#path-pages .switch"); n++) {
    main.scrollTop = 0
    await new Promise((done) => setTimeout(done, 50))
  }
  const forks = [...document.querySelectorAll("#path-pages .switch")], fork = forks[forks.length - 1]
  fork.scrollIntoView({block: "center"})
  await new Promise((done) => setTimeout(done, 200))
  const link = fork.querySelector('a[data-switch="next"]') ?? fork.querySelector('a[data-switch="prev"]'), was = fork.dataset.head
  return measureClick(link, () => ![...document.querySelectorAll("#path-pages .switch")].some((el) => el.dataset.head === was))
})()`

// measureClicks measures clicks in the page of the large session: on rows of the tree, and on the
// switcher of a fork; and what a first visit transfers.
func (b *benchmark) measureClicks() {
	s := harness.StartServer(b, b.work.Library)
	defer s.Stop()
	b.waitForCompleteList(s)
	p := openForClicks(b, s)
	requests, bytes := p.Traffic()
	b.table.addResult(result{what: "first visit of the large session: requests", cache: "warm", measured: fmt.Sprint(requests), target: "< 10", missed: requests >= 10})
	b.table.addResult(result{what: "first visit of the large session: transferred", cache: "warm", measured: fmt.Sprintf("%d KB", bytes/1000), target: "< 120 KB", missed: bytes >= 120_000})
	b.table.addWithTarget("click a row of the large session, to painted", "warm", clickRows(p, measuredClicks), 100*time.Millisecond, "", "")
	p.Close()
	p = openForClicks(b, s)
	defer p.Close()
	var switched durations
	for range measuredClicks {
		switched = append(switched, toDuration(harness.EvalScript[float64](p, switchScript)))
	}
	b.table.addWithTarget("switch the branch in the large session, to painted", "warm", switched, 100*time.Millisecond, "", "")
	measureSlowInteractions(b, s)
}

// openForClicks opens the large session in a new page.
func openForClicks(b *benchmark, s *harness.Server) *harness.Page {
	p := b.browser.NewPage(b)
	p.AddInitScript(clickScript)
	p.Open(s.URL + "/sessions/" + s.SessionKey(b.work.Big.Path))
	p.WaitUntil(sessionIsLive)
	return p
}

// clickRows clicks rows all over the tree.
func clickRows(p *harness.Page, n int) (took durations) {
	for i := range n {
		part := float64(i*7%n) / float64(n) // far apart
		took = append(took, toDuration(harness.EvalScript[float64](p, fmt.Sprintf(rowClickScript, part))))
		time.Sleep(300 * time.Millisecond) // the rest of the page follows
	}
	return took
}

// measureSlowInteractions measures how long the browser takes to respond to clicks and keys with
// a slower processor.
func measureSlowInteractions(b *benchmark, s *harness.Server) {
	p := openForClicks(b, s)
	defer p.Close()
	p.SlowDown(slowdown)
	p.RunScript(`window.interactions.length = 0`)
	for i := range slowClicks {
		p.RunScript(fmt.Sprintf(`document.querySelector("#tree").scrollTop = document.querySelector("#tree").scrollHeight * %f`, float64(i*7%slowClicks)/slowClicks))
		time.Sleep(time.Second) // until the rows are painted
		p.ClickAt(180, 400)
		time.Sleep(time.Second) // until all parts of the page are painted
		p.PressKey(harness.Down)
	}
	time.Sleep(time.Second)
	times := harness.EvalScript[[]float64](p, `window.interactions`)
	var took durations
	for _, ms := range times {
		took = append(took, toDuration(ms))
	}
	if len(took) == 0 {
		b.Fatalf("the browser reported no interactions")
	}
	inp := took.quantile(.98)
	b.table.addResult(result{
		what: fmt.Sprintf("interactions with a processor %d times slower: to the next paint, p98 of %d", slowdown, len(took)), cache: "warm",
		measured: formatDuration(inp), target: formatTarget(100 * time.Millisecond), missed: inp >= 100*time.Millisecond,
	})
}

func toDuration(ms float64) time.Duration { return time.Duration(ms * 1e6) }
