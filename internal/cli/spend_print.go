package cli

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/spend/report"
	"sessiontree/internal/web/view"
)

// spendJSON is the output of spend --json. Costs are in dollars.
type spendJSON struct {
	Schema   int            `json:"schema"`
	Prices   pricesJSON     `json:"prices"`
	Total    sumsJSON       `json:"total"`
	Left     sumsJSON       `json:"left"`  // on branches that were left
	Other    sumsJSON       `json:"other"` // requests that only running totals include
	Days     []dayJSON      `json:"days"`
	Projects []groupJSON    `json:"projects"`
	Models   []groupJSON    `json:"models"`
	Agents   []groupJSON    `json:"agents"`
	Sessions []spentJSON    `json:"sessions"`
	Branches []spentJSON    `json:"branches"` // that were left
	Tools    []toolJSON     `json:"tools"`
	Unpriced []unpricedJSON `json:"unpriced"` // models without a price
}

type pricesJSON struct {
	Date string  `json:"date"`
	File *string `json:"file"`
}

type sumsJSON struct {
	Cost         float64 `json:"cost"` // of the requests with a price
	Requests     int64   `json:"requests"`
	Unpriced     int64   `json:"unpriced"` // requests without a price
	Input        int64   `json:"input"`
	Output       int64   `json:"output"`
	Thinking     int64   `json:"thinking"` // of output
	CacheRead    int64   `json:"cacheRead"`
	CacheWrite5m int64   `json:"cacheWrite5m"`
	CacheWrite1h int64   `json:"cacheWrite1h"`
	ToolCalls    int64   `json:"toolCalls"`
	ToolFailures int64   `json:"toolFailures"`
	ModelMs      int64   `json:"modelMs"`
	ToolMs       int64   `json:"toolMs"`
}

type dayJSON struct {
	Day   string   `json:"day"`
	Total sumsJSON `json:"total"`
	Left  sumsJSON `json:"left"`
}

type groupJSON struct {
	Name  string   `json:"name"`
	Total sumsJSON `json:"total"`
	Left  sumsJSON `json:"left"`
}

type spentJSON struct {
	Key   string    `json:"key"`
	Path  string    `json:"path"`
	Title string    `json:"title"`
	Tip   string    `json:"tip,omitempty"` // of a branch
	Total sumsJSON  `json:"total"`
	Left  *sumsJSON `json:"left,omitempty"` // of a session
}

type toolJSON struct {
	Name   string `json:"name"`
	Calls  int64  `json:"calls"`
	Failed int64  `json:"failed"`
}

type unpricedJSON struct {
	Model    string `json:"model"`
	Requests int64  `json:"requests"`
}

func newSumsJSON(s *spend.Sums) sumsJSON {
	return sumsJSON{Cost: s.Cost, Requests: s.Requests, Unpriced: s.Unpriced, Input: s.Input, Output: s.Output, Thinking: s.Thinking, CacheRead: s.CacheRead,
		CacheWrite5m: s.CacheWrite - s.CacheWrite1h, CacheWrite1h: s.CacheWrite1h, ToolCalls: s.ToolCalls, ToolFailures: s.ToolFailures, ModelMs: s.ModelWait, ToolMs: s.ToolWait}
}

func newSpendJSON(r *report.Report) spendJSON {
	j := spendJSON{Schema: 1, Prices: pricesJSON{r.Prices.Date.Format(time.DateOnly), stringOrNull(r.Prices.File)},
		Total: newSumsJSON(&r.Total), Left: newSumsJSON(&r.Left), Other: newSumsJSON(&r.Other),
		Days: []dayJSON{}, Sessions: []spentJSON{}, Branches: []spentJSON{}, Tools: []toolJSON{}, Unpriced: []unpricedJSON{}}
	for i := range r.Days {
		d := &r.Days[i]
		j.Days = append(j.Days, dayJSON{d.Date.Format(time.DateOnly), newSumsJSON(&d.Total), newSumsJSON(&d.Left)})
	}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		left := newSumsJSON(&s.Left)
		j.Sessions = append(j.Sessions, spentJSON{Key: s.Key, Path: s.Path, Title: s.Title(), Total: newSumsJSON(&s.Total), Left: &left})
	}
	for i := range r.Branches {
		b := &r.Branches[i]
		j.Branches = append(j.Branches, spentJSON{Key: b.Session.Key, Path: b.Session.Path, Title: b.Title, Tip: b.Tip, Total: newSumsJSON(&b.Total)})
	}
	for _, t := range r.Tools {
		j.Tools = append(j.Tools, toolJSON(t))
	}
	for _, m := range r.Unpriced() {
		j.Unpriced = append(j.Unpriced, unpricedJSON{m.Name, m.Total.Unpriced})
	}
	j.Projects, j.Models, j.Agents = newGroupsJSON(r.Projects), newGroupsJSON(r.Models), newGroupsJSON(r.Agents)
	return j
}

func newGroupsJSON(groups []report.Group) []groupJSON {
	list := make([]groupJSON, len(groups))
	for i := range groups {
		g := &groups[i]
		list[i] = groupJSON{g.Name, newSumsJSON(&g.Total), newSumsJSON(&g.Left)}
	}
	return list
}

// maxSpendRows is how many rows of a list are printed.
const maxSpendRows = 10

// printSpend prints a report for people.
func (p *program) printSpend(r *report.Report) error {
	out := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(out, "Total\t%s\t%s\n", view.FormatCost(&r.Total), countRequests(r.Total.Requests))
	fmt.Fprintf(out, "On branches you left\t%s\t%s\n", view.FormatCost(&r.Left), shareText(&r.Left, &r.Total))
	if r.Other.Requests > 0 {
		fmt.Fprintf(out, "Other requests\t%s\tcompactions and the like\n", view.FormatCost(&r.Other))
	}
	printGroups(out, "Projects", r.Projects, &r.Total)
	printGroups(out, "Models", r.Models, &r.Total)
	printGroups(out, "Agents", r.Agents, &r.Total)
	printRows(out, "Sessions", len(r.Sessions), func(i int) string {
		s := &r.Sessions[i]
		return cellText(s.Title()) + "\t" + view.FormatCost(&s.Total) + "\t" + terminal.CleanLine(s.Path)
	})
	printRows(out, "Branches you left", len(r.Branches), func(i int) string {
		b := &r.Branches[i]
		return cellText(b.Title) + "\t" + view.FormatCost(&b.Total) + "\t" + terminal.CleanLine(b.Session.Path)
	})
	printRows(out, "Tools", len(r.Tools), func(i int) string {
		t := &r.Tools[i]
		return fmt.Sprintf("%s\t%s\t%d failed", cellText(cmp.Or(t.Name, "unknown")), terminal.Pluralize(int32(t.Calls), "call", "calls"), t.Failed)
	})
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "\nAt API prices of %s; a subscription may cost less.\n", r.Prices.Date.Format("2 January 2006"))
	for _, m := range r.Unpriced() {
		fmt.Fprintf(p.out, "No price: %s, %s\n", cellText(cmp.Or(m.Name, "unknown model")), countRequests(m.Total.Unpriced))
	}
	return nil
}

func printGroups(out io.Writer, title string, groups []report.Group, total *spend.Sums) {
	printRows(out, title, len(groups), func(i int) string {
		g := &groups[i]
		return cellText(cmp.Or(g.Name, "unknown")) + "\t" + view.FormatCost(&g.Total) + "\t" + shareText(&g.Total, total)
	})
}

// printRows prints the first of n rows below a title.
func printRows(out io.Writer, title string, n int, row func(i int) string) {
	if n == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for i := range min(n, maxSpendRows) {
		fmt.Fprintf(out, "  %s\n", row(i))
	}
}

func countRequests(n int64) string { return terminal.Pluralize(int32(n), "request", "requests") }

func cellText(s string) string { return terminal.CleanLine(rowtext.Cut(rowtext.OneLine(s), 49)) }

// shareText returns the share of a cost in another: "17%".
func shareText(part, whole *spend.Sums) string {
	if whole.Cost <= 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*part.Cost/whole.Cost)
}
