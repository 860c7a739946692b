package view

import (
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{components.FormatCount(0), "0"}, {components.FormatCount(999), "999"}, {components.FormatCount(1050), "1,050"}, {components.FormatCount(1234567), "1,234,567"}, {components.FormatCount(-1000), "-1,000"}, {components.FormatCount(-100), "-100"},
		{FormatTokens(999), "999"}, {FormatTokens(1200), "1.2k"}, {FormatTokens(9949), "9.9k"}, {FormatTokens(9950), "10k"}, {FormatTokens(14499), "14k"}, {FormatTokens(118200), "118k"}, {FormatTokens(999499), "999k"}, {FormatTokens(999500), "1.0M"}, {FormatTokens(2340000), "2.3M"},
		{FormatDollars(0), ""}, {FormatDollars(4.205), "$4.21"}, {FormatDollars(1412.8), "$1,412.80"}, {FormatDollars(0.0042), "$0.0042"}, {FormatDollars(0.00000001), "<$0.0001"}, {FormatDollars(0.999), "$1.00"},
		{FormatKnownDollars(0, false), "$0.00"}, {FormatKnownDollars(1.5, false), "$1.50"}, {FormatKnownDollars(0, true), "-"}, {FormatKnownDollars(1.5, true), "$1.50 + unpriced"},
		{FormatDuration(0), ""}, {FormatDuration(20), "0.1s"}, {FormatDuration(220), "0.2s"}, {FormatDuration(6400), "6.4s"}, {FormatDuration(12400), "12s"}, {FormatDuration(185000), "3m 5s"},
		{components.Pluralize(1, "line", "lines"), "1 line"}, {components.Pluralize(1200, "line", "lines"), "1,200 lines"},
		{FormatFileSize(999), "999 B"}, {FormatFileSize(34567), "35 KB"}, {FormatFileSize(1234567), "1.2 MB"},
		{compactionTokens(115000, 14000), "115k → 14k tokens"}, {compactionTokens(115000, 0), "115k tokens"}, {compactionTokens(0, 5), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestMillisModel(t *testing.T) {
	utc := Config{Zone: time.UTC}
	want := components.Time{ISO: "2026-02-03T09:00:01.250Z", Text: "2026-02-03 09:00 UTC"}
	if got := utc.MillisModel(1770109201250); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, ms := range []int64{session.NoTime, 1 << 62, -1 << 60} {
		if got := utc.MillisModel(ms); got != (components.Time{}) {
			t.Errorf("moment(%d) = %+v, want none", ms, got)
		}
	}
}
