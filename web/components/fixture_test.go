package components

// The models below are the session shown in the design, so that goldens and the preview can
// be compared with it.

func at(iso string) Time { return Time{ISO: iso, Text: iso[:10] + " " + iso[11:16] + " UTC"} }

func cells(spec ...string) []LaneCell {
	colors := map[string]string{"p": "path", "s": "spine", "b": "branch"}
	var out []LaneCell
	for _, s := range spec {
		out = append(out, LaneCell{Color: colors[s[:1]], Shape: s[1:]})
	}
	return out
}

func words(s string) []Span { return []Span{{Text: s}} }

func fixtureRows() RowsModel {
	rows := []RowModel{
		{Class: "user", Node: "user", Text: words("read docs/theme.md in full, then theme.ts, and then the rest"), OnPath: true, Lanes: cells("pstart")},
		{Class: "answer", Node: "answer", Text: words("I’ll read the theme documentation, theme.ts and the others"), OnPath: true, Lanes: cells("p")},
		{Class: "tool", Node: "tool", Tool: "read", Text: words("docs/theme.md"), OnPath: true, Lanes: cells("p")},
		{Class: "user", Node: "user", Text: words("our themes need explicit tokens for the thinking level"), Label: "design tokens", OnPath: true, Lanes: cells("p")},
		{Class: "branch", Node: "toggle", Text: words("make thinking levels one gradient token"), Count: 22, Age: at("2026-11-21T09:00:00Z"), Toggle: "?open=b5", Expanded: 0, Lanes: cells("p", "belbow none")},
		{Class: "answer", Node: "answer", Text: words("I’ll add five tokens and map the editor border to them"), OnPath: true, Lanes: cells("p")},
		{Class: "tool", Node: "tool", Tool: "edit", Text: words("theme/theme.ts"), Added: 38, Removed: 6, OnPath: true, Lanes: cells("p")},
		{Class: "note", Node: "note", Text: words("thinking high"), OnPath: true, Lanes: cells("p")},
		{Class: "compaction", Node: "compaction", Text: words("Compacted"), Meta: "115k → 14k tokens", OnPath: true, Lanes: cells("p")},
		{Class: "user", Node: "user", Text: []Span{{Text: "the "}, {Text: "workflow", Mark: true}, {Text: " would be: write .json, use /theme to preview"}}, Hit: true, OnPath: true, Lanes: cells("p")},
		{Class: "answer", Node: "answer", Text: words("The iterative workflow is clear: edit, preview, edit"), OnPath: true, Lanes: cells("p")},
		{Class: "branch", Node: "toggle", Text: words("use chokidar instead of fs.watch"), Count: 14, Age: at("2026-11-19T09:00:00Z"), Toggle: "?open=-b12", Expanded: 1, Lanes: cells("p", "belbow start")},
		{Class: "answer", Node: "answer", Text: words("chokidar adds 1.1 MB and four dependencies. Let me check"), Level: 2, Up: 11, Lanes: cells("p", "b")},
		{Class: "tool", Node: "tool", Tool: "bash", Text: words("npm i chokidar -w coding-agent"), Level: 2, Up: 11, Lanes: cells("p", "b")},
		{Class: "branch", Node: "toggle", Text: words("what about watching the whole folder?"), Count: 9, Age: at("2026-11-19T09:00:00Z"), Toggle: "?open=b15", Level: 2, Up: 11, Lanes: cells("p", "b", "belbow none")},
		{Class: "user", Node: "user", Text: words("ok, drop it. one dependency too many"), Level: 2, Up: 11, Lanes: cells("p", "b")},
		{Class: "answer", Node: "answer", Text: words("Removed. For a single file, fs.watch() with a debounce"), Level: 2, Up: 11, Lanes: cells("p", "bend")},
		{Class: "branch", Node: "toggle", Text: words("poll mtime every second, no watcher"), Count: 6, Age: at("2026-11-19T09:00:00Z"), Toggle: "?open=b18", Lanes: cells("p", "belbow none")},
		{Class: "user", Node: "user", Text: words("could we have a file watcher for the custom themes?"), OnPath: true, Selected: true, Time: at("2026-11-21T01:29:00Z"), Lanes: cells("p")},
		{Class: "answer", Node: "answer", Text: words("Yes. Node has fs.watch() built in. Let me add a file watcher"), OnPath: true, Lanes: cells("p")},
		{Class: "tool", Node: "tool", Tool: "edit", Text: words("theme/theme.ts"), Added: 58, Removed: 2, OnPath: true, Lanes: cells("p")},
		{Class: "tool", Node: "tool", Tool: "edit", Text: words("tui/tui-renderer.ts"), Added: 7, OnPath: true, Lanes: cells("p")},
		{Class: "tool", Node: "tool", Tool: "bash", Text: words(`grep -A 10 "onPreview.*themeName"`), Status: "exit 1", OnPath: true, Lanes: cells("p")},
		{Class: "answer", Node: "answer", Text: words("The theme system now has live reload"), OnPath: true, Lanes: cells("p")},
		{Class: "user", Node: "user", Text: words("what happens if you delete the theme?"), OnPath: true, Lanes: cells("p"), Warn: "Parent a91e0c77 is not in the file"},
		{Class: "branch", Node: "toggle", Text: words("fall back to the last good theme"), Count: 19, Age: at("2026-11-19T09:00:00Z"), Toggle: "?open=b26", Lanes: cells("p", "belbow none")},
		{Class: "summary", Node: "summary", Text: words("Branch summary: setImmediate in the selector"), OnPath: true, Lanes: cells("p")},
		{Class: "user", Node: "user", Text: words("this crashed when i restarted with -r"), Label: "crash repro", OnPath: true, Lanes: cells("p")},
		{Class: "tool", Node: "tool", Tool: "edit", Text: words("theme/theme.ts"), Added: 24, Removed: 9, Running: true, OnPath: true, Lanes: cells("p")},
		{Class: "answer", Node: "leaf", Text: words("Invalid themes now fall back to dark with an error"), OnPath: true, Leaf: true, Current: true, Lanes: cells("pend")},
	}
	for i := range rows {
		r := &rows[i]
		r.Index, r.ID, r.Entry = i, "r-"+itoa(i+1), "e"+itoa(i+1)
		r.Href = "/sessions/abc?entry=" + r.Entry
		r.Set, r.Nth = len(rows), i+1
		if r.Level == 0 {
			r.Level, r.Up = 1, -1
		}
		if r.Toggle == "" {
			r.Expanded = -1
		}
	}
	return RowsModel{Rev: "1.7", Total: len(rows), Rows: rows, Selected: 18, Focus: 18, Hits: []int{9}}
}

func itoa(n int) string { return FormatCount(n) }

func fixtureTools() []ToolModel {
	return []ToolModel{
		{ID: "t-1", Entry: "e20", Name: "bash", Icon: "search", Arg: `grep -n "export let theme"`, ArgNote: "src/theme/theme.ts", Meta: "0.2s", Raw: "/raw", RawCall: "/raw2"},
		{ID: "t-2", Entry: "e20", Name: "read", Icon: "read", Arg: "theme/theme.ts", ArgNote: "424–444", Meta: "20 lines"},
		{ID: "t-3", Entry: "e20", Name: "edit", Icon: "edit", Arg: "theme/theme.ts", Added: 58, Removed: 2, Open: true, DiffLeft: "Show 49 more changed lines", More: "/more", Diff: []DiffLine{
			{Class: "hunk", Text: "@@ packages/coding-agent/src/theme/theme.ts · export let theme"},
			{Old: "424", New: "424", Sign: " ", HTML: `<span class="code-keyword">export</span> <span class="code-keyword">let</span> theme: <span class="code-type">Theme</span>;`},
			{Class: "added", New: "425", Sign: "+", HTML: `<span class="code-keyword">let</span> currentThemeName: string | <span class="code-keyword">undefined</span>;`},
			{Class: "removed", Old: "429", Sign: "-", HTML: `	theme = <span class="code-function">loadTheme</span>(name);`},
			{Class: "added", New: "429", Sign: "+", Text: "\tcurrentThemeName = name;"},
			{Old: "432", New: "432", Sign: " ", Text: "}"},
		}},
		{ID: "t-4", Entry: "e20", Name: "edit", Icon: "edit", Arg: "tui/tui-renderer.ts", Added: 7},
		{ID: "t-5", Entry: "e20", Name: "bash", Icon: "bash", Arg: "grep -A 10", ArgNote: "src/tui/tui-renderer.ts", Status: "exit 1", Err: true, Open: true, Blocks: []BlockModel{
			{Kind: "out", Text: "$ grep -A 10 \"onPreview.*themeName\"\nCommand exited with code 1"}}},
		{ID: "t-6", Entry: "e20", Name: "bash", Icon: "bash", Arg: "npm run build", ArgNote: "2>&1 | tail -5", Running: true, Since: Elapsed{Millis: 1, How: "clock"}},
		{ID: "t-7", Entry: "e20", Name: "WebSearch", Icon: "web", Arg: "color depth", Meta: "7 results", Blocks: []BlockModel{{Kind: "links", Links: []FoundPage{
			{Title: "Terminal colors", Host: "example.org", Href: "https://example.org/colors"}, {Title: "no address"}, {Title: "3"}, {Title: "4"}, {Title: "5"}, {Title: "6"}, {Title: "7", Host: "b.example", Href: "https://b.example"},
		}}}},
		{ID: "t-8", Entry: "e20", Name: "ExitPlanMode", Icon: "plan", Arg: "Colors", Status: "rejected", Err: true, Open: true, Blocks: []BlockModel{{Kind: "reply", Name: RejectedReply, Text: "smaller steps", Time: Time{ISO: "2026-11-21T01:29:00Z", Text: "2026-11-21 01:29 UTC"}}}},
		{ID: "t-9", Entry: "e20", Name: "get_issue", Server: "tracker", Icon: "tool", Arg: "T-1", Blocks: []BlockModel{{Kind: "reply", Name: "Approved"}, {Kind: "todos", Todos: []Todo{{Text: "a", State: "done", Group: "One"}, {Text: "b", State: "dropped"}}}}},
	}
}

const fixtureAnswer = `<p>The theme system now has live reload. Select a custom theme and Pi watches that one file; save it and the colors change.</p>
<h3>How it works</h3>
<ol><li><code>startThemeWatcher()</code> puts an <code>fs.watch()</code> on the selected theme file.</li><li>On change it reloads the theme and calls <code>onThemeChange</code>.</li></ol>
<div class="code"><div class="code-head">ts</div><pre tabindex="0"><code><span class="code-comment">// Set up theme file watcher for live reload</span>
<span class="code-function">onThemeChange</span>(() =&gt; {
	this.ui.<span class="code-function">invalidate</span>();
});</code></pre></div>
<div class="table-box" tabindex="0"><table><thead><tr><th>Event</th><th>What happens</th><th>Debounce</th></tr></thead><tbody><tr><td><code>change</code></td><td>Reload the theme, keep the old one if the JSON is invalid</td><td>100 ms</td></tr></tbody></table></div>
<p>Built-in themes are not watched, see <a href="https://example.com">the docs</a>.</p>`

func fixturePath() PathModel {
	head := func(id string) EntryHead { return EntryHead{ItemHead: ItemHead{ID: "e-" + id, Entry: id}} }
	linked := func(id string) EntryHead {
		h := head(id)
		h.Href, h.Raw = "/sessions/abc?entry="+id, "/raw"
		return h
	}
	user := func(id, iso, label, s string) *UserItem {
		it := &UserItem{EntryHead: linked(id), Who: "You", Blocks: []BlockModel{{Kind: "text", Text: s}}}
		it.Change, it.Time, it.Label = "/sessions/abc", at(iso), label
		return it
	}
	target := user("e19", "2026-11-21T01:29:00Z", "live reload", "could we have a file watcher (i think node has a built in one now) for the custom themes? which triggers a reload and invalidation? that way people can live edit the theme")
	target.Target = true
	shot := user("e24", "2026-11-18T14:02:00Z", "", "any idea why the colors differ in the vs code terminal and ghostty?")
	shot.Files = []NoteChip{{Entries: []string{"e24a"}, Icon: "file", Title: "src/theme.ts", Detail: "214 lines", Blocks: []BlockModel{{Kind: "out", Text: "export let theme"}}}}
	shot.Also = []string{"e24b"}
	shot.Images = append(shot.Images, BlockModel{Kind: "image", Src: "/static/x/img/icon.svg", Alt: "Screenshot 01.27.21.png", W: 1284, H: 812})
	unlinked := linked("e23")
	unlinked.Raw = ""
	odd := head("e25")
	odd.Label, odd.Edited, odd.Edit = "odd", "replaced in the context", &Link{Text: "by a later edit", Href: "?entry=e29"}
	custom := head("e28")
	custom.Time, custom.Href, custom.Pairs = at("2026-11-21T01:49:00Z"), "?entry=e28", []Pair{{"Display", "no"}}
	items := []Item{
		&CompactionItem{EntryHead: head("e9"), Title: "Compacted 115k tokens to 14k", Detail: "612 entries summarised at 00:41", Blocks: []BlockModel{{Kind: "md", HTML: "<p>The summary.</p>"}}},
		&NoteItem{EntryHead: head("e8"), Icon: "model", Title: "Model", Detail: "claude-sonnet-4-5", Also: []NotePart{{"e8b", "thinking", "high"}, {"e8c", "thinking", "low"}}},
		&BranchSwitcher{ItemHead{ID: "f-e19", Entry: "e19"}, SwitchModel{At: 2, Of: 3, Prev: "?entry=b12", Next: "?entry=b18", NextText: "poll mtime every second, no watcher", NextCount: "6 entries", Head: "e19"}},
		target,
		&AnswerItem{EntryHead: linked("e20"), Blocks: []BlockModel{
			{Kind: "thinking", Short: "The user wants live editing. fs.watch is enough here: one file, one process.", Text: "The user wants live editing. fs.watch is enough here."},
			{Kind: "md", HTML: "<p>Yes. Node has <code>fs.watch()</code> built in. Let me add a file watcher for custom themes:</p>"}}},
		&ToolGroup{ItemHead: ItemHead{ID: "t-e20", Entry: "e20"}, Tools: fixtureTools()},
		&AnswerItem{EntryHead: unlinked, Blocks: []BlockModel{{Kind: "md", HTML: fixtureAnswer, Cut: true, More: "/more", Left: "Show all"}}},
		shot,
		&AnswerItem{EntryHead: odd, Error: "Request was aborted", Blocks: []BlockModel{{Kind: "md", HTML: "<p>VS Code raises the contrast of every foreground color.</p>"}}},
		&BranchSummaryItem{EntryHead: head("e26"), Title: "Branch summary", Detail: "from “setImmediate in the selector”, 12 entries", Blocks: []BlockModel{{Kind: "md", HTML: "<p>Deferred the theme change to the next tick in both selector callbacks. It did not fix the rendering artifacts.</p>"}}},
		&SystemItem{Card{EntryHead: head("e27"), Who: "System", Title: "You are pi, a coding agent", Folded: true, Blocks: []BlockModel{{Kind: "text", Text: "You are pi."}}}},
		&CustomItem{Card{EntryHead: custom, Who: "my-extension", Blocks: []BlockModel{{Kind: "json", Text: "{\n  \"a\": 1\n}"}}}},
		user("e29", "2026-11-21T01:50:00Z", "crash repro", "my dude, this exploded when i restarted with -r. invalid themes must NEVER explode"),
		&PathEnd{ItemHead: ItemHead{ID: "leaf"}, Leaf: true, Title: "Current leaf", Detail: "entry 1,050"},
	}
	return PathModel{Rev: "1.7", Items: items, Total: 412, First: "e9", Last: "e30", More: "?before=e9", Skipped: 360, AtLeaf: true, AtEnd: true, Anchor: "e28"}
}

func fixtureSession() SessionModel {
	var ticks []Tick
	for _, y := range []int{20, 50, 70, 110, 160, 190, 210, 260, 300, 330, 360, 410, 440, 490, 530, 570, 600, 660, 700, 770, 810, 850, 900, 950} {
		ticks = append(ticks, Tick{Y: y, Class: "prompt", Href: "?entry=e1", Title: "a prompt"})
	}
	for _, y := range []int{170, 470, 620, 740, 840} {
		ticks = append(ticks, Tick{Y: y, Class: "fork", Href: "?entry=e2", Title: "fork"})
	}
	ticks = append(ticks, Tick{Y: 160, Class: "label", Title: "label"}, Tick{Y: 630, Class: "label", Title: "label"})
	return SessionModel{
		Page: fixturePage("Theme system port, pi-mono"), Key: "abc", Rev: "1.7", Name: "Theme system port", Project: "pi-mono",
		Cwd: "~/workspaces/pi-mono", File: "~/.pi/agent/sessions/x.jsonl", Format: "pi", Live: true,
		View: ViewState{Base: "/sessions/abc", Entry: "e19", Leaf: "e30", Filter: "default", Layout: "spine", AtLeaf: true, SessionLeaf: "e30"},
		Rows: fixtureRows(), Path: fixturePath(), Ticks: ticks, PlainRows: true, LeafHref: "/sessions/abc",
		Facts:   Facts{PathEntries: "412", Tokens: "118k", Context: "/sessions/abc/context", Spent: &Spent{Path: "$4.21", Total: "$30.33", Left: "$0.85", LeftShare: "3%", Rows: []Fact{{"Requests", "439"}, {"Waiting for tools", "3m 5s"}}}, Model: "claude-sonnet-4-5", Visible: "752", Entries: "1,050", Branches: 8, Labels: 3, Hits: -1},
		Filters: []Chip{{Name: "default", Text: "Default", On: true}, {Name: "no-tools", Text: "No tools", Href: "?filter=no-tools"}, {Name: "user-only", Text: "User"}, {Name: "labeled-only", Text: "Labeled"}, {Name: "all", Text: "All"}},
		Layouts: []Chip{{Name: "spine", Text: "Spine", On: true}, {Name: "outline", Text: "Outline", Href: "?layout=outline"}},
	}
}

func fixturePage(title string) Page {
	return Page{Title: title, Static: "/static/x", Live: "/live", Epoch: "1"}
}

func fixtureSessions() SessionsModel {
	shape := []ShapePath{
		{D: "M74 3c4 0 2 2.7 6 2.7H86", Class: "b"}, {D: "M52 3c4 0 2 16 6 16H61", Class: "b"}, {D: "M10 3c4 0 2 2.7 6 2.7H24", Class: "b"},
		{D: "M2 3H86", Class: "s", EndX: 86, EndY: 3},
	}
	plain := []ShapePath{{D: "M2 11H26", Class: "s", EndX: 26, EndY: 11}}
	row := func(key, title, sub, format, glyph string, n, forks int, live bool) SessionRow {
		r := SessionRow{Key: key, Href: "/sessions/" + key, Title: title, Subtitle: sub, Format: format, FormatTitle: format, FormatGlyph: glyph,
			Model: "claude-sonnet-4-5", Cost: "$30.33", Messages: n, Forks: forks, Live: live, Active: at("2026-11-21T11:50:00Z"), Shape: plain}
		if forks > 0 {
			r.Shape = shape
		}
		return r
	}
	warned := row("k4", "Compaction keeps tool results", "after compaction the agent forgets which files it already read", "pi", "π", 507, 3, false)
	warned.Notes, warned.ForkedFrom = 2, Link{Text: "Forked from “Theme system port”", Href: "/sessions/k1"}
	unread := row("k2", "Tree navigation in /tree", "when i branch, the path view loses its scroll position", "pi", "π", 318, 3, false)
	unread.Unread, unread.Starred = true, true
	return SessionsModel{
		Page: fixturePage("Sessions"), Total: 214, Shown: 7, Complete: true,
		Chips: []Chip{{Name: "all", Text: "All", Href: "/", Count: 214, On: true}, {Name: "pi", Text: "pi", Href: "/?format=pi", Count: 121}, {Name: "omp", Text: "omp", Href: "/?format=omp", Count: 7},
			{Name: "running", Text: "Working", Href: "/?running=1", Count: 2, Icon: "live", Group: "state"}, {Name: "branches", Text: "Has branches", Href: "/?branches=1", Count: -1, Icon: "branch", Group: "more"}, {Name: "labeled", Text: "Labeled", Href: "/?labeled=1", Count: -1, Icon: "label", Group: "more"}},
		Sorts: []Chip{{Name: "active", Text: "Last activity", On: true, Href: "/", Count: -1}, {Name: "cost", Text: "Cost", Href: "/?sort=cost", Count: -1}},
		Views: []Chip{{Name: "by-date", Text: "By date", Href: "/?by=date"}, {Name: "by-project", Text: "By project", Href: "/?by=project", On: true}},
		Dates: DateMenu{Text: "Any date", Zone: "CET", Choices: []Chip{{Name: "date-any", Text: "Any date", Href: "/", On: true, Count: -1}, {Name: "date-today", Text: "Today", Href: "/?date=today", Count: -1}}},
		Groups: []SessionGroup{
			{ID: "~/workspaces/pi-mono", IsProject: true, Name: "pi-mono", Detail: "~/workspaces/pi-mono", Sessions: 62, Cost: "$412.80", Rows: []SessionRow{
				row("k1", "Theme system port", "read docs/theme.md in full, then theme.ts, and then oauth-selector", "pi", "π", 946, 8, true),
				unread,
				row("k3", "truncated text must stop when it encounters a new line", "", "pi", "π", 44, 0, false), warned}},
			{ID: "~/dotfiles", IsProject: true, Name: "dotfiles", Detail: "~/dotfiles", Sessions: 9, Rows: []SessionRow{
				row("k5", "make my prompt show the git branch without calling git", "", "omp", "o", 18, 1, false)},
				Folded: FoldedRows{Text: "1 empty session", Rows: []SessionRow{row("k6", "k6", "", "omp", "o", 0, 0, false)}}},
		},
		Unreadable: []UnreadableFile{{Path: "~/x.jsonl", Reason: "permission denied"}},
	}
}

func fixtureLoading() LoadingModel {
	m := fixtureSession()
	m.Live = false
	return LoadingModel{Session: m, Text: "Reading 106 MB"}
}

func fixtureSessionsByDate() SessionsModel {
	m := fixtureSessions()
	m.ByDate, m.Sorts, m.NextDay, m.Back = true, nil, "2026-11-22T23:00:00Z", "/?by=date"
	m.Views[0].On, m.Views[1].On = true, false
	for i, name := range []string{"Today", "Last week"} {
		g := &m.Groups[i]
		g.ID, g.Name, g.Detail, g.IsProject = []string{"today", "week"}[i], name, []string{"Sunday, 22 November", "16 to 20 November"}[i], false
		for j := range g.Rows {
			g.Rows[j].Files, g.Rows[j].Added, g.Rows[j].Removed, g.Rows[j].Waiting = 14*j, 412*j, 96*j, j == 1
			g.Rows[j].Running = g.Rows[j].Live
			g.Rows[j].Project, g.Rows[j].ActiveText, g.Rows[j].Model = "pi-mono", "14:02", ""
		}
	}
	return m
}

func fixtureContext() ContextModel {
	return ContextModel{
		Page: fixturePage("Context"), Name: "Theme system port", Back: "/sessions/abc?entry=e19", Entry: "e19", Number: "1,049",
		Time: Time{ISO: "2026-02-03T01:51:00Z", Text: "2026-02-03 01:51 UTC"}, Panel: "/sessions/abc/context?entry=e19", Total: "118,204", Window: "200,000",
		Parts: []ContextPart{
			{Name: "unrecorded", Text: "System prompt and tools", Tokens: "25,250", Share: "13 %", X: "0", Width: "124"},
			{Name: "results", Text: "Tool results", Count: "52", Tokens: "92,954", Share: "46 %", X: "126", Width: "462", Href: "?show=results"},
		},
		Free:   &ContextPart{Name: "free", Text: "Free", Tokens: "81,796", Share: "41 %"},
		Change: &ContextChange{Messages: "+5", Tokens: "+1,615", Cache: "116,589 read, 1,615 written", OnlyNew: "?show=new"},
		All:    "/sessions/abc/context?entry=e19", Before: []ContextRow{{Part: "unrecorded", Icon: "chip", Text: "System prompt and tools", Note: "not in this file", Tokens: "25,250"}},
		LeftOut:  &ContextLeftOut{Title: "Summarised away", Text: "610 entries", Href: "?entry=e1", Rows: []ContextRow{{Part: "left", Icon: "user", Text: "read <b>", Number: "1", Href: "?entry=e1"}}, More: "609 more entries, up to entry 610"},
		Messages: "139 in order", Previous: "?entry=e11",
		Rows: []ContextRow{
			{Part: "results", Icon: "scissors", Tool: "bash", Text: "npm run dev, result", Note: "cleared, was 18,400", Number: "641", Href: "?entry=e2", Tokens: "12"},
			{More: "128 more messages", All: "?rows=all"},
			{Part: "results", Icon: "file", Tool: "read", Text: "theme.ts, result", Number: "1,043", Href: "?entry=e3", Tokens: "1,180", New: true},
		},
		Removed: []ContextRow{{Part: "prompts", Icon: "user", Text: "gone", Note: "removed", Tokens: "7"}},
	}
}

func fixtureRecordedContext() ContextModel {
	m := fixtureContext()
	m.Recorded, m.Request, m.Shown, m.Next, m.Uncounted = true, "/sessions/abc/entries/e19?raw=request", "results", "?entry=e21", true
	m.Before = []ContextRow{{Part: "system", Icon: "chip", Text: "System prompt", Tokens: "14,210", Body: "Be <brief>."}}
	return m
}
