package push

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/push"
)

// plannedJSON is a file that would be pushed.
type plannedJSON struct {
	Path     string         `json:"path"`
	Project  string         `json:"project"`
	Size     int64          `json:"size"`
	Findings map[string]int `json:"findings"`
}

// reportJSON is what was pushed.
type reportJSON struct {
	Files    int            `json:"files"`
	Sent     int64          `json:"sent"`
	Findings map[string]int `json:"findings"`
	Refused  []refusedJSON  `json:"refused"`
}

type refusedJSON struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// printPlan prints what would be pushed.
func (c Config) printPlan(ctx context.Context, p *push.Pusher) error {
	planned, bytes, hidden := []plannedJSON{}, int64(0), 0
	err := p.Plan(ctx, func(f push.PlannedFile) error {
		planned = append(planned, plannedJSON(f))
		bytes, hidden = bytes+f.Size, hidden+sumCounts(f.Findings)
		if c.PrintJSON != nil {
			return nil
		}
		text := ""
		if len(f.Findings) > 0 {
			text = "  removed: " + describeCounts(f.Findings)
		}
		_, err := fmt.Fprintf(c.Out, "%8s  %s  %s%s\n", terminal.FormatSize(f.Size), terminal.CleanLine(f.Project), terminal.CleanLine(f.Path), text)
		return err
	})
	if err != nil {
		return err
	}
	if c.PrintJSON != nil {
		return c.PrintJSON(planned)
	}
	_, err = fmt.Fprintf(c.Out, "%s, %s, %s removed. Nothing was sent.\n", terminal.Pluralize(int32(len(planned)), "file", "files"), terminal.FormatSize(bytes), terminal.Pluralize(int32(hidden), "secret", "secrets"))
	return err
}

// printReport prints what was pushed. It returns an error if a file was refused.
func (c Config) printReport(r *push.Report) error {
	if c.PrintJSON != nil {
		out := reportJSON{Files: r.Files, Sent: r.Sent, Findings: r.Findings, Refused: []refusedJSON{}}
		for _, f := range r.Refused {
			out.Refused = append(out.Refused, refusedJSON(f))
		}
		if err := c.PrintJSON(out); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(c.Out, "%s on the hub, %s sent, %s removed.\n", terminal.Pluralize(int32(r.Files), "file is", "files are"), terminal.FormatSize(r.Sent), terminal.Pluralize(int32(r.Hidden()), "secret", "secrets"))
		for _, f := range r.Refused {
			fmt.Fprintf(c.Err, "explorer: not pushed: %s: %s\n", terminal.CleanLine(f.Path), terminal.CleanLine(f.Reason))
		}
	}
	if len(r.Refused) > 0 {
		return errors.New(terminal.Pluralize(int32(len(r.Refused)), "file was", "files were") + " not pushed")
	}
	return nil
}

func sumCounts(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// describeCounts returns counts by kind as a text.
func describeCounts(counts map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d × %s", counts[kind], kind))
	}
	return strings.Join(parts, ", ")
}
