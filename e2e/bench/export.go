package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
)

// measureExport measures the export of the large session as a session file: unchanged,
// redacted, and redacted without tool output.
func (b *benchmark) measureExport() {
	path := b.work.Big.Path
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}})
	if err != nil {
		b.Fatalf("%v", err)
	}
	s, err := lib.Open(context.Background(), path)
	if err != nil {
		b.Fatalf("%v", err)
	}
	rules := redact.New(redact.Options{Home: "/home/dana.w", User: "dana.w", Host: "kestrel"})
	all := map[string]bool{redact.ClassKeys: true, redact.ClassPersonal: true}
	for _, c := range []struct {
		what   string
		o      export.Options
		target float64
	}{
		{"as it stands", export.Options{}, 0},
		{"redacted", export.Options{Redactor: rules, Classes: all}, 50},
		{"redacted, without output, thinking, images", export.Options{Redactor: rules, Classes: all, Omit: export.Omissions{Output: true, Thinking: true, Images: true}}, 50},
	} {
		b.measureExportRuns(s, "export as JSONL, "+c.what, c.o, c.target)
	}
}

// measureExportRuns measures the exported megabytes per second.
func (b *benchmark) measureExportRuns(s *store.Session, what string, o export.Options, target float64) {
	o.Part, o.Kind = export.Part{Scope: export.Tree}, export.JSONL
	var ts durations
	for range b.runs {
		began := time.Now()
		job, err := export.Prepare(context.Background(), s, o)
		if err == nil {
			_, err = job.Write(context.Background(), io.Discard)
		}
		if err != nil {
			b.Fatalf("%v", err)
		}
		ts = append(ts, time.Since(began))
	}
	speed := float64(b.work.Big.Bytes) / 1e6 / ts.median().Seconds()
	r := result{what: what, cache: "warm", measured: fmt.Sprintf("%.0f MB/s, %s", speed, ts.formatSpread()), missed: speed < target}
	if target > 0 {
		r.target = fmt.Sprintf("> %.0f MB/s", target)
	}
	b.table.addResult(r)
}
