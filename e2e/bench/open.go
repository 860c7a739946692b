package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

// sessionIsLive is true when the page of a session shows its rows and follows it.
const sessionIsLive = `document.querySelector("#tree .row .leaf-tag") && document.querySelector('#live-state[data-state="live"]')`

// measureOpen measures the first opening of the large session: the time to the response
// with its rows, and to their first paint in a browser.
func (b *benchmark) measureOpen() {
	key := ""
	for _, cold := range []bool{true, false} {
		var ready, painted durations
		for range b.runs {
			home := b.TempDir()
			s := harness.StartServerIn(b, home, b.work.Library)
			b.waitForCompleteList(s)
			if key == "" {
				key = s.SessionKey(b.work.Big.Path)
			}
			b.prepareCache(b.work.Library, cold)
			ready = append(ready, b.measureRowsReady(s, key))
			s.Stop()

			s = harness.StartServerIn(b, home, b.work.Library)
			b.waitForCompleteList(s)
			b.prepareCache(b.work.Library, cold)
			painted = append(painted, b.measureFirstPaint(s.URL+"/sessions/"+key))
			s.Stop()
		}
		b.table.addWithTarget("open the large session: tree ready", cacheName(cold), ready, 150*time.Millisecond, "1.3 s (pi)", "0.03 s per 100 MB scan")
		b.table.addWithTarget("open the large session: first paint", cacheName(cold), painted, 400*time.Millisecond, "1.45 s (agentsview)", "0.1 s")
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

func (b *benchmark) measureFirstPaint(url string) time.Duration {
	p := b.browser.NewPage(b)
	defer p.Close()
	p.AddInitScript(paintScript)
	p.Open(url)
	p.WaitUntil(`window.rowsPainted && performance.getEntriesByName("first-contentful-paint").length`)
	ms := harness.EvalScript[float64](p, `Math.max(window.rowsPainted, performance.getEntriesByName("first-contentful-paint")[0].startTime)`)
	return toDuration(ms)
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
