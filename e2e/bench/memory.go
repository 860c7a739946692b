package main

import (
	"fmt"
	"regexp"
	"time"

	"sessiontree/e2e/harness"
)

// measureMemory measures the server's resident memory after the large session was opened
// in the whole library, and the peak until then.
func (b *benchmark) measureMemory() {
	s := harness.StartServer(b, b.work.Library)
	b.waitForCompleteList(s)
	p := b.browser.NewPage(b)
	defer p.Close()
	p.Open(s.URL + "/sessions/" + s.SessionKey(b.work.Big.Path))
	p.WaitForElement("#tree .row .leaf-tag")
	peak, known := s.Memory("VmHWM")
	if !known {
		b.table.addResult(result{what: "resident memory", measured: "only measured on Linux"})
		return
	}
	time.Sleep(30 * time.Second) // the target is "30 s after opening"
	rss, _ := s.Memory("VmRSS")
	b.table.addResult(result{"memory 30 s after opening the large session", "warm", formatMegabytes(rss), "< 100 MB", "131 to 235 MB (agentsview)", "48 to 217 B an entry", rss >= 100e6})
	b.table.addResult(result{"peak memory until then", "warm", formatMegabytes(peak), "< 200 MB", "592 MB (agentsview), 880 MB (pi)", "", peak >= 200e6})
}

var sessionHref = regexp.MustCompile(`/sessions/[0-9a-f]{16}\b`)

// measureIdleMemory measures the server's resident memory after opening all sessions one
// after another and 30 s of idleness.
func (b *benchmark) measureIdleMemory() {
	s := harness.StartServer(b, b.work.Library)
	b.waitForCompleteList(s)
	_, list := s.GetPage(fmt.Sprintf("/?part=list&n=%d", b.work.Size.Sessions+1))
	opened := map[string]bool{}
	for _, href := range sessionHref.FindAllString(list, -1) {
		if !opened[href] {
			opened[href] = true
			s.GetPage(href)
		}
	}
	busy, known := s.Memory("VmRSS")
	if !known {
		return // measureMemory has reported that
	}
	time.Sleep(30 * time.Second) // the target is "after 30 s of idleness"
	rss, _ := s.Memory("VmRSS")
	b.table.addResult(result{what: fmt.Sprintf("memory after opening %d sessions", len(opened)), cache: "warm", measured: formatMegabytes(busy)})
	b.table.addResult(result{"after 30 s of idleness", "warm", formatMegabytes(rss), "< 120 MB", "", "", rss >= 120e6})
}

func formatMegabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }
