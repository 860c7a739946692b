package index

import (
	"fmt"
	"time"

	"sessiontree/internal/session/catalog"
)

// calendar divides the past into the periods of the list by date, in one zone.
type calendar struct {
	now, today, yesterday, week time.Time // starts of the periods; week is that of the last seven days
}

// period is a group of the list by date.
type period struct {
	id     string // "today", "yesterday", "week" or a month, such as "2026-11"
	name   string // "Today", "November 2026"
	detail string // "Sunday, 22 November", "16 to 20 November", "" for a whole month
}

// newCalendar returns the calendar at a time, in the zone of that time.
func newCalendar(now time.Time) calendar {
	y, m, d := now.Date()
	day := func(ago int) time.Time { return time.Date(y, m, d-ago, 0, 0, 0, 0, now.Location()) }
	return calendar{now: now, today: day(0), yesterday: day(1), week: day(6)}
}

// tomorrow returns the start of the next day, when all groups change.
func (c calendar) tomorrow() time.Time {
	y, m, d := c.today.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, c.today.Location())
}

// periodOf returns the period of a time. The future belongs to today.
func (c calendar) periodOf(t time.Time) period {
	t = t.In(c.now.Location())
	switch {
	case !t.Before(c.today):
		return period{"today", "Today", formatDate(c.today)}
	case !t.Before(c.yesterday):
		return period{"yesterday", "Yesterday", formatDate(c.yesterday)}
	case !t.Before(c.week):
		return period{"week", "Last week", formatDays(c.week, c.yesterday.AddDate(0, 0, -1))}
	}
	month := period{id: t.Format("2006-01"), name: t.Format("January 2006")}
	if last := c.week.AddDate(0, 0, -1); last.Year() == t.Year() && last.Month() == t.Month() && c.week.Month() == t.Month() {
		month.detail = formatDays(last.AddDate(0, 0, 1-last.Day()), last) // the rest is in later groups
	}
	return month
}

// formatActive formats when a session was active, next to the heading of its period.
func (c calendar) formatActive(s *catalog.Summary) string {
	t := s.Modified.In(c.now.Location())
	switch {
	case s.IsLive(c.now):
		return "now"
	case !t.Before(c.yesterday):
		return t.Format("15:04")
	case !t.Before(c.week):
		return t.Format("Mon")
	}
	return t.Format("2 Jan")
}

func formatDate(t time.Time) string { return t.Format("Monday, 2 January") }

// formatDays formats a range of days: "16 to 20 November", "29 October to 2 November".
func formatDays(from, to time.Time) string {
	switch {
	case from.Equal(to):
		return to.Format("2 January")
	case from.Month() == to.Month():
		return fmt.Sprintf("%d to %s", from.Day(), to.Format("2 January"))
	}
	return from.Format("2 January") + " to " + to.Format("2 January")
}
