package components

// fixtureSpend is the page with a row of each kind.
func fixtureSpend() SpendModel {
	m := SpendModel{
		Page: fixturePage("Spend"), Span: "24 October to 22 November 2026", CSV: "/spend.csv",
		Periods:  []Chip{{Text: "7 days", Href: "/spend?period=7d"}, {Text: "30 days", Href: "/spend", On: true}},
		Dates:    SpendDates{After: "2026-10-24", Before: "2026-11-22", Hidden: []Pair{{"agent", "pi"}}},
		Agents:   []Chip{{Text: "All agents", Href: "/spend"}, {Text: "pi", Href: "/spend?agent=pi", On: true}},
		Projects: []Chip{{Text: "All projects", Href: "/spend", On: true}, {Text: "pi-mono", Href: "/spend?project=%2Fpi-mono"}},
		Models:   []Chip{{Text: "All models", Href: "/spend", On: true}},
		Stats: []SpendStat{
			{Title: "Total", Value: "$1,284.60", Note: "12% more than the 30 days before"},
			{Title: "Spent on branches you left", Value: "$214.33", Strong: "17%", Note: "of the total"},
		},
		Note: SpendNote{Text: "of 2 July 2026; a subscription may cost less.", Unpriced: "1 model has no price"},
		Chart: SpendChart{
			Title: "By day", Unit: "Cost", Header: "Day", Units: []Chip{{Text: "Cost", Href: "/spend", On: true}, {Text: "Tokens", Href: "/spend?bars=tokens"}},
			Summary: "Cost from 24 October to 22 November. Highest: $96.75.", Grid: []string{"$30", "$60", "$90", "$120"}, Width: "20", Axis: []string{"24 Oct", "22 Nov"},
			Bars: []SpendBar{
				{X: "0", BarX: "1.5", KeptY: "73.1", KeptH: "86.9", LeftY: "61.7", LeftH: "10.4", Href: "/spend?after=2026-10-24&before=2026-10-24", Title: "Saturday, 24 October 2026", Value: "$73.81", Left: "$8.02"},
				{X: "10", BarX: "11.5", Href: "/spend?after=2026-10-25&before=2026-10-25", Title: "Sunday, 25 October 2026", Value: "$0.00"},
			},
		},
		ByProject: SpendGroups{"By project", []SpendGroup{{Name: "pi-mono", Hint: "/pi-mono", Href: "/spend?project=%2Fpi-mono", Amount: "$412.80", Share: "32%", Kept: "83.3", LeftX: "83.8", LeftWd: "16.2"}, {Name: "9 others", Amount: "$35.95", Share: "3%", Kept: "8.7"}}},
		ByModel:   SpendGroups{Title: "By model"}, ByAgent: SpendGroups{Title: "By agent"}, ByKind: SpendGroups{Title: "By kind of token"},
		Sessions: []SpendSession{{Format: "pi", FormatTitle: "pi", FormatGlyph: "π", Title: "Compaction <keeps> results", Href: "/sessions/k1", Project: "pi-mono", Cost: "$88.40 + unpriced", Left: "$21.75", Share: "25%", Unpriced: "2 requests have no price"}},
		Branches: []SpendBranch{{Format: "pi", FormatTitle: "pi", FormatGlyph: "π", Title: "retry with an outbox table", Href: "/sessions/k1?entry=e9", Session: "Idempotency keys", Cost: "$31.05"}},
		Tools:    []SpendTool{{Name: "bash", Href: "/search?q=tool%3Abash+is%3Afailed", Calls: "6,204", Failed: "488", Share: "7.9%", Bar: "100.0"}},
		Unpriced: []SpendUnpriced{{"qwen3-coder", "412", "38.1M"}},
	}
	return m
}
