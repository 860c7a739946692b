package components

// fixtureMap is the page with a line of each kind and a picked branch.
func fixtureMap() MapModel {
	return MapModel{
		Page: fixturePage("Map, Bank importer"), Key: "k1", Rev: "1.2", Base: "/sessions/k1", Name: "Bank importer", Project: "ledger", Live: true,
		Facts:  []string{"365 entries", "2 branches", "1 sub-agent"},
		Axes:   []Chip{{Text: "Time", Href: "/sessions/k1/map", On: true}, {Text: "Steps", Href: "/sessions/k1/map?axis=steps"}},
		ZoomIn: "/sessions/k1/map?zoom=2", Fit: "/sessions/k1/map",
		Picture: MapPicture{
			Width: "1090", Height: "408", ViewBox: "0 0 1090 408", Summary: "Map of 365 entries.", Bottom: "408",
			Ticks:   []MapText{{X: "100", Y: "18", Text: "23:30"}},
			Pauses:  []MapPause{{X: "400", Width: "28", Middle: "414", Text: "38 min"}},
			Context: MapContext{Line: "M24 100L500 60", Area: "M24 100L500 60V122H24Z", X: "500", Y: "55", Text: "118k"},
			Flags:   []MapText{{X: "200", Y: "152", LineY: "224", Href: "/sessions/k1?entry=e4", Text: "design <tokens>"}},
			Bars:    []MapBar{{X: "60", Y: "184", Height: "24", Failed: true, Small: MapSmallBar{"4", "12"}}},
			Lines: []MapLine{
				{Class: "path", Path: "M48 224H900", Viewed: "M48 224H900", Small: "M24 20H900", Href: "/sessions/k1", Name: "Current path, 300 entries", EndX: "900", Y: "224",
					Dots: []MapDot{{X: "60", Href: "/sessions/k1?entry=e1", Title: "Import the file"}}, Failures: []MapText{{X: "61", Href: "/sessions/k1?entry=e3", Text: "bash exit 1"}}, Glyphs: []MapText{{X: "300", Href: "/sessions/k1?entry=e5", Text: "Compacted"}}},
				{Class: "branch", Path: "M100 224V256Q100 272 116 272H300", Small: "M100 20V30H300", Href: "/sessions/k1/map?branch=e7", ID: "e7", Picked: true, Name: "use a database 14 entries, branch", Title: "use a database", Count: "14", TitleX: "124", TitleY: "288", EndX: "300", Y: "272"},
				{Class: "agent", Path: "M500 224V256Q500 272 516 272H600", Small: "M500 20V30H600", Href: "/sessions/k1/map?branch=e9", ID: "e9", Name: "Explore 9 entries, sub-agent", Title: "Explore", Count: "9", TitleX: "524", TitleY: "288", EndX: "600", Y: "272"},
				{Class: "merged", Path: "M700 224V256Q700 272 716 272H800", Small: "M700 20V30H800", Href: "/sessions/k1/map?zoom=2", Name: "12 branches, zoom in", Title: "12 branches", TitleX: "724", TitleY: "288", EndX: "800", Y: "272"},
			},
		},
		Picked: &MapBranchDetails{
			Title: "use a database", From: "A line counts as known.", When: Time{ISO: "2026-02-03T09:00:00.000Z", Text: "2026-02-03 09:00 UTC"},
			Facts: []NamedValue{{Name: "Entries", Value: "14"}, {Name: "Failed", Value: "2", Bad: true}},
			Open:  "/sessions/k1?entry=e7", Compare: "/sessions/k1/compare?a=e5&b=e8", Close: "/sessions/k1/map",
			Rows: []MapEntry{{Kind: "user", Text: "use a database", Href: "/sessions/k1?entry=e7"}, {Kind: "tool", Failed: true, Text: "bash make", Href: "/sessions/k1?entry=e8"}},
			More: "and 12 more entries",
		},
	}
}
