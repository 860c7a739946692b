// Command bench measures the built explorer with a real Chromium on a generated
// library of pi sessions and prints a table beside the targets. make bench runs
// it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/workload"
)

// bench is one run: what is measured on what, and the rows of the table.
type bench struct {
	*host
	work    workload.Manifest
	browser *harness.Browser
	runs    int
	load    string
	table   table
}

func main() {
	explorer := flag.String("explorer", "bin/explorer", "the program to measure")
	cache := flag.String("cache", ".cache/bench", "where the workload is kept")
	runs := flag.Int("runs", 5, "repetitions of each start and opening")
	only := flag.String("only", "", "one part: start, open, append, steady, memory, idle, chain, scroll, linear, claude, forks, many, export, page")
	flag.Parse()
	h := &host{}
	defer h.finish()
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
	b := &bench{host: h, runs: *runs, load: load()}
	if b.work, err = workload.Ensure(dir, workload.Standard); err != nil {
		h.Fatalf("workload: %v", err)
	}
	b.browser = harness.NewBrowser(h)
	h.Cleanup(b.browser.Close)
	h.report = b.print
	b.run(*only)
}

func (b *bench) run(only string) {
	for _, part := range []struct {
		name string
		run  func()
	}{
		{"start", b.start}, {"open", b.open}, {"append", b.follow}, {"steady", b.steady}, {"memory", b.memory}, {"idle", b.idle}, {"chain", b.chain}, {"scroll", b.scroll},
		{"linear", b.linear}, {"claude", b.claude}, {"forks", b.forks1M}, {"many", b.many}, {"export", b.export}, {"page", b.page},
	} {
		if only == "" || only == part.name {
			fmt.Fprintf(os.Stderr, "measuring %s\n", part.name)
			part.run()
			b.endPart()
		}
	}
}

func (b *bench) print() {
	fmt.Printf("%d sessions, %.0f MB; the large one %.0f MB, %d entries, %d branches; %s, %d cores, load %s\n\n",
		b.work.Size.Sessions+1, float64(b.work.Bytes)/1e6, float64(b.work.Big.Bytes)/1e6, b.work.Big.Entries, b.work.Size.Branches, processor(), runtime.NumCPU(), b.load)
	b.table.print(os.Stdout)
}

// processor names the machine where Linux tells.
func processor() string {
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

// load is how busy the machine was before: figures of a busy machine mean little.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}
