package main

import (
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// measureClaude measures with Claude Code files what other parts measure with pi's:
// opening a session of 105 MB, the memory, and listing 1,002 sessions of both agents.
func (b *benchmark) measureClaude() {
	dir := filepath.Join(b.TempDir(), "claude")
	big, _, err := workload.WriteClaudeLibrary(dir, 1, 31_000)
	if err != nil {
		b.Fatalf("%v", err)
	}
	b.measureClaudeOpen(big[0])
	mixed := b.TempDir()
	if _, err := workload.EnsureWorkload(filepath.Join(mixed, "pi"), workload.Size{Sessions: 500, Bytes: workload.Standard.Bytes, Entries: workload.Standard.Entries, Branches: workload.Standard.Branches, Chain: 1}); err != nil {
		b.Fatalf("%v", err)
	}
	if _, _, err := workload.WriteClaudeLibrary(filepath.Join(mixed, "claude"), 500, 128); err != nil {
		b.Fatalf("%v", err)
	}
	b.measureMixedList(mixed)
}

// measureClaudeOpen measures the first opening, the peak memory until then, and the first paint
// after a click in the list.
func (b *benchmark) measureClaudeOpen(path string) {
	var ready, click durations
	peak := int64(0)
	home := b.TempDir()
	for range b.runs {
		b.prepareCache(path, false)
		s := harness.StartServerIn(b, home, filepath.Dir(path))
		b.waitForCompleteList(s)
		address := "/sessions/" + s.SessionKey(path)
		ready = append(ready, b.measureRowsReady(s, address))
		hwm, _ := s.Memory("VmHWM")
		peak = max(peak, hwm)
		s.Restart()
		b.waitForCompleteList(s)
		click = append(click, measureFirstPaintOfClick(b.browser.NewPage(b), s.URL, address))
		s.Stop()
	}
	b.table.addWithTarget("open a session of Claude Code of 105 MB: tree ready", "warm", ready, 200*time.Millisecond, "", "")
	b.table.addWithTarget("first paint after a click", "warm", click, 400*time.Millisecond, "", "")
	b.table.addResult(result{what: "peak memory until the tree is ready", cache: "warm", measured: formatMegabytes(peak), target: "< 200 MB", missed: peak >= 200e6})
}

// measureMixedList measures the list of sessions of both agents.
func (b *benchmark) measureMixedList(dir string) {
	var first, second durations
	for range b.runs {
		home := b.TempDir()
		first = append(first, b.measureListOnce(home, dir))
		second = append(second, b.measureListOnce(home, dir))
	}
	b.table.addWithTarget("list of 1,002 sessions of two agents, 544 MB", "warm", first, 800*time.Millisecond, "", "")
	b.table.addWithTarget("the same, second start", "warm", second, 100*time.Millisecond, "", "")
}

// measureListOnce measures the time from the start to the complete list.
func (b *benchmark) measureListOnce(home, dir string) time.Duration {
	b.prepareCache(dir, false)
	began := time.Now()
	s := harness.StartServerIn(b, home, dir)
	b.waitForCompleteList(s)
	took := time.Since(began)
	s.Stop()
	return took
}
