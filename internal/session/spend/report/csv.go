package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"sessiontree/internal/session/spend"
)

// WriteCSV writes a report as CSV: a row for each session, with what its branches cost that
// were left.
func (r *Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"session", "title", "agent", "project", "last_active", "requests", "input_tokens", "output_tokens", "thinking_tokens", "cache_read_tokens",
		"cache_write_tokens", "cache_write_1h_tokens", "cost_usd", "left_cost_usd", "unpriced_requests", "tool_calls", "failed_tool_calls", "model_seconds", "tool_seconds"}}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		row := []string{s.Key, cellText(s.Title()), s.Format, cellText(s.Cwd), s.Modified.UTC().Format("2006-01-02T15:04:05Z")}
		rows = append(rows, append(row, sumCells(&s.Total, s.Left.Cost)...))
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("CSV: %w", err)
	}
	return nil
}

func sumCells(s *spend.Sums, left float64) []string {
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	dollars := func(d float64) string { return strconv.FormatFloat(d, 'f', 6, 64) }
	seconds := func(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64) }
	return []string{count(s.Requests), count(s.Input), count(s.Output), count(s.Thinking), count(s.CacheRead), count(s.CacheWrite), count(s.CacheWrite1h),
		dollars(s.Cost), dollars(left), count(s.Unpriced), count(s.ToolCalls), count(s.ToolFailures), seconds(s.ModelWait), seconds(s.ToolWait)}
}

// cellText returns a text that no spreadsheet takes for a formula.
func cellText(s string) string {
	if s != "" && (s[0] == '=' || s[0] == '+' || s[0] == '-' || s[0] == '@' || s[0] == '\t' || s[0] == '\r') {
		return "'" + s
	}
	return s
}

// Title returns the title of the session.
func (s *Session) Title() string { return SessionTitle(&s.Summary) }
