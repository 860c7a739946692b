package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// repeatedAppends is the number of lines appended to a watched session.
const repeatedAppends = 400

// measureRepeatedAppends measures whether the cost of an append to a watched session
// depends on the number of earlier appends or on the session's size.
func (b *benchmark) measureRepeatedAppends() {
	small, big := b.copySession(b.work.Small), b.copySession(b.work.Big)
	closed := b.copySession(b.work.Big)
	closed.Leaf = b.branchFromStart(closed)
	eightfold := b.writeChain(8 * b.work.Big.Entries)
	for _, c := range []struct {
		name string
		file workload.File
	}{{"0.4 MB", small}, {"106 MB", big}, {"106 MB in a closed branch", closed}, {"8 times the entries in one line", eightfold}} {
		b.measureRepeatedAppendsTo(c.name, c.file)
	}
}

func (b *benchmark) measureRepeatedAppendsTo(name string, f workload.File) {
	s := harness.StartServer(b, filepath.Dir(f.Path))
	defer s.Stop()
	b.waitForCompleteList(s)
	opened := time.Duration(0)
	_, painted := b.measureAppendTo(s, f, repeatedAppends, func() { opened = s.CPU() })
	cpu := (s.CPU() - opened) / repeatedAppends
	n := repeatedAppends / 4
	head, tail := painted[:n], painted[len(painted)-n:]
	b.table.addResult(result{what: "server CPU per append, watched, " + name, cache: "warm", measured: formatDuration(cpu), target: formatTarget(3 * time.Millisecond), missed: cpu >= 3*time.Millisecond})
	b.table.addResult(result{what: "first and last hundred to painted, " + name, cache: "warm",
		measured: fmt.Sprintf("p50 %s and %s, p99 %s and %s", formatDuration(head.quantile(.5)), formatDuration(tail.quantile(.5)), formatDuration(head.quantile(.99)), formatDuration(tail.quantile(.99)))})
	rss, _ := s.Memory("VmRSS")
	b.table.addResult(result{what: "memory after " + strconv.Itoa(repeatedAppends) + " appends, " + name, cache: "warm", measured: formatMegabytes(rss)})
	heap := result{what: "heap after " + strconv.Itoa(repeatedAppends) + " appends, " + name, cache: "warm"}
	p := readHealth(b, s)
	heap.measured = formatMegabytes(p.Heap) + ", of it in use " + formatMegabytes(p.HeapLive)
	if f.Entries <= b.work.Big.Entries {
		heap.target, heap.missed = "< 120 MB", p.Heap >= 120e6
	}
	b.table.addResult(heap)
}

// copySession copies a session file into its own directory.
func (b *benchmark) copySession(f workload.File) workload.File {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		b.Fatalf("%v", err)
	}
	f.Path = filepath.Join(b.TempDir(), filepath.Base(f.Path))
	if err := os.WriteFile(f.Path, text, 0o600); err != nil {
		b.Fatalf("%v", err)
	}
	return f
}

// branchFromStart branches from the first entry, so that all messages are in an abandoned
// branch. It returns the new leaf.
func (b *benchmark) branchFromStart(f workload.File) string {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		b.Fatalf("%v", err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	_, id, _ := strings.Cut(rest, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	appendText(b, f.Path, chainLine("c1000001", id, 0))
	return "c1000001"
}

// writeChain writes a session of n entries in one chain.
func (b *benchmark) writeChain(n int) workload.File {
	f := workload.File{Path: filepath.Join(b.TempDir(), "chain.jsonl"), Entries: n}
	var text strings.Builder
	text.WriteString(`{"type":"session","version":3,"id":"chain","timestamp":"2026-03-02T11:00:00.000Z","cwd":"/p"}` + "\n")
	for i := range n {
		id := fmt.Sprintf("c0%06x", i)
		text.WriteString(chainLine(id, f.Leaf, i))
		f.Leaf = id
	}
	if err := os.WriteFile(f.Path, []byte(text.String()), 0o600); err != nil {
		b.Fatalf("%v", err)
	}
	return f
}

func chainLine(id, parent string, i int) string {
	above := "null"
	if parent != "" {
		above = strconv.Quote(parent)
	}
	at := time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Second)
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":[{"type":"text","text":"entry %d"}],"timestamp":%d}}`+"\n",
		id, above, at.Format("2006-01-02T15:04:05.000Z"), i, at.UnixMilli())
}
