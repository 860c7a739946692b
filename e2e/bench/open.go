package main

import (
	"fmt"
	"time"

	"sessiontree/e2e/harness"
)

// open measures how long the large session takes on its first opening: until the
// rows of its tree are answered, and until a browser has painted them.
func (b *bench) open() {
	key := ""
	for _, cold := range []bool{true, false} {
		var ready, painted times
		for range b.runs {
			home := b.TempDir()
			s := harness.StartIn(b, home, b.work.Library)
			b.complete(s)
			if key == "" {
				key = s.Key(b.work.Big.Path)
			}
			b.prepare(b.work.Library, cold)
			ready = append(ready, b.rowsReady(s, key))
			s.Stop()

			s = harness.StartIn(b, home, b.work.Library)
			b.complete(s)
			b.prepare(b.work.Library, cold)
			painted = append(painted, b.firstPaint(s.URL+"/sessions/"+key))
			s.Stop()
		}
		b.limit("open the large session: tree ready", cacheName(cold), ready, 150*time.Millisecond, "1.3 s (pi)", "0.03 s per 100 MB scan")
		b.limit("open the large session: first paint", cacheName(cold), painted, 400*time.Millisecond, "1.45 s (agentsview)", "0.1 s")
	}
}

func (b *bench) rowsReady(s *harness.Server, key string) time.Duration {
	began := time.Now()
	resp, body := s.Get("/sessions/" + key + "/rows?at=0&n=200")
	took := time.Since(began)
	if resp.StatusCode != 200 || len(body) < 10_000 {
		b.Fatalf("rows of the large session: status %d, %d bytes", resp.StatusCode, len(body))
	}
	return took
}

// paintWatch notes when the first rows have been painted, by the page's clock
// since the navigation began.
const paintWatch = `(() => {
  const channel = new MessageChannel()
  channel.port1.onmessage = () => { window.rowsPainted = performance.now() }
  const watch = new MutationObserver(() => {
    if (!document.querySelector("#tree .row")) return
    watch.disconnect()
    requestAnimationFrame(() => channel.port2.postMessage(0))
  })
  watch.observe(document, {childList: true, subtree: true})
})()`

func (b *bench) firstPaint(url string) time.Duration {
	p := b.browser.Page(b)
	defer p.Close()
	p.OnEveryPage(paintWatch)
	p.Open(url)
	p.Wait(`window.rowsPainted && performance.getEntriesByName("first-contentful-paint").length`)
	ms := harness.Eval[float64](p, `Math.max(window.rowsPainted, performance.getEntriesByName("first-contentful-paint")[0].startTime)`)
	return time.Duration(ms * 1e6)
}

// chain measures a session whose entries all hang in one chain.
func (b *bench) chain() {
	path := b.work.Chain.Path
	b.prepare(path, false)
	key := ""
	var ready, painted times
	for range b.runs {
		s := harness.Start(b, path)
		b.complete(s)
		if key == "" {
			key = s.Key(path)
		}
		ready = append(ready, b.rowsReady(s, key))
		s.Restart()
		b.complete(s)
		painted = append(painted, b.firstPaint(s.URL+"/sessions/"+key))
		s.Stop()
	}
	what := fmt.Sprintf("chain of %d entries: ", b.work.Chain.Entries)
	b.table.add(result{what: what + "tree ready", cache: "warm", ours: ready.spread()})
	b.table.add(result{what: what + "first paint", cache: "warm", ours: painted.spread()})
}
