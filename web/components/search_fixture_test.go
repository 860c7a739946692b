package components

// fixtureSearch is the page with a result of each kind of branch.
func fixtureSearch() SearchModel {
	row := fixtureSessions().Groups[0].Rows[0]
	row.Live = true
	mark := func(before, marked, after string) []Span {
		return []Span{{Text: before}, {Text: marked, Mark: true}, {Text: after}}
	}
	hit := func(role string, mono bool, parts []Span, facts ...HitFact) HitModel {
		return HitModel{Entry: "e1", Href: "/sessions/k1?entry=e1&q=file+watcher", Sign: SignOfHit(role), Mono: mono, Parts: parts, Time: at("2026-11-21T01:29:00Z"), Facts: facts}
	}
	return SearchModel{
		Page: fixturePage("Search: file watcher"), Query: "after:2026-10-01 file watcher", Sessions: 1001, Zone: "CET", Labels: []FacetValue{{Token: `label:"bad <idea>"`, Text: "bad <idea>", Sessions: 2}}, HitsText: "12 hits in 1 session",
		Facets: []Facet{
			{Name: "agent", Title: "Agent", Values: []FacetValue{{Token: "agent:pi", Text: "pi", Sessions: 12}, {Token: "agent:claude", Text: "Claude Code", Sessions: 6, On: true}}},
			{Name: "time", Title: "Time", Values: []FacetValue{{Token: "after:1d", Text: "Day"}}},
			{Name: "tool", Title: "Tool", Values: []FacetValue{{Token: "is:failed", Text: "Failed only"}}},
		},
		Results: []SearchResult{{
			Row: row, Project: "pi-mono", Hits: 12, More: 6, MoreHref: "/search/session/k1?q=x",
			Branches: []ResultBranch{
				{Class: "path", Hits: 6, List: []HitModel{
					hit("prompt", false, mark("could we have a ", "file watcher", " (i think node has one)"), HitFact{Text: "Prompt 41 of 88"}),
					hit("output", true, mark("+ 439 // <theme> ", "file watcher", "s"), HitFact{Text: "edit"}, HitFact{Text: "tui-renderer.ts"}, HitFact{Text: "+7", Class: "lines-added"}),
				}},
				{Class: "left", Title: "use chokidar instead of fs.watch", Hits: 5, List: []HitModel{
					hit(FailedCall, true, mark("Error: ENOSPC: number of ", "file watcher", "s"), HitFact{Text: "bash"}, HitFact{Text: "exit 1", Class: "error"}),
				}},
				{Class: "agent", Title: "Explore", Hits: 1, List: []HitModel{hit("output", true, mark("", "file watcher", ""))}},
			},
		}},
	}
}
