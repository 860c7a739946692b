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

// fixtureMapPanel is a map next to the path.
func fixtureMapPanel() MapModel {
	return MapModel{Part: "panel", Rev: "1.2", Panel: &MapPanel{
		Height: "400", ViewBox: "0 0 262 400", Summary: "Map of 365 entries, 2 branches.", Page: "/sessions/k1/map?axis=steps",
		Stops:    `[[24,"e1"],[376,"e9"]]`,
		Axes:     []Chip{{Text: "Time", Href: "/sessions/k1/map"}, {Text: "Steps", Href: "/sessions/k1/map?axis=steps", On: true}},
		Pauses:   []MapPause{{X: "100", Width: "28"}},
		Failures: []string{"140"},
		Lines: []MapPanelLine{
			{Class: "path", Path: "M34 24V376", Viewed: "M34 24V376", X: "34", EndY: "376", Dots: []MapDot{{X: "24", Href: "/sessions/k1?entry=e1", Title: "Import the file"}}},
			{Class: "branch", Path: "M34 90H41Q55 90 55 104V200", X: "55", EndY: "200", Href: "/sessions/k1?entry=e5&leaf=e7", Name: "Use a library, 6 entries"},
			{Class: "merged", Path: "M34 210H41Q55 210 55 224V250", X: "55", EndY: "250"},
		},
		Labels: []MapPanelLabel{
			{Class: "leaf", X: "116", Y: "376", FromX: "41", Text: "leaf", Href: "/sessions/k1"},
			{Class: "label", X: "116", Y: "60", FromX: "41", Text: "before the <refactoring>", Href: "/sessions/k1?entry=e2"},
			{Class: "branch", X: "116", Y: "200", FromX: "62", Text: "Use a library", Count: "6", Href: "/sessions/k1?entry=e5&leaf=e7"},
			{Class: "merged", X: "116", Y: "250", FromX: "62", Text: "12 branches", Href: "/sessions/k1/map?axis=steps"},
		},
	}}
}
