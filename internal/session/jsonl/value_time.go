package jsonl

import "time"

// ParseTime parses a string in RFC 3339 format, with any number of fractional digits, and returns
// milliseconds since 1970.
func (v Value) ParseTime() (ms int64, ok bool) {
	if ms, ok := ParseISOTime(v.Bytes()); ok {
		return ms, true
	}
	t, err := time.Parse(time.RFC3339Nano, string(v.Bytes()))
	return t.UnixMilli(), err == nil
}

// ParseISOTime parses the one form that nearly all agents write, 2025-03-01T10:00:01.000Z, and returns
// milliseconds since 1970.
func ParseISOTime(b []byte) (ms int64, ok bool) {
	if len(b) != 24 || b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' || b[19] != '.' || b[23] != 'Z' {
		return 0, false
	}
	year, month, day := 100*twoDigits(b[0:])+twoDigits(b[2:]), twoDigits(b[5:]), twoDigits(b[8:])
	hour, minute, second := twoDigits(b[11:]), twoDigits(b[14:]), twoDigits(b[17:])
	fraction := 10*twoDigits(b[20:]) + int(b[22]-'0')
	if b[22]-'0' > 9 || year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 || fraction > 999 {
		return 0, false
	}
	seconds := int64(daysSinceEpoch(year, month, day))*86400 + int64(hour*3600+minute*60+second)
	return seconds*1000 + int64(fraction), true
}

// twoDigits parses two digits. If one is no digit, the result is too large for any part of a date.
func twoDigits(b []byte) int {
	tens, unit := b[0]-'0', b[1]-'0'
	if tens > 9 || unit > 9 {
		return 1 << 20
	}
	return int(tens)*10 + int(unit)
}

func daysIn(year, month int) int {
	if month == 2 && (year%4 != 0 || year%100 == 0 && year%400 != 0) {
		return 28
	}
	return [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// daysSinceEpoch returns the number of days from 1970-01-01 to a date. It counts years from March,
// so that the leap day comes last.
func daysSinceEpoch(year, month, day int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 1 - 719468
}
