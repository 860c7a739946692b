package now

import (
	"fmt"
	"time"

	"sessiontree/web/components"
)

// elapsedSince returns the time since a moment in ms.
func elapsedSince(millis int64, how string, now time.Time) components.Elapsed {
	e := components.Elapsed{Millis: millis, How: how}
	seconds := max(now.UnixMilli()-millis, 0) / 1000
	switch how {
	case "clock":
		e.Text = formatClock(seconds)
	case "ago":
		e.Text = formatWords(seconds) + " ago"
	default:
		e.Text = formatWords(seconds)
	}
	return e
}

// formatClock formats seconds as a running clock: "0:42", "1:02:03".
func formatClock(seconds int64) string {
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// formatWords formats seconds: "38 s", "6 min 12 s", "26 min", "3 h".
func formatWords(seconds int64) string {
	switch {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 600:
		return fmt.Sprintf("%d min %d s", seconds/60, seconds%60)
	case seconds < 3600:
		return fmt.Sprintf("%d min", seconds/60)
	}
	return fmt.Sprintf("%d h", seconds/3600)
}
