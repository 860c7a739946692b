package components

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// pageTimeKey is the context key for the time of a page.
type pageTimeKey struct{}

// WithPageTime makes components write times as the script of the page will, at a time and in its
// zone, so that nothing changes when the script has started. Pages for others and pages that are
// opened later have no such time, which is the zero time: it would reveal the zone, and ages would be
// wrong.
func WithPageTime(ctx context.Context, now time.Time) context.Context {
	return context.WithValue(ctx, pageTimeKey{}, now)
}

// timeText returns the text of a time until script has run. Where the time of the page is not
// known, it is the full text for "clock", and else the day.
func timeText(ctx context.Context, t Time, how string) string {
	now, _ := ctx.Value(pageTimeKey{}).(time.Time)
	at, err := time.Parse(time.RFC3339, t.ISO)
	switch {
	case !now.IsZero() && err == nil:
		return formatTime(at.In(now.Location()), now, how)
	case how == "clock":
		return t.Text
	}
	day, _, _ := strings.Cut(t.Text, " ")
	return day
}

// formatTime formats a time in the zone of now. It is writeTime of web/static/js/times.js.
func formatTime(at, now time.Time, how string) string {
	switch {
	case how == "date":
		return formatMonth(at, "2 Jan 2006")
	case how == "clock":
		return formatClock(at, now)
	case how == "short" && now.Sub(at) < 24*time.Hour:
		return at.Format("15:04")
	}
	return formatAge(now.Sub(at))
}

func formatClock(at, now time.Time) string {
	past := now.Sub(at)
	switch {
	case at.Year() == now.Year() && at.YearDay() == now.YearDay():
		return at.Format("15:04")
	case 0 < past && past < 6*24*time.Hour:
		return at.Format("Mon 15:04")
	case at.Year() == now.Year():
		return formatMonth(at, "2 Jan, 15:04")
	}
	return formatMonth(at, "2 Jan 2006, 15:04")
}

// formatMonth formats a time with a short month, in British English as browsers write it.
func formatMonth(at time.Time, layout string) string {
	return strings.Replace(at.Format(layout), " Sep", " Sept", 1)
}

// formatAge formats how long ago something was: "now", "5m", "3h", "6d", "2w", "4mo", "3y". It is
// formatAge of web/static/js/times.js.
func formatAge(age time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case age < time.Minute:
		return "now"
	case age < time.Hour:
		return fmt.Sprintf("%dm", age/time.Minute)
	case age < day:
		return fmt.Sprintf("%dh", age/time.Hour)
	case age < 7*day:
		return fmt.Sprintf("%dd", age/day)
	case age < 60*day:
		return fmt.Sprintf("%dw", age/(7*day))
	case age < 730*day:
		return fmt.Sprintf("%dmo", int(age.Hours()/24/30.44))
	}
	return fmt.Sprintf("%dy", int(age.Hours()/24/365.25))
}
