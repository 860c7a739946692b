package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

// sessionIsLive is true when the page of a session shows its rows and follows it.
const sessionIsLive = `document.querySelector("#tree .row .leaf-tag") && document.querySelector('#live-state[data-state="live"]')`

// openingTimes are the times to the response with the rows of the large session, and to their first
// paint in a browser: in a new tab, from the list, after a click there, and from the list once the
// server has read the session.
type openingTimes struct{ ready, tab, list, click, again durations }

// measureOpen measures the ways to open the large session.
func (b *benchmark) measureOpen() {
	path := "/sessions/" + harness.SessionKey(b, b.work.Big.Path)
	for _, cold := range []bool{true, false} {
		var ts openingTimes
		for range b.runs {
			b.measureOpenOnce(&ts, path, cold)
		}
		add := func(what string, ts durations, target time.Duration, other, floor string) {
			b.table.addWithTarget("open the large session: "+what, cacheName(cold), ts, target, other, floor)
		}
		add("tree ready", ts.ready, 150*time.Millisecond, "1.3 s (pi)", "0.03 s per 100 MB scan")
		add("first paint in a new tab", ts.tab, 400*time.Millisecond, "1.45 s (agentsview)", "0.1 s")
		add("first paint from the list", ts.list, 300*time.Millisecond, "", "")
		add("first paint after a click", ts.click, 300*time.Millisecond, "", "")
		add("first paint when it is read", ts.again, 200*time.Millisecond, "", "")
	}
}

// measureOpenOnce opens the large session in each way, with a server that has not read it yet.
func (b *benchmark) measureOpenOnce(ts *openingTimes, path string, cold bool) {
	home := b.TempDir()
	inServer := func(measure func(s *harness.Server)) {
		s := harness.StartServerIn(b, home, b.work.Library)
		defer s.Stop()
		b.waitForCompleteList(s)
		b.prepareCache(b.work.Library, cold)
		measure(s)
	}
	inServer(func(s *harness.Server) { ts.ready = append(ts.ready, b.measureRowsReady(s, path)) })
	inServer(func(s *harness.Server) { ts.tab = append(ts.tab, b.measureFirstPaint(s.URL+path)) })
	inServer(func(s *harness.Server) {
		ts.list = append(ts.list, b.measureFirstPaintFromList(s.URL, path, 0))
		ts.again = append(ts.again, b.measureFirstPaintFromList(s.URL, path, 0))
	})
	inServer(func(s *harness.Server) {
		ts.click = append(ts.click, b.measureFirstPaintFromList(s.URL, path, hoverTime))
	})
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

// measureFirstPaint opens an address in a new tab.
func (b *benchmark) measureFirstPaint(url string) time.Duration {
	p := b.browser.NewPage(b)
	defer p.Close()
	p.AddInitScript(paintScript)
	p.Open(url)
	return waitForFirstPaint(p)
}

// hoverTime is how long the pointer is on a link before it is clicked; people take longer as a rule.
const hoverTime = 200 * time.Millisecond

// measureFirstPaintFromList goes from the list of sessions to the page at path: by script, or by a
// click on its link if hover is not 0.
func (b *benchmark) measureFirstPaintFromList(list, path string, hover time.Duration) time.Duration {
	p := b.browser.NewPage(b)
	defer p.Close()
	p.AddInitScript(paintScript)
	p.Open(list + "/?q=huge")
	if link := fmt.Sprintf("a[href=%q]", path); hover > 0 {
		p.RunScript(fmt.Sprintf("document.querySelector(%q).scrollIntoView({block: 'center'})", link))
		p.MovePointer(link)
		time.Sleep(hover)
		p.Click(link)
	} else {
		p.RunScript(fmt.Sprintf("setTimeout(() => location.assign(%q))", path))
	}
	p.WaitUntil(fmt.Sprintf("location.pathname === %q", path))
	return waitForFirstPaint(p)
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
		painted = append(painted, b.measureFirstPaint(s.URL+path))
		s.Stop()
	}
	what := fmt.Sprintf("chain of %d entries: ", b.work.Chain.Entries)
	b.table.addResult(result{what: what + "tree ready", cache: "warm", measured: ready.formatSpread()})
	b.table.addResult(result{what: what + "first paint", cache: "warm", measured: painted.formatSpread()})
}
