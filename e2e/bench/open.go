package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

// sessionIsLive is true when the page of a session shows its rows and follows it.
const sessionIsLive = `document.querySelector("#tree .row .leaf-tag") && document.querySelector('#live-state[data-state="live"]')`

// openingTimes are the times to the response with the rows of the large session, and to their first
// paint: in a new tab of a browser that has never shown the program, and of one that has. In that one
// also from the list at once, after a click in the list, and from the list when the server has read the
// session.
type openingTimes struct{ ready, visit, tab, list, click, again durations }

// measureOpen measures the ways to open the large session.
func (b *benchmark) measureOpen() {
	measureEmptyPage(b)
	path := "/sessions/" + harness.SessionKey(b, b.work.Big.Path)
	for _, cold := range []bool{true, false} {
		ts := b.measureOpenings(path, cold)
		add := func(what string, ts durations, target time.Duration, other, floor string) {
			b.table.addWithTarget("open the large session: "+what, cacheName(cold), ts, target, other, floor)
		}
		add("tree ready", ts.ready, 150*time.Millisecond, "1.3 s (pi)", "0.03 s per 100 MB scan")
		add("first paint in a new tab, first visit", ts.visit, 400*time.Millisecond, "1.45 s (agentsview)", "0.1 s")
		add("first paint in a new tab", ts.tab, 400*time.Millisecond, "", "")
		add("first paint from the list, at once", ts.list, 300*time.Millisecond, "", "")
		add("first paint after a click", ts.click, 300*time.Millisecond, "", "")
		add("first paint when it is read", ts.again, 200*time.Millisecond, "", "")
	}
}

// measureOpenings opens the large session in each way, with a server that has not read it yet. The
// server keeps its address, as the one of a user does: the browser has styles and scripts of it.
func (b *benchmark) measureOpenings(path string, cold bool) (ts openingTimes) {
	s := harness.StartServer(b, b.work.Library)
	defer s.Stop()
	used := b.browser.NewProfile(b)
	defer b.showOnce(used, s).Close()
	list := s.URL + "/?q=huge"
	restart := func() {
		s.Restart()
		b.waitForCompleteList(s)
		b.prepareCache(b.work.Library, cold)
	}
	for range b.runs {
		restart()
		ts.ready = append(ts.ready, b.measureRowsReady(s, path))
		restart()
		ts.visit = append(ts.visit, measureFirstPaint(b.browser.NewPage(b), s.URL+path))
		restart()
		ts.tab = append(ts.tab, measureFirstPaint(used.NewPage(), s.URL+path))
		restart()
		ts.list = append(ts.list, measureFirstPaintFromList(used.NewPage(), list, path, 0))
		ts.again = append(ts.again, measureFirstPaintFromList(used.NewPage(), list, path, lookTime))
		restart()
		ts.click = append(ts.click, measureFirstPaintOfClick(used.NewPage(), list, path))
	}
	return ts
}

// showOnce shows the list and a small session in a profile, and returns the tab, which is empty.
func (b *benchmark) showOnce(profile *harness.Profile, s *harness.Server) *harness.Page {
	b.waitForCompleteList(s)
	p := profile.NewPage()
	p.Open(s.URL)
	p.Open(s.URL + "/sessions/" + harness.SessionKey(b, b.work.Small.Path))
	p.WaitUntil(sessionIsLive)
	p.Open("about:blank")
	return p
}

func (b *benchmark) measureRowsReady(s *harness.Server, path string) time.Duration {
	began := time.Now()
	resp, body := s.GetPage(path + "/rows?at=0&n=200")
	took := time.Since(began)
	if resp.StatusCode != 200 || len(body) < 10_000 {
		b.Fatalf("rows of the large session: status %d, %d bytes", resp.StatusCode, len(body))
	}
	return took
}

// paintScript records when the first rows were painted, in milliseconds since the start
// of navigation.
const paintScript = `(() => {
  const channel = new MessageChannel()
  channel.port1.onmessage = () => { window.rowsPainted = performance.now() }
  const watch = new MutationObserver(() => {
    if (!document.querySelector("#tree .row")) return
    watch.disconnect()
    requestAnimationFrame(() => channel.port2.postMessage(0))
  })
  watch.observe(document, {childList: true, subtree: true})
})()`

// measureFirstPaint opens an address in an empty tab, and closes it.
func measureFirstPaint(p *harness.Page, url string) time.Duration {
	defer p.Close()
	p.AddInitScript(paintScript)
	p.Open(url)
	return waitForFirstPaint(p)
}

const (
	hoverTime = 200 * time.Millisecond // that the pointer is on a link before it is clicked; people take longer as a rule
	lookTime  = time.Second            // that the list is shown before a session is opened
)

// measureFirstPaintFromList shows the list of sessions in an empty tab for a time, and goes from there
// to the page at path.
func measureFirstPaintFromList(p *harness.Page, list, path string, look time.Duration) time.Duration {
	defer p.Close()
	openList(p, list)
	time.Sleep(look)
	p.RunScript(fmt.Sprintf("setTimeout(() => location.assign(%q))", path))
	p.WaitUntil(fmt.Sprintf("location.pathname === %q", path))
	return waitForFirstPaint(p)
}

// measureFirstPaintOfClick opens the list of sessions in an empty tab, and clicks on the link to the
// page at path.
func measureFirstPaintOfClick(p *harness.Page, list, path string) time.Duration {
	defer p.Close()
	openList(p, list)
	link := fmt.Sprintf("a[href=%q]", path)
	p.RunScript(fmt.Sprintf("document.querySelector(%q).scrollIntoView({block: 'center'})", link))
	p.MovePointer(link)
	time.Sleep(hoverTime)
	p.Click(link)
	p.WaitUntil(fmt.Sprintf("location.pathname === %q", path))
	return waitForFirstPaint(p)
}

func openList(p *harness.Page, list string) {
	p.AddInitScript(paintScript)
	p.Open(list)
}

// waitForFirstPaint returns the time from the start of navigation to the first paint with rows.
func waitForFirstPaint(p *harness.Page) time.Duration {
	p.WaitUntil(`window.rowsPainted && performance.getEntriesByName("first-contentful-paint").length`)
	return toDuration(harness.EvalScript[float64](p, `Math.max(window.rowsPainted, performance.getEntriesByName("first-contentful-paint")[0].startTime)`))
}

// measureChain measures a session whose entries form one chain.
func (b *benchmark) measureChain() {
	path := "/sessions/" + harness.SessionKey(b, b.work.Chain.Path)
	b.prepareCache(b.work.Chain.Path, false)
	var ready, painted durations
	for range b.runs {
		s := harness.StartServer(b, b.work.Chain.Path)
		b.waitForCompleteList(s)
		ready = append(ready, b.measureRowsReady(s, path))
		s.Restart()
		b.waitForCompleteList(s)
		painted = append(painted, measureFirstPaint(b.browser.NewPage(b), s.URL+path))
		s.Stop()
	}
	what := fmt.Sprintf("chain of %d entries: ", b.work.Chain.Entries)
	b.table.addResult(result{what: what + "tree ready", cache: "warm", measured: ready.formatSpread()})
	b.table.addResult(result{what: what + "first paint", cache: "warm", measured: painted.formatSpread()})
}
