package components

// comparedSide returns a side of a comparison, with one failed call.
func comparedSide(letter, name string, cells ...CompareCell) CompareSide {
	return CompareSide{
		Letter: letter, ID: "e" + letter, Name: name, Href: "/sessions/abc?leaf=e" + letter, Entries: "57 entries", Time: at("2026-11-18T14:05:00Z"), Cells: cells, Summary: "$1.32 and 38 calls", Files: "1 file", FailureCount: 1, PromptCount: 1,
		Failures: []ToolModel{{ID: "f-" + letter, Name: "bash", Icon: "bash", Arg: "npx vitest", Status: "exit 1", Err: true, Open: true}},
		Prompts:  []Link{{"keep the last read of each file", "/sessions/abc?entry=p1"}},
	}
}

// fixtureComparison returns a comparison of two branches.
func fixtureComparison() CompareModel {
	m := CompareModel{
		Page: fixturePage("Compare branches"), Base: "/sessions/abc", Project: "pi-mono", Back: Link{"Theme system port", "/sessions/abc"},
		Ancestor: &Link{"The summary drops every tool result", "/sessions/abc?entry=e11"}, Shared: "212 shared entries", At: "entry 214", Time: at("2026-11-18T14:02:00Z"),
		Names: []string{"Prompts", "Failed", "Lines"}, Tab: "talk", Swap: "/sessions/abc/compare?a=eB&b=eA",
		Tabs: []Chip{{Name: "talk", Text: "Conversation", Count: -1, On: true, Href: "?tab=talk"}, {Name: "files", Text: "Files", Count: 1, Href: "?tab=files"}, {Name: "failures", Text: "Failures", Count: 2, Href: "?tab=failures"}},
		Sides: []CompareSide{
			comparedSide("A", "Put the list into the summary", CompareCell{Text: "4", Share: 1000}, CompareCell{Text: "1", Share: 170, IsLeast: true}, CompareCell{Lines: &LineCounts{142, 18}, Share: 380}),
			comparedSide("B", "Keep the last read", CompareCell{Text: "4", Share: 1000}, CompareCell{Text: "6", Share: 1000}, CompareCell{Lines: &LineCounts{388, 71}, Share: 1000}),
		},
		FileCount: 1,
		Files: []CompareFile{{Dir: "core/", Name: "context.ts", Word: "only B", Sides: []CompareFileSide{{Letter: "A"}, {
			Letter: "B", Touched: true, Changed: LineCounts{118, 22}, Edits: []Link{{"+118 −22", "/sessions/abc?entry=e40"}}, EditCount: 1, Diff: ToolModel{Diff: []DiffLine{{Class: "added", New: "4", Sign: "+", Text: "x"}}},
		}}}},
	}
	turn := func(letter, word string) CompareTurn {
		call := CompareCall{Icon: "bash", Name: "bash", Arg: "npx vitest", Status: "exit 1", Err: true, Href: "/sessions/abc?entry=e30"}
		return CompareTurn{Letter: letter, Who: "You", Time: at("2026-11-18T14:05:00Z"), Href: "/sessions/abc?entry=p1", Only: "only in " + letter + ": ", Prompt: []Span{{Text: "keep the "}, {Text: word, Mark: true}},
			Answer: "The <test> passes.", Blocks: []BlockModel{{Kind: "md", HTML: "<p>The &lt;test&gt; passes.</p><p>All of it.</p>"}}, AnswerHref: "?at=e9", Calls: "5 calls", Failed: "1 failed", Changed: LineCounts{33, 4}, Took: "1m 20s", First: []CompareCall{call, call, call}, Others: []CompareCall{call, call}}
	}
	m.Sides[0].Current = true
	m.Sides[0].Others = []Link{{"Tell the model to read again", "/sessions/abc/compare?a=eC&b=eB"}}
	m.Steps = []CompareStep{{Title: "Prompt 1", Word: "one phrase differs", Turns: []CompareTurn{turn("A", "list"), turn("B", "text")}}, {Title: "Prompt 2", Word: "only in A", Turns: []CompareTurn{turn("A", "rest"), {Letter: "B"}}}}
	return m
}

// fixtureComparedFacts returns a comparison of three branches.
func fixtureComparedFacts() CompareModel {
	m := fixtureComparison()
	m.Steps, m.Tabs = nil, nil
	m.FileCount, m.FileEnd = 201, "And 200 more files."
	m.Sides = append(m.Sides, comparedSide("C", "Read again", CompareCell{Text: "2", Share: 500}, CompareCell{Text: "0"}, CompareCell{Text: "0"}))
	m.Files[0].Sides = append(m.Files[0].Sides, CompareFileSide{Letter: "C"})
	return m
}
