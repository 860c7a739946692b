package components

// fixtureFiles returns the files of a session: a new one, one that two branches changed, and one
// that was only read.
func fixtureFiles() FilesModel {
	path, branch, agent := FileBranch{"path", "Current path"}, FileBranch{"branch", "Redis, <24> hours"}, FileBranch{"agent", "Sub-agent Explore"}
	diff := ToolModel{Diff: []DiffLine{{Class: "added", New: "4", Sign: "+", Text: "x < y"}}, DiffLeft: "3 more changed lines"}
	return FilesModel{
		Page: fixturePage("Files, Idempotency keys"), Base: "/sessions/abc", Project: "checkout", Back: Link{"Idempotency keys", "/sessions/abc"},
		Shown: []Chip{{Text: "Changed", Count: 2, On: true, Href: "/sessions/abc/files"}, {Text: "All", Count: 3, Href: "/sessions/abc/files?show=all"}},
		Dirs: []FileDir{
			{Name: "migrations", Files: []FileRow{{Href: "?file=keys.sql", Kind: "new", Name: "keys.sql", Branches: []FileBranch{path}, Changed: LineCounts{11, 0}}}},
			{Name: "src/orders", Files: []FileRow{
				{Href: "?file=create.ts", Kind: "changed", Name: "create.ts", Branches: []FileBranch{path, branch}, Changed: LineCounts{50, 14}, Failed: 1, On: true},
				{Href: "?file=split.ts", Kind: "read", Name: "split.ts", Branches: []FileBranch{agent}},
			}},
		},
		Rest: "And 2 more files.", Branches: []FileBranch{path, branch, agent},
		File: &FileDetails{
			Dir: "src/orders/", Name: "create.ts", Path: "/w/src/orders/create.ts", History: "/files?path=create.ts", Facts: "2 edits, 1 failed on this branch", Rest: "And 2 more edits.",
			Tabs:  []FileTab{{FileBranch: path, Changed: LineCounts{50, 14}, Href: "?branch=a", On: true}, {FileBranch: branch, Unknown: true, Href: "?branch=b"}},
			Views: []Chip{{Text: "Net", Href: "?", On: true}, {Text: "Each edit", Href: "?view=edits"}},
			Edits: []FileEditRow{
				{Time: at("2026-11-18T14:05:00Z"), Text: "The plan is approved.", Changed: LineCounts{41, 12}, Href: "/sessions/abc?entry=r1", Entry: "entry 141", Diff: &diff},
				{Time: at("2026-11-18T14:06:00Z"), Text: "Again.", Failed: "failed", Href: "/sessions/abc?entry=r2", Entry: "entry 143"},
			},
			Net: &diff,
		},
	}
}

// fixtureFileHistory returns the history of a file with a picked edit, and its lines.
func fixtureFileHistory() FileHistoryModel {
	row := FileHistoryRow{Hue: "1", Name: "Idempotency keys", Format: "claude", Glyph: "C", Agent: "Claude Code", Prompt: "make it <safe>", Changed: LineCounts{9, 2},
		Time: at("2026-11-18T14:33:00Z"), Pick: "/files?path=create.ts&edit=1", Href: "/sessions/abc?entry=r1", On: true}
	left := row
	left.Hue, left.Kind, left.Branch, left.On, left.Copies = "2", "abandoned branch", "Redis", false, []Link{{"Fork", "/sessions/def?entry=r1"}}
	picked := row
	picked.Diff = &ToolModel{Diff: []DiffLine{{Class: "added", New: "4", Sign: "+", Text: "x < y"}}}
	return FileHistoryModel{
		Page: fixturePage("History of create.ts"), Query: "create.ts", Project: "checkout",
		File: &FileHistory{
			Dir: "src/orders/", Name: "create.ts", Path: "/w/src/orders/create.ts", Count: "2 edits in 2 sessions", Hide: &Chip{Text: "Hide abandoned branches", Href: "?hide=abandoned"},
			Days: []FileHistoryDay{{Name: "18 November 2026", Rows: []FileHistoryRow{row, left}}}, Notes: []string{"3 older sessions are not read."}, Picked: &picked,
			Lines: []BlameLine{
				{Number: "1", Text: "a < b", Hue: "1", IsFirst: true, On: true, Name: "Idempotency keys", Time: at("2026-11-18T14:33:00Z"), Pick: "?edit=1#L1"},
				{Number: "2", Text: "}", Hue: "1", On: true}, {Number: "3", Text: "by hand", IsFirst: true},
			},
			Later: &Link{"Lines after 3", "?from=3"},
		},
	}
}
