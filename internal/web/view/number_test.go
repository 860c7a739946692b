package view

import (
	"testing"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{comma(0), "0"}, {comma(999), "999"}, {comma(1050), "1,050"}, {comma(1234567), "1,234,567"}, {comma(-1000), "-1,000"}, {comma(-100), "-100"},
		{tokens(999), "999"}, {tokens(1200), "1.2k"}, {tokens(9949), "9.9k"}, {tokens(9950), "10k"}, {tokens(14499), "14k"}, {tokens(118200), "118k"}, {tokens(999499), "999k"}, {tokens(999500), "1.0M"}, {tokens(2340000), "2.3M"},
		{dollars(0), ""}, {dollars(4.205), "$4.21"}, {dollars(1412.8), "$1,412.80"}, {dollars(0.0042), "$0.0042"}, {dollars(0.00000001), "<$0.0001"}, {dollars(0.999), "$1.00"},
		{duration(0), ""}, {duration(20), "0.1s"}, {duration(220), "0.2s"}, {duration(6400), "6.4s"}, {duration(12400), "12s"}, {duration(185000), "3m 5s"},
		{plural(1, "line", "lines"), "1 line"}, {plural(1200, "line", "lines"), "1,200 lines"},
		{fileSize(999), "999 B"}, {fileSize(34567), "35 KB"}, {fileSize(1234567), "1.2 MB"},
		{packTokens(115000, 14000), "115k → 14k tokens"}, {packTokens(115000, 0), "115k tokens"}, {packTokens(0, 5), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestMoment(t *testing.T) {
	b := testBuilder()
	want := components.Time{ISO: "2026-02-03T09:00:01.250Z", Text: "2026-02-03 09:00 UTC"}
	if got := b.moment(1770109201250); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, ms := range []int64{session.NoTime, 1 << 62, -1 << 60} {
		if got := b.moment(ms); got != (components.Time{}) {
			t.Errorf("moment(%d) = %+v, want none", ms, got)
		}
	}
}
