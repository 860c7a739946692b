package view

import (
	"testing"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{components.FormatCount(0), "0"}, {components.FormatCount(999), "999"}, {components.FormatCount(1050), "1,050"}, {components.FormatCount(1234567), "1,234,567"}, {components.FormatCount(-1000), "-1,000"}, {components.FormatCount(-100), "-100"},
		{formatTokens(999), "999"}, {formatTokens(1200), "1.2k"}, {formatTokens(9949), "9.9k"}, {formatTokens(9950), "10k"}, {formatTokens(14499), "14k"}, {formatTokens(118200), "118k"}, {formatTokens(999499), "999k"}, {formatTokens(999500), "1.0M"}, {formatTokens(2340000), "2.3M"},
		{formatDollars(0), ""}, {formatDollars(4.205), "$4.21"}, {formatDollars(1412.8), "$1,412.80"}, {formatDollars(0.0042), "$0.0042"}, {formatDollars(0.00000001), "<$0.0001"}, {formatDollars(0.999), "$1.00"},
		{formatDuration(0), ""}, {formatDuration(20), "0.1s"}, {formatDuration(220), "0.2s"}, {formatDuration(6400), "6.4s"}, {formatDuration(12400), "12s"}, {formatDuration(185000), "3m 5s"},
		{components.Pluralize(1, "line", "lines"), "1 line"}, {components.Pluralize(1200, "line", "lines"), "1,200 lines"},
		{formatFileSize(999), "999 B"}, {formatFileSize(34567), "35 KB"}, {formatFileSize(1234567), "1.2 MB"},
		{compactionTokens(115000, 14000), "115k → 14k tokens"}, {compactionTokens(115000, 0), "115k tokens"}, {compactionTokens(0, 5), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestMillisModel(t *testing.T) {
	want := components.Time{ISO: "2026-02-03T09:00:01.250Z", Text: "2026-02-03 09:00 UTC"}
	if got := testConfig().millisModel(1770109201250); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, ms := range []int64{session.NoTime, 1 << 62, -1 << 60} {
		if got := testConfig().millisModel(ms); got != (components.Time{}) {
			t.Errorf("moment(%d) = %+v, want none", ms, got)
		}
	}
}
