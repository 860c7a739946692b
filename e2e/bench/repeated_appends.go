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

// comparedAppends is how many more appends are compared with as many to a session that was just
// opened.
const comparedAppends = 100

// repeatedRuns is how often the appends are measured, each time with new servers and new copies of
// the session: the slowest of a hundred are too few to compare.
const repeatedRuns = 3

// measureRepeatedAppends measures whether the cost of an append to a watched session
// depends on the number of earlier appends or on the session's size.
func (b *benchmark) measureRepeatedAppends() {
	for _, c := range []struct {
		name string
		make func() workload.File
	}{
		{"0.4 MB", func() workload.File { return b.copySession(b.work.Small) }},
		{"106 MB", func() workload.File { return b.copySession(b.work.Big) }},
		{"106 MB in a closed branch", func() workload.File {
			f := b.copySession(b.work.Big)
			f.Leaf = b.branchFromStart(f)
			return f
		}},
		{"8 times the entries in one line", func() workload.File { return b.writeChain(8 * b.work.Big.Entries) }},
	} {
		var total repeatedFigures
		for range repeatedRuns {
			total.addRun(b.measureRepeatedAppendsTo(c.make))
		}
		b.addRepeatedFigures(c.name, &total)
	}
}

// repeatedFigures are what appends to a watched session took.
type repeatedFigures struct {
	runs        int
	cpu         time.Duration // of the server
	first, last durations     // to painted, at first and after repeatedAppends
	rss         int64
	health      health
	entries     int
}

// addRun adds the times of a run, and keeps the most memory.
func (f *repeatedFigures) addRun(o repeatedFigures) {
	f.runs += o.runs
	f.cpu += o.cpu
	f.first, f.last = append(f.first, o.first...), append(f.last, o.last...)
	f.rss, f.entries = max(f.rss, o.rss), o.entries
	f.health.Heap, f.health.HeapLive = max(f.health.Heap, o.health.Heap), max(f.health.HeapLive, o.health.HeapLive)
}

// measureRepeatedAppendsTo measures appends to a session and then compares further ones with the
// first ones to a copy that another server has. They take turns: one after the other they would meet
// different moments of a busy machine.
func (b *benchmark) measureRepeatedAppendsTo(make func() workload.File) repeatedFigures {
	f := make()
	s := startRepeatedServer(b, f)
	defer s.Stop()
	long := openAppended(b, s, f)
	defer long.close()
	opened := s.CPU()
	for range repeatedAppends {
		long.append()
	}
	figures := repeatedFigures{runs: 1, cpu: s.CPU() - opened, health: readHealth(b, s), entries: f.Entries}
	figures.rss, _ = s.Memory("VmRSS")
	f = make()
	other := startRepeatedServer(b, f)
	defer other.Stop()
	fresh := openAppended(b, other, f)
	defer fresh.close()
	for range comparedAppends {
		_, painted := fresh.append()
		figures.first = append(figures.first, painted)
		_, painted = long.append()
		figures.last = append(figures.last, painted)
	}
	return figures
}

func startRepeatedServer(b *benchmark, f workload.File) *harness.Server {
	s := harness.StartServer(b, filepath.Dir(f.Path))
	b.waitForCompleteList(s)
	return s
}

func (b *benchmark) addRepeatedFigures(name string, f *repeatedFigures) {
	cpu := f.cpu / time.Duration(repeatedAppends*f.runs)
	b.table.addResult(result{what: "server CPU per append, watched, " + name, cache: "warm", measured: formatDuration(cpu), target: formatTarget(3 * time.Millisecond), missed: cpu >= 3*time.Millisecond})
	p50, p99 := growthOf(f.first.quantile(.5), f.last.quantile(.5)), growthOf(f.first.quantile(.99), f.last.quantile(.99))
	b.table.addResult(result{what: "hundred appends to painted, at first and after " + strconv.Itoa(repeatedAppends) + ", " + name, cache: "warm",
		measured: fmt.Sprintf("p50 %s and %s (%+.0f %%), p99 %s and %s (%+.0f %%)",
			formatDuration(f.first.quantile(.5)), formatDuration(f.last.quantile(.5)), p50, formatDuration(f.first.quantile(.99)), formatDuration(f.last.quantile(.99)), p99),
		target: "within 10 %", missed: p50 > 10 || p99 > 10})
	b.table.addResult(result{what: "memory after " + strconv.Itoa(repeatedAppends) + " appends, " + name, cache: "warm", measured: formatMegabytes(f.rss)})
	heap := result{what: "heap after " + strconv.Itoa(repeatedAppends) + " appends, " + name, cache: "warm"}
	heap.measured = formatMegabytes(f.health.Heap) + ", of it in use " + formatMegabytes(f.health.HeapLive)
	if f.entries <= b.work.Big.Entries {
		heap.target, heap.missed = "< 120 MB", f.health.Heap >= 120e6
	}
	b.table.addResult(heap)
}

// growthOf returns by how many percent a time is longer than another.
func growthOf(from, to time.Duration) float64 { return 100 * (float64(to)/float64(from) - 1) }

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
