package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"

	"sessiontree/e2e/harness"
)

// memory measures the server's resident memory after the large session was
// opened in the whole library, and its peak up to then.
func (b *bench) memory() {
	s := harness.Start(b, b.work.Library)
	b.complete(s)
	p := b.browser.Page(b)
	p.Open(s.URL + "/sessions/" + s.Key(b.work.Big.Path))
	p.Has("#tree .row .leaf-tag")
	peak, known := memoryOf(s.Pid(), "VmHWM")
	if !known {
		b.table.add(result{what: "resident memory", ours: "only measured on Linux"})
		return
	}
	time.Sleep(30 * time.Second) // the measure is "30 s after opening"
	rss, _ := memoryOf(s.Pid(), "VmRSS")
	b.table.add(result{"memory 30 s after opening the large session", "warm", megabytes(rss), "< 100 MB", "131 to 235 MB (agentsview)", "48 to 217 B an entry", rss >= 100e6})
	b.table.add(result{"peak memory until then", "warm", megabytes(peak), "< 200 MB", "592 MB (agentsview), 880 MB (pi)", "", peak >= 200e6})
}

var sessionHref = regexp.MustCompile(`/sessions/[0-9a-f]{16}\b`)

// idle measures the server's resident memory after all sessions were opened one after
// another and nobody asked for anything for 30 s.
func (b *bench) idle() {
	s := harness.Start(b, b.work.Library)
	b.complete(s)
	_, list := s.Get(fmt.Sprintf("/?part=list&n=%d", b.work.Size.Sessions+1))
	opened := map[string]bool{}
	for _, href := range sessionHref.FindAllString(list, -1) {
		if !opened[href] {
			opened[href] = true
			s.Get(href)
		}
	}
	busy, known := memoryOf(s.Pid(), "VmRSS")
	if !known {
		return // said by memory
	}
	time.Sleep(30 * time.Second) // the measure is "after 30 s of idleness"
	rss, _ := memoryOf(s.Pid(), "VmRSS")
	b.table.add(result{what: fmt.Sprintf("memory after opening %d sessions", len(opened)), cache: "warm", ours: megabytes(busy)})
	b.table.add(result{"after 30 s of idleness", "warm", megabytes(rss), "< 120 MB", "", "", rss >= 120e6})
}

func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }

// memoryOf reads a field of /proc/PID/status in bytes.
func memoryOf(pid int, field string) (int64, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	m := regexp.MustCompile(field + `:\s*(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(m[1]), 10, 64)
	return n * 1024, err == nil
}
