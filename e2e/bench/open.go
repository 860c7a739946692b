package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

// sessionIsLive is true when the page of a session shows its rows and follows it.
const sessionIsLive = `document.querySelector("#tree .row .leaf-tag") && document.querySelector('#live-state[data-state="live"]')`

// measureOpen measures the first opening of the large session: the time to the response
// with its rows, and to their first paint in a browser, from an empty tab, from the list and after a
// click there. It also measures opening it again, once the server has read it.
func (b *benchmark) measureOpen() {
	key := ""
	for _, cold := range []bool{true, false} {
		var ready, tab, list, again, hovered durations
		for range b.runs {
			home := b.TempDir()
			start := func() *harness.Server {
				s := harness.StartServerIn(b, home, b.work.Library)
				b.waitForCompleteList(s)
				if key == "" {
					key = s.SessionKey(b.work.Big.Path)
				}
				return s
			}
			s := start()
			b.prepareCache(b.work.Library, cold)
			ready = append(ready, b.measureRowsReady(s, key))
			s.Stop()

			s = start()
			b.prepareCache(b.work.Library, cold)
			tab = append(tab, b.measureFirstPaint(s.URL+"/sessions/"+key))
			s.Stop()

			s = start()
			list = append(list, b.measureFirstPaintFromList(s.URL, "/sessions/"+key, cold, 0))
			again = append(again, b.measureFirstPaintFromList(s.URL, "/sessions/"+key, cold, 0))
			s.Stop()

			s = start()
			hovered = append(hovered, b.measureFirstPaintFromList(s.URL, "/sessions/"+key, cold, hoverTime))
			s.Stop()
		}
		const what = "open the large session: "
		b.table.addWithTarget(what+"tree ready", cacheName(cold), ready, 150*time.Millisecond, "1.3 s (pi)", "0.03 s per 100 MB scan")
		b.table.addWithTarget(what+"first paint in a new tab", cacheName(cold), tab, 400*time.Millisecond, "1.45 s (agentsview)", "0.1 s")
		b.table.addWithTarget(what+"first paint from the list", cacheName(cold), list, 300*time.Millisecond, "1.45 s (agentsview)", "0.1 s")
		b.table.addWithTarget(what+"first paint after a click", cacheName(cold), hovered, 300*time.Millisecond, "1.45 s (agentsview)", "0.1 s")
		b.table.addWithTarget("open it again: first paint from the list", cacheName(cold), again, 200*time.Millisecond, "", "")
	}
}

func (b *benchmark) measureRowsReady(s *harness.Server, key string) time.Duration {
	began := time.Now()
	resp, body := s.GetPage("/sessions/" + key + "/rows?at=0&n=200")
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

// paintedAt is the time of the first paint with rows, in milliseconds since the start of navigation.
const paintedAt = `Math.max(window.rowsPainted, performance.getEntriesByName("first-contentful-paint")[0].startTime)`

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
func (b *benchmark) measureFirstPaintFromList(list, path string, cold bool, hover time.Duration) time.Duration {
	p := b.browser.NewPage(b)
	defer p.Close()
	p.AddInitScript(paintScript)
	p.Open(list + "/?q=huge")
	b.prepareCache(b.work.Library, cold)
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

func waitForFirstPaint(p *harness.Page) time.Duration {
	p.WaitUntil(`window.rowsPainted && performance.getEntriesByName("first-contentful-paint").length`)
	return toDuration(harness.EvalScript[float64](p, paintedAt))
}

// measureChain measures a session whose entries form one chain.
func (b *benchmark) measureChain() {
	path := b.work.Chain.Path
	b.prepareCache(path, false)
	key := ""
	var ready, painted durations
	for range b.runs {
		s := harness.StartServer(b, path)
		b.waitForCompleteList(s)
		if key == "" {
			key = s.SessionKey(path)
		}
		ready = append(ready, b.measureRowsReady(s, key))
		s.Restart()
		b.waitForCompleteList(s)
		painted = append(painted, b.measureFirstPaint(s.URL+"/sessions/"+key))
		s.Stop()
	}
	what := fmt.Sprintf("chain of %d entries: ", b.work.Chain.Entries)
	b.table.addResult(result{what: what + "tree ready", cache: "warm", measured: ready.formatSpread()})
	b.table.addResult(result{what: what + "first paint", cache: "warm", measured: painted.formatSpread()})
}
