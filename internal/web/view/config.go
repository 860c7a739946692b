package view

import (
	"time"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
	"sessiontree/web/components"
)

// Config determines how values are written.
type Config struct {
	Home string         // shown as "~"
	Zone *time.Location // zone of times written as text; nil = the machine's
	// FormatTitle and FormatGlyph return a format's display name and its symbol in lists;
	// nil or "" = its plain name and the first letter of that.
	FormatTitle, FormatGlyph func(name string) string
	Prices                   *prices.Table // nil = the embedded ones
}

// PriceTable returns the prices of requests whose cost is not recorded.
func (c Config) PriceTable() *prices.Table {
	if c.Prices == nil {
		return prices.Default()
	}
	return c.Prices
}

// ForAudience returns the configuration for an audience. Viewers of snapshots get times in
// UTC, since the zone would reveal the owner's location. Script converts them to the
// viewer's zone.
func (c Config) ForAudience(a Audience) Config {
	if a.Snapshot != nil {
		c.Zone = time.UTC
	}
	return c
}

// TitleOfFormat returns the display name of a format.
func (c Config) TitleOfFormat(name string) string {
	if c.FormatTitle != nil {
		if t := c.FormatTitle(name); t != "" {
			return t
		}
	}
	return name
}

// GlyphOfFormat returns the symbol of a format in lists.
func (c Config) GlyphOfFormat(name string) string {
	if c.FormatGlyph != nil {
		if g := c.FormatGlyph(name); g != "" {
			return g
		}
	}
	_, n := utf8.DecodeRuneInString(name)
	return name[:n]
}

// InZone returns t in the zone in which times are written.
func (c Config) InZone(t time.Time) time.Time {
	if c.Zone == nil {
		return t.Local()
	}
	return t.In(c.Zone)
}

// MillisModel converts a time in milliseconds.
func (c Config) MillisModel(ms int64) components.Time {
	if ms == session.NoTime {
		return components.Time{}
	}
	return c.TimeModel(time.UnixMilli(ms))
}

// TimeModel converts a time.
func (c Config) TimeModel(t time.Time) components.Time {
	// A year of five digits is not valid RFC 3339, nor a real time.
	if y := t.Year(); t.IsZero() || y < 1 || y > 9999 {
		return components.Time{}
	}
	return components.Time{
		ISO:  t.UTC().Format("2006-01-02T15:04:05.000Z"),
		Text: c.InZone(t).Format("2006-01-02 15:04 MST"),
	}
}

// FormatISODay formats a date as 2026-11-27.
func (c Config) FormatISODay(t time.Time) string { return c.InZone(t).Format(time.DateOnly) }

// FormatDay formats a date: "27 Nov", in another year "27 Nov 2027".
func (c Config) FormatDay(t, now time.Time) string {
	t, now = c.InZone(t), c.InZone(now)
	if t.Year() == now.Year() {
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}
