package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"
)

// result is a row of the table.
type result struct {
	what, cache, measured, target, other, floor string
	missed                                      bool
}

type resultTable []result

func (t *resultTable) addResult(r result) { *t = append(*t, r) }

func (t resultTable) printTable(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "what\tpage cache\tours\ttarget\t\tbest other program\tfloor")
	for _, r := range t {
		verdict := ""
		switch {
		case r.missed:
			verdict = "MISSED"
		case r.target != "":
			verdict = "ok"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.what, r.cache, r.measured, r.target, verdict, r.other, r.floor)
	}
	_ = tw.Flush() // the writer is stdout
}

// durations are repeated measurements.
type durations []time.Duration

// quantile returns the quantile q.
func (ts durations) quantile(q float64) time.Duration {
	if len(ts) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(ts))
	return sorted[int(math.Ceil(q*float64(len(sorted))))-1]
}

func (ts durations) median() time.Duration { return ts.quantile(.5) }

// formatSpread formats the median with the minimum and maximum.
func (ts durations) formatSpread() string {
	return fmt.Sprintf("%s (%s to %s)", formatDuration(ts.median()), formatDuration(slices.Min(ts)), formatDuration(slices.Max(ts)))
}

// formatDuration formats a duration with the significant digits.
func formatDuration(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func formatTarget(d time.Duration) string { return "< " + formatDuration(d) }
