package components

import (
	"testing"
	"time"
)

// The script writes the same texts (e2e TestTimes).
func TestFormatTime(t *testing.T) {
	const day = 24 * time.Hour
	berlin := time.FixedZone("CET", 3600)
	now := time.Date(2026, 11, 22, 14, 30, 0, 0, berlin)
	ages := map[time.Duration]string{
		-time.Hour: "now", 59 * time.Second: "now", time.Minute: "1m", time.Hour - 1: "59m", time.Hour: "1h", day - 1: "23h",
		day: "1d", 7*day - 1: "6d", 7 * day: "1w", 60*day - 1: "8w", 60 * day: "1mo", 61 * day: "2mo", 730*day - 1: "23mo",
		730 * day: "1y", 731 * day: "2y",
	}
	for ago, want := range ages {
		if got := formatTime(now.Add(-ago), now, "age"); got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
	}
	for _, tt := range []struct{ at, how, want string }{
		{"2026-11-21T23:00:00Z", "clock", "00:00"},
		{"2026-11-21T22:59:00Z", "clock", "Sat 23:59"},
		{"2026-11-22T22:59:00Z", "clock", "23:59"},
		{"2026-11-22T23:00:00Z", "clock", "23 Nov, 00:00"}, // it is in the future
		{"2026-11-16T13:30:00Z", "clock", "16 Nov, 14:30"},
		{"2026-09-01T10:05:00Z", "clock", "1 Sept, 11:05"},
		{"2025-11-22T13:30:00Z", "clock", "22 Nov 2025, 14:30"},
		{"2026-11-21T13:30:01Z", "short", "14:30"},
		{"2026-11-21T13:30:00Z", "short", "1d"},
		{"2026-09-30T23:30:00Z", "date", "1 Oct 2026"},
	} {
		page := WithPageTime(t.Context(), now)
		if got := timeText(page, Time{ISO: tt.at, Text: "not used"}, tt.how); got != tt.want {
			t.Errorf("%s as %s: %q, want %q", tt.at, tt.how, got, tt.want)
		}
	}
}

// Without the time of the page, a text has no age and names its zone.
func TestTimeText_LaterPage(t *testing.T) {
	at := Time{ISO: "2026-11-22T13:30:00.000Z", Text: "2026-11-22 14:30 CET"}
	for how, want := range map[string]string{"clock": at.Text, "age": "2026-11-22", "short": "2026-11-22", "date": "2026-11-22"} {
		if got := timeText(t.Context(), at, how); got != want {
			t.Errorf("%s: %q, want %q", how, got, want)
		}
	}
}
