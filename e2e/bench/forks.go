package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
)

// measureMillionForks measures a session of a million branches at one entry: the time to
// its rows and the peak memory until then.
func (b *benchmark) measureMillionForks() {
	path := filepath.Join(b.TempDir(), "forks.jsonl")
	if err := writeForks(path, 1_000_000); err != nil {
		b.Fatalf("%v", err)
	}
	home, peak := b.TempDir(), int64(0)
	var ready durations
	for range min(b.runs, 3) {
		s := harness.StartServerIn(b, home, path, "--memory", "256M")
		b.waitForCompleteList(s)
		ready = append(ready, b.measureRowsReady(s, "/sessions/"+s.SessionKey(path)))
		hwm, _ := s.Memory("VmHWM")
		peak = max(peak, hwm)
		s.Stop()
	}
	b.table.addWithTarget("session of 1,000,000 forks: tree ready", "warm", ready, 3*time.Second, "", "")
	b.table.addResult(result{what: "peak memory until then", cache: "warm", measured: formatMegabytes(peak), target: "< 400 MB", missed: peak >= 400e6})
}

// writeForks writes a session of n prompts below the first one.
func writeForks(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	const line = `{"type":"message","id":"m%d","parentId":%s,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"prompt %d"}}` + "\n"
	fmt.Fprintln(w, `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-000000000009","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/p"}`)
	fmt.Fprintf(w, line, 0, "null", 0)
	for i := range n {
		fmt.Fprintf(w, line, i+1, `"m0"`, i+1)
	}
	return errors.Join(w.Flush(), f.Close())
}
