package pi

import (
	"math"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// maxTime is the range of a JavaScript date in ms.
const maxTime = 8.64e15

// when reads a timestamp as ECMAScript reads dates: numbers are ms, null is 0, a
// date alone is UTC, a date-time without a zone is local.
func when(v jsonl.Value) int64 {
	switch v.Kind() {
	case '"':
		return whenText(v.Bytes())
	case 'n', 'f':
		return 0
	case 't':
		return 1
	case 0:
		ms, _ := v.Number()
		return asTime(ms)
	}
	return session.NoTime
}

func asTime(ms float64) int64 {
	if math.Abs(ms) <= maxTime {
		return int64(ms)
	}
	return session.NoTime
}

// layouts are the forms beside the one that agents write. Fractions of a second
// are read wherever seconds are.
var layouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04",
	"2006-01-02", "2006-01", "2006",
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, time.UnixDate, "Jan 2, 2006 15:04:05 MST", "Jan 2, 2006 15:04:05", "Jan 2, 2006",
}

func whenText(b []byte) int64 {
	if ms, ok := whenISO(b); ok {
		return ms
	}
	s := string(b)
	for _, layout := range layouts {
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

// whenISO reads the one form that agents write: 2025-03-01T10:00:01.000Z.
func whenISO(b []byte) (ms int64, ok bool) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(b) != len(form) {
		return 0, false
	}
	for i, ch := range b {
		if digit := ch-'0' <= 9; digit != (form[i] == '0') || !digit && ch != form[i] {
			return 0, false
		}
	}
	year, month, day := num(b[0:4]), num(b[5:7]), num(b[8:10])
	hour, minute, second := num(b[11:13]), num(b[14:16]), num(b[17:19])
	if year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	seconds := int64(days(year, month, day))*86400 + int64(hour*3600+minute*60+second)
	return seconds*1000 + int64(num(b[20:23])), true
}

func num(digits []byte) (n int) {
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	return n
}

func daysIn(year, month int) int {
	if month == 2 && (year%4 != 0 || year%100 == 0 && year%400 != 0) {
		return 28
	}
	return [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// days counts the days from 1970-01-01 to a date, in years that begin in March, so
// that the leap day comes last.
func days(year, month, day int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 1 - 719468
}
