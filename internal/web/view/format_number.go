package view

import (
	"cmp"
	"fmt"
	"strconv"

	"sessiontree/internal/session/spend"
	"sessiontree/web/components"
)

// FormatTokens formats a number of tokens: "999", "1.2k", "118k", "2.3M".
func FormatTokens(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 9950:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
	case n < 999_500:
		return strconv.FormatInt((n+500)/1000, 10) + "k"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + "M"
}

// FormatDollars formats a cost: "$4.21", small amounts with four decimals, and "" for zero.
func FormatDollars(c float64) string {
	switch {
	case c <= 0:
		return ""
	case c < 0.0001:
		return "<$0.0001"
	case c < 0.01:
		return fmt.Sprintf("$%.4f", c)
	}
	cents := int(c*100 + 0.5)
	return fmt.Sprintf("$%s.%02d", components.FormatCount(cents/100), cents%100)
}

// FormatKnownDollars formats a cost of which a part may have no price: "$0.00" for zero,
// "-" if nothing has a price, else the known part.
func FormatKnownDollars(c float64, unpriced bool) string {
	switch {
	case !unpriced:
		return cmp.Or(FormatDollars(c), "$0.00")
	case c == 0:
		return "-"
	}
	return FormatDollars(c) + " + unpriced"
}

// FormatCost formats the cost of requests.
func FormatCost(s *spend.Sums) string { return FormatKnownDollars(s.Cost, s.Unpriced != 0) }

// FormatDuration formats a duration: "0.2s", "12s", "3m 5s".
func FormatDuration(ms int64) string {
	switch {
	case ms <= 0:
		return ""
	case ms < 9950:
		return fmt.Sprintf("%.1fs", max(float64(ms)/1000, 0.1))
	case ms < 60_000:
		return fmt.Sprintf("%ds", (ms+500)/1000)
	}
	s := (ms + 500) / 1000
	return fmt.Sprintf("%dm %ds", s/60, s%60)
}

// FormatFileSize formats a size: "1.2 MB".
func FormatFileSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.0f KB", float64(n)/1e3)
	}
	if n >= 1_000_000_000 {
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
