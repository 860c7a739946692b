package main

import (
	"fmt"
	"strings"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// measureList measures the list of 546 MB, half of it Claude Code, and the page about what
// its requests cost.
func (b *benchmark) measureList() {
	dir := b.TempDir()
	bytes, err := workload.WriteSearchLibrary(dir, searchSessions, searchSessionSize)
	if err != nil {
		b.Fatalf("%v", err)
	}
	flushWrites()
	var first, again, spend durations
	for range b.runs {
		home := b.TempDir()
		s, took := b.startUntilListed(home, dir, bytes)
		first = append(first, took)
		s.Stop()
		s, took = b.startUntilListed(home, dir, bytes)
		again = append(again, took)
		spend = append(spend, openSpendPage(b, s))
		s.Stop()
	}
	name := fmt.Sprintf("list of %.0f MB, half of it Claude Code", float64(bytes)/1e6)
	b.table.addWithTarget(name+": start to complete list", "warm", first, 800*time.Millisecond, "", "")
	b.table.addWithTarget(name+": second start to complete list", "warm", again, 100*time.Millisecond, "", "")
	b.table.addWithTarget(name+": page of what they cost", "warm", spend, 300*time.Millisecond, "", "")
}

// startUntilListed starts the server and returns how long the list took.
func (b *benchmark) startUntilListed(home, dir string, bytes int64) (*harness.Server, time.Duration) {
	began := time.Now()
	s := harness.StartServerIn(b, home, dir)
	waitForListedBytes(b, s, bytes)
	return s, time.Since(began)
}

// openSpendPage returns how long the page about costs takes.
func openSpendPage(t harness.T, s *harness.Server) time.Duration {
	began := time.Now()
	resp, body := s.GetPage("/spend?period=all")
	took := time.Since(began)
	if resp.StatusCode != 200 || !strings.Contains(body, "claude-") {
		t.Fatalf("the page about costs has status %d and no model in %d bytes", resp.StatusCode, len(body))
	}
	return took
}
