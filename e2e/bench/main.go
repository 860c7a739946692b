// Command bench measures the built explorer with a real Chromium on generated sessions. It
// prints the results next to the targets. make bench runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// benchmark is one run of the benchmark with its workload and results.
type benchmark struct {
	*harness.Host
	work    workload.Manifest
	browser *harness.Browser
	runs    int
	load    string
	// largeSessions is the number of sessions of the parts large and hub-search.
	largeSessions int
	hubStore      []string // flags of the hub; none = a directory
	table         resultTable
}

func main() {
	explorer := flag.String("explorer", "bin/explorer", "the program to measure")
	cache := flag.String("cache", ".cache/bench", "where the workload is kept")
	runs := flag.Int("runs", 5, "repetitions of each start and opening")
	only := flag.String("only", "", "one part: start, list, open, append, steady, memory, idle, chain, scroll, click, linear, claude, forks, many, export, page, search, now, hub, large and hub-search (only if named)")
	largeSessions := flag.Int("sessions", 20_000, "number of sessions of the parts large, of 500 KB each, and hub-search")
	hubStore := flag.String("hub-store", "", "where the hub of the part hub stores everything, such as \"--db postgres://... --blobs s3://...\"; empty is a directory")
	flag.Parse()
	h := &harness.Host{Program: "bench"}
	defer h.Finish()
	path, err := filepath.Abs(*explorer)
	if err != nil {
		h.Fatalf("%v", err)
	}
	if err := os.Setenv("EXPLORER", path); err != nil {
		h.Fatalf("%v", err)
	}
	dir, err := filepath.Abs(filepath.Join(*cache, "workload"))
	if err != nil {
		h.Fatalf("%v", err)
	}
	b := &benchmark{Host: h, runs: *runs, load: loadAverage(), largeSessions: *largeSessions, hubStore: strings.Fields(*hubStore)}
	if b.work, err = workload.EnsureWorkload(dir, workload.Standard); err != nil {
		h.Fatalf("workload: %v", err)
	}
	b.browser = harness.NewBrowser(h)
	h.Cleanup(b.browser.Close)
	h.Report = b.printReport
	b.runParts(*only)
}

func (b *benchmark) runParts(only string) {
	for _, part := range []struct {
		name string
		run  func()
	}{
		{"start", b.measureStart}, {"list", b.measureList}, {"open", b.measureOpen}, {"append", b.measureAppendLatency}, {"steady", b.measureRepeatedAppends}, {"memory", b.measureMemory}, {"idle", b.measureIdleMemory}, {"chain", b.measureChain}, {"scroll", b.measureScroll}, {"click", b.measureClicks},
		{"linear", b.measureLinear}, {"claude", b.measureClaude}, {"forks", b.measureMillionForks}, {"many", b.measureManyDirs}, {"export", b.measureExport}, {"page", b.measureHTMLExport}, {"search", b.measureSearch}, {"now", b.measureNow}, {"hub", b.measureHub}, {"large", b.measureLargeLibrary}, {"hub-search", func() { measureHubSearch(b) }},
	} {
		if only == part.name || only == "" && part.name != "large" && part.name != "hub-search" {
			fmt.Fprintf(os.Stderr, "measuring %s\n", part.name)
			part.run()
			b.EndPart()
		}
	}
}

func (b *benchmark) printReport() {
	fmt.Printf("%d sessions, %.0f MB; the large one %.0f MB, %d entries, %d branches; %s, %d cores, load %s\n\n",
		b.work.Size.Sessions+1, float64(b.work.Bytes)/1e6, float64(b.work.Big.Bytes)/1e6, b.work.Big.Entries, b.work.Size.Branches, processorName(), runtime.NumCPU(), b.load)
	b.table.printTable(os.Stdout)
}

// processorName returns the CPU model on Linux, else the platform.
func processorName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				return strings.TrimSpace(strings.TrimLeft(name, " \t:"))
			}
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

// loadAverage returns the load average before the run. Results of a busy machine mean
// little.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}
