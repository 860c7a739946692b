package main

import (
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/workload"
)

// claude measures what pi's large session and library measure on files of Claude
// Code: opening a session of 105 MB, its memory, and listing 1,002 sessions of both
// agents.
func (b *bench) claude() {
	dir := filepath.Join(b.TempDir(), "claude")
	big, _, err := workload.ClaudeLibrary(dir, 1, 31_000)
	if err != nil {
		b.Fatalf("%v", err)
	}
	b.claudeOpen(big[0])
	mixed := b.TempDir()
	if _, err := workload.Ensure(filepath.Join(mixed, "pi"), workload.Size{Sessions: 500, Bytes: workload.Standard.Bytes, Entries: workload.Standard.Entries, Branches: workload.Standard.Branches, Chain: 1}); err != nil {
		b.Fatalf("%v", err)
	}
	if _, _, err := workload.ClaudeLibrary(filepath.Join(mixed, "claude"), 500, 128); err != nil {
		b.Fatalf("%v", err)
	}
	b.mixedList(mixed)
}

// claudeOpen measures the first opening, and the peak of the memory until then.
func (b *bench) claudeOpen(path string) {
	var ready times
	peak := int64(0)
	home := b.TempDir()
	for range b.runs {
		b.prepare(path, false)
		s := harness.StartIn(b, home, filepath.Dir(path))
		b.complete(s)
		ready = append(ready, b.rowsReady(s, s.Key(path)))
		hwm, _ := memoryOf(s.Pid(), "VmHWM")
		peak = max(peak, hwm)
		s.Stop()
	}
	b.limit("open a session of Claude Code of 105 MB: tree ready", "warm", ready, 200*time.Millisecond, "", "")
	b.table.add(result{what: "peak memory until then", cache: "warm", ours: megabytes(peak), target: "< 200 MB", missed: peak >= 200e6})
}

// mixedList measures the list of sessions of both agents.
func (b *bench) mixedList(dir string) {
	var first, second times
	for range b.runs {
		home := b.TempDir()
		first = append(first, b.listOnce(home, dir))
		second = append(second, b.listOnce(home, dir))
	}
	b.limit("list of 1,002 sessions of two agents, 544 MB", "warm", first, 800*time.Millisecond, "", "")
	b.limit("the same, second start", "warm", second, 100*time.Millisecond, "", "")
}

// listOnce measures from the start to the complete list.
func (b *bench) listOnce(home, dir string) time.Duration {
	b.prepare(dir, false)
	began := time.Now()
	s := harness.StartIn(b, home, dir)
	b.complete(s)
	took := time.Since(began)
	s.Stop()
	return took
}
