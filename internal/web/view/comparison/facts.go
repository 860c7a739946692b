package comparison

import (
	"sessiontree/internal/session/compare"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// sideFacts are the numbers of a side.
type sideFacts struct {
	compare.Facts
	compare.FileTotals
}

// fact is a number that sides are compared by.
type fact struct {
	name    string
	value   func(f *sideFacts) float64
	text    func(f *sideFacts) string // nil: a count
	isLower bool                      // a lower number is better
}

var allFacts = []fact{
	{name: "Prompts", value: func(f *sideFacts) float64 { return float64(f.Prompts) }},
	{name: "Answers", value: func(f *sideFacts) float64 { return float64(f.Answers) }},
	{name: "Tool calls", value: func(f *sideFacts) float64 { return float64(f.Calls) }, isLower: true},
	{name: "Failed", value: func(f *sideFacts) float64 { return float64(f.Failed) }, isLower: true},
	{name: "Files", value: func(f *sideFacts) float64 { return float64(f.Files) }, isLower: true},
	{name: "Lines", value: func(f *sideFacts) float64 { return float64(f.FileTotals.Added + f.FileTotals.Removed) }},
	{name: "Tokens in", value: func(f *sideFacts) float64 { return float64(f.Tokens - f.Output) }, text: func(f *sideFacts) string { return view.FormatTokens(f.Tokens - f.Output) }, isLower: true},
	{name: "Tokens out", value: func(f *sideFacts) float64 { return float64(f.Output) }, text: func(f *sideFacts) string { return view.FormatTokens(f.Output) }, isLower: true},
	{name: "Cost", value: func(f *sideFacts) float64 { return f.Cost }, text: costText, isLower: true},
	{name: "Working time", value: func(f *sideFacts) float64 { return float64(f.Waited) }, text: workingTime, isLower: true},
}

func costText(f *sideFacts) string { return view.FormatKnownDollars(f.Cost, f.Unpriced > 0) }

func workingTime(f *sideFacts) string {
	if f.Waited == 0 {
		return "0s"
	}
	return view.FormatDuration(f.Waited)
}

func factNames() (names []string) {
	for i := range allFacts {
		names = append(names, allFacts[i].name)
	}
	return names
}

func (b *builder) countFacts() []sideFacts {
	facts := make([]sideFacts, len(b.result.Sides))
	for i := range facts {
		facts[i] = sideFacts{b.result.Sides[i].Facts, compare.SumFiles(b.files, i)}
	}
	return facts
}

// factCells returns the numbers of a side next to those of the others.
func factCells(all []sideFacts, side int) (cells []components.CompareCell) {
	for i := range allFacts {
		f := &allFacts[i]
		least, largest, equal := f.value(&all[0]), f.value(&all[0]), true
		for k := range all {
			v := f.value(&all[k])
			equal = equal && v == least
			least, largest = min(least, v), max(largest, v)
		}
		v := f.value(&all[side])
		c := components.CompareCell{Text: components.FormatCount(int(v)), IsLeast: f.isLower && !equal && v == least}
		if largest > 0 {
			c.Share = int(1000 * v / largest)
		}
		switch {
		case f.text != nil:
			c.Text = f.text(&all[side])
		case f.name == "Lines" && v > 0:
			c.Lines = &components.LineCounts{Added: all[side].FileTotals.Added, Removed: all[side].FileTotals.Removed}
		}
		cells = append(cells, c)
	}
	return cells
}

// summaryText returns what a closed list of facts says of a side.
func (f *sideFacts) summaryText() string {
	return costText(f) + " and " + components.Pluralize(f.Calls, "call", "calls")
}
