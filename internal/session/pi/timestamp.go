package pi

import (
	"math"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// maxTime is the range of a JavaScript date in milliseconds.
const maxTime = 8.64e15

// parseTimestamp parses a timestamp as ECMAScript parses dates: numbers are milliseconds, null is
// 0, a date alone is UTC, a date-time without a zone is local.
func parseTimestamp(v jsonl.Value) int64 {
	switch v.Kind() {
	case '"':
		return parseTimeText(v.Bytes())
	case 'n', 'f':
		return 0
	case 't':
		return 1
	case 0:
		ms, _ := v.Number()
		return timeFromNumber(ms)
	}
	return session.NoTime
}

func timeFromNumber(ms float64) int64 {
	if math.Abs(ms) <= maxTime {
		return int64(ms)
	}
	return session.NoTime
}

// timeLayouts are the accepted forms other than the one that agents write. Fractions of a second
// are accepted wherever seconds are.
var timeLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04",
	"2006-01-02", "2006-01", "2006",
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, time.UnixDate, "Jan 2, 2006 15:04:05 MST", "Jan 2, 2006 15:04:05", "Jan 2, 2006",
}

func parseTimeText(b []byte) int64 {
	if ms, ok := jsonl.ParseISOTime(b); ok {
		return ms
	}
	s := string(b)
	for _, layout := range timeLayouts {
		zone := time.Local
		if len(layout) <= len("2006-01-02") {
			zone = time.UTC
		}
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t.UnixMilli()
		}
	}
	return session.NoTime
}
