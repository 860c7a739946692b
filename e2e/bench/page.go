package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// measureHTMLExport measures HTML exports: the time to write them, their size, and the
// time to open them from disk.
func (b *benchmark) measureHTMLExport() {
	for _, c := range []struct {
		what    string
		entries int
		write   func(io.Writer, workload.Spec) (workload.Written, error)
		target  time.Duration // until the page is ready in a browser
		export  time.Duration
	}{
		{"chain", 10_000, workload.WriteChain, time.Second, 700 * time.Millisecond}, {"chain", 50_000, workload.WriteChain, 0, 0},
		{"session", 10_000, workload.WriteSession, time.Second, 700 * time.Millisecond}, {"session", 50_000, workload.WriteSession, 0, 0},
	} {
		path := filepath.Join(b.TempDir(), "s.jsonl")
		f, err := os.Create(path)
		if err != nil {
			b.Fatalf("%v", err)
		}
		spec := workload.Spec{Seed: 7, Cwd: "/home/dev/work/page", Start: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), Entries: c.entries, Branches: c.entries / 100}
		if _, err := c.write(f, spec); err != nil {
			b.Fatalf("%v", err)
		}
		if err := f.Close(); err != nil {
			b.Fatalf("%v", err)
		}
		what := fmt.Sprintf("page of a %s of %d entries: ", c.what, c.entries)
		out := b.measureExportHTML(path, what, c.export)
		b.measureOpenHTML(out, what, c.target)
	}
}

// measureExportHTML measures the export, from the start of the program to its end.
func (b *benchmark) measureExportHTML(path, what string, target time.Duration) string {
	home, out := b.TempDir(), filepath.Join(filepath.Dir(path), "page.html")
	var ts durations
	for range b.runs {
		if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
			b.Fatalf("%v", err)
		}
		began := time.Now()
		harness.RunCommand(b, home, "export", path, "--as", "html", "--redact", "none", "-o", out)
		ts = append(ts, time.Since(began))
	}
	page, err := os.Stat(out)
	if err != nil {
		b.Fatalf("%v", err)
	}
	r := result{what: what + "export", cache: "warm", measured: fmt.Sprintf("%s, %.1f MB", ts.formatSpread(), float64(page.Size())/1e6)}
	if target > 0 {
		r.target, r.other, r.missed = formatTarget(target), "0.7 s (pi)", ts.median() >= target
	}
	b.table.addResult(r)
	return out
}

// measureOpenHTML measures opening the page: until rows and path are painted, and until
// the script is ready.
func (b *benchmark) measureOpenHTML(path, what string, target time.Duration) {
	address := (&url.URL{Scheme: "file", Path: path}).String()
	var painted, ready durations
	for range b.runs {
		p := b.browser.NewPage(b)
		p.AddInitScript(paintScript + `; new MutationObserver((_, watch) => { if (document.documentElement.dataset.ready !== undefined) { window.scriptReady = performance.now(); watch.disconnect() } }).observe(document, {attributes: true, subtree: true})`)
		p.Open(address)
		painted = append(painted, waitForFirstPaint(p))
		p.WaitUntil(`window.scriptReady`)
		ready = append(ready, toDuration(harness.EvalScript[float64](p, `window.scriptReady`)))
		p.Close()
	}
	b.table.addResult(result{what: what + "first paint", cache: "warm", measured: painted.formatSpread()})
	if target > 0 {
		b.table.addWithTarget(what+"ready", "warm", ready, target, "2.6 s (pi)", "")
		return
	}
	b.table.addResult(result{what: what + "ready", cache: "warm", measured: ready.formatSpread(), other: "blank (pi)"})
}
