package spend

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"sessiontree/internal/session/spend/report"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// chartHeight is the height of the drawing.
const chartHeight = 160

// Days, weeks and months are shown up to this many days.
const (
	maxDailyBars  = 92
	maxWeeklyBars = 2 * 366
)

// bucket is what a bar shows.
type bucket struct {
	first, last time.Time // days
	total, left float64
}

// chartModel returns the chart of the days from first to last.
func (b *builder) chartModel(first, last time.Time) components.SpendChart {
	m := components.SpendChart{Title: "By day", Header: "Day"}
	for _, u := range units {
		m.Units = append(m.Units, components.Chip{Text: u.text, On: u.name == b.params.Unit, Href: b.params.with(func(p *Params) { p.Unit = u.name }).href()})
		if u.name == b.params.Unit {
			m.Unit = u.text
		}
	}
	days := int(math.Round(last.Sub(first).Hours()/24)) + 1
	next := func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }
	switch {
	case days > maxWeeklyBars:
		m.Title, m.Header = "By month", "Month"
		next = func(t time.Time) time.Time {
			return time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, t.Location())
		}
	case days > maxDailyBars:
		m.Title, m.Header = "By week", "Week"
		next = func(t time.Time) time.Time { return t.AddDate(0, 0, 7-(int(t.Weekday())+6)%7) }
	}
	buckets := b.fillBuckets(first, last, next)
	b.drawBars(&m, buckets)
	return m
}

// fillBuckets returns the values of all days, weeks or months from first to last.
func (b *builder) fillBuckets(first, last time.Time, next func(time.Time) time.Time) []bucket {
	var buckets []bucket
	days := b.report.Days
	for at := first; !at.After(last); at = next(at) {
		k := bucket{first: at, last: next(at).AddDate(0, 0, -1)}
		if k.last.After(last) {
			k.last = last
		}
		for len(days) > 0 && !days[0].Date.After(k.last) {
			if !days[0].Date.Before(at) {
				total, left := b.unitOf(&days[0])
				k.total, k.left = k.total+total, k.left+left
			}
			days = days[1:]
		}
		buckets = append(buckets, k)
	}
	return buckets
}

// unitOf returns what the bars show of a day.
func (b *builder) unitOf(d *report.Day) (total, left float64) {
	switch b.params.Unit {
	case "tokens":
		return float64(d.Total.Tokens()), float64(d.Left.Tokens())
	case "requests":
		return float64(d.Total.Requests), float64(d.Left.Requests)
	}
	return d.Total.Cost, d.Left.Cost
}

// unitText writes a value in the unit of the bars.
func (b *builder) unitText(v float64) string {
	switch b.params.Unit {
	case "tokens":
		return view.FormatTokens(int64(v))
	case "requests":
		return components.FormatCount(int(v))
	}
	return cmp.Or(view.FormatDollars(v), "$0.00")
}

// gridSteps are round numbers between lines.
var gridSteps = []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}

// gridStep returns the round distance of four lines that reach above a value.
func gridStep(top float64) float64 {
	if top <= 0 {
		return 1
	}
	scale := math.Pow(10, math.Floor(math.Log10(top/4)))
	for _, s := range gridSteps {
		if s*scale*4 >= top {
			return s * scale
		}
	}
	return 10 * scale
}

// drawBars adds the bars, the lines and the labels.
func (b *builder) drawBars(m *components.SpendChart, buckets []bucket) {
	highest := 0
	for i := range buckets {
		if buckets[i].total > buckets[highest].total {
			highest = i
		}
	}
	step := gridStep(buckets[highest].total)
	if b.params.Unit == "requests" {
		step = math.Max(math.Ceil(step), 1)
	}
	for i := range 4 {
		m.Grid = append(m.Grid, b.gridText(step*float64(i+1)))
	}
	for i, k := range buckets {
		m.Bars = append(m.Bars, b.bar(i, k, chartHeight/(4*step)))
	}
	m.Width = strconv.Itoa(10 * len(buckets))
	labels := min(5, len(buckets))
	for i := range labels {
		at := 0
		if labels > 1 {
			at = i * (len(buckets) - 1) / (labels - 1)
		}
		m.Axis = append(m.Axis, b.view.FormatDay(buckets[at].first, b.now))
	}
	m.Summary = m.Unit + " from " + formatLongDay(buckets[0].first) + " to " + formatLongDay(buckets[len(buckets)-1].last) + ". Highest: " +
		b.unitText(buckets[highest].total) + " on " + bucketTitle(buckets[highest]) + "."
}

// gridText writes the value of a line.
func (b *builder) gridText(v float64) string {
	if b.params.Unit == "cost" {
		if v >= 10 || v == math.Trunc(v) {
			return "$" + components.FormatCount(int(v))
		}
		return view.FormatDollars(v)
	}
	return b.unitText(v)
}

// bar returns the i-th bar. scale is the height of 1.
func (b *builder) bar(i int, k bucket, scale float64) components.SpendBar {
	m := components.SpendBar{X: strconv.Itoa(10 * i), BarX: strconv.FormatFloat(10*float64(i)+1.5, 'f', 1, 64), Title: bucketTitle(k), Value: b.unitText(k.total)}
	m.Href = b.params.withDays(k.first, k.last).href()
	kept, left := (k.total-k.left)*scale, k.left*scale
	if kept > 0 {
		m.KeptY, m.KeptH = formatNumber(chartHeight-kept), formatNumber(kept)
	}
	if left > 0 {
		m.Left = b.unitText(k.left)
		gap := 0.0
		if kept > 0 {
			gap = 1
		}
		m.LeftY, m.LeftH = formatNumber(chartHeight-kept-left), formatNumber(math.Max(left-gap, .6))
	}
	return m
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// bucketTitle returns the day or the days of a bucket.
func bucketTitle(k bucket) string {
	if k.first.Equal(k.last) {
		return k.first.Format("Monday, 2 January 2006")
	}
	return formatLongDay(k.first) + " to " + formatLongDay(k.last)
}

func formatLongDay(t time.Time) string { return t.Format("2 January 2006") }
