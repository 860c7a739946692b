package components

import "github.com/a-h/templ"

// fixtureDialog returns the dialog shown in the design.
func fixtureDialog() Dialog {
	return Dialog{
		Page: fixturePage("Branch here, Theme system port"), Action: "branch", Title: "Branch here", Post: "/sessions/abc/branch",
		Back: Link{Text: "Theme system port", Href: "/sessions/abc?entry=e19"}, Hidden: []Pair{{"entry", "e19"}, {"seen-leaf", "e30"}},
		Quote:   &Quote{Text: "could we have a file watcher for the custom themes? which triggers a reload", Time: at("2026-11-21T01:29:00Z")},
		Effects: []string{"The agent continues from just before this prompt. The 338 entries after it stay in the tree."},
		Prompt:  &Prompt{Text: "could we have a file watcher?\nwhich triggers a reload", Note: "Original prompt (edit and resend)", Resume: "pi --session d703a1a9"},
		Lines: &LinesModel{Title: "2 lines will be added to d703a1a9….jsonl", Preview: "/sessions/abc/branch?part=lines", Open: true,
			Lines: []string{`{"type":"branch_summary","id":"9c02e1","summary":"fs.watch <works>"}`, `{"type":"label","id":"9c02e2","targetId":"9c02e1"}`}},
		Unchanged: "Nothing is rewritten or deleted.", Submit: "Branch here",
		Summary: &SummaryModel{Choice: "write", Text: "fs.watch works.", Abandoned: "the 338 entries you leave", NoGenerate: "No summarizer is set."},
		Label:   &LabelField{Placeholder: "chokidar attempt", Existing: []string{"crash repro"}},
	}
}

// fixtureBranches is the list of branches of the design.
func fixtureBranches() BranchPanelModel {
	rows := []BranchRow{
		{Head: "e1", Class: "now", Name: "Current path", Current: true, Href: "/sessions/abc", To: 1000, Entries: "1,284", Cost: "$103.97", Tokens: "61.2M", Time: at("2026-11-21T14:02:00Z")},
		{Head: "b1", Class: "left", Name: "retry with an outbox table", Label: words("outbox"), Tag: "abandoned", Href: "/sessions/abc?entry=b1&leaf=b9", Switch: "/sessions/abc/switch?entry=b9", From: 220, To: 510, Entries: "212", Cost: "$31.05", Tokens: "18.9M", Time: at("2026-11-20T18:40:00Z")},
		{Head: "a1", Class: "agent", Name: "Explore: every caller of createOrder", Tag: "sub-agent", Href: "/sessions/abc?entry=a1&leaf=a9", From: 170, To: 190, Entries: "84", Cost: "$1.12", Tokens: "0.9M", Time: at("2026-11-20T14:58:00Z")},
	}
	for i := range rows {
		rows[i].Index, rows[i].ID, rows[i].Text = i, "br-"+rows[i].Head, words(rows[i].Name)
	}
	return BranchPanelModel{
		Title: "Branches, Theme system port", Base: "/sessions/abc/branches", Close: "/sessions/abc", Total: 3, Plain: true,
		SessionCost: "$142.17", PathCost: "$103.97", LeftCost: "$37.08", LeftShare: "26%", AgentCost: "$1.12",
		Shows:   []Chip{{Text: "All", Href: "/sessions/abc/branches?sort=cost", On: true}, {Text: "Abandoned", Href: "/sessions/abc/branches?show=abandoned&sort=cost"}},
		Columns: []BranchColumn{{Name: "name", Text: "Branch", Href: "?sort=name"}, {Name: "where", Text: "Where in session", Href: "?sort=where"}, {Name: "entries", Text: "Entries", Href: "?sort=entries"}, {Name: "cost", Text: "Cost", Href: "?order=asc&sort=cost", Sort: "descending"}, {Name: "tokens", Text: "Tokens", Href: "?sort=tokens"}, {Name: "time", Text: "Last active", Href: "?"}},
		Hidden:  []Pair{{"sort", "cost"}}, Rows: BranchRowsModel{Rev: "1.7", Total: 3, Count: 3, Rows: rows},
	}
}

func changeFixtures() map[string]templ.Component {
	branch := fixtureDialog()
	refused := fixtureDialog()
	refused.Reason, refused.Alternative = "Migrate the file first.", &Link{Text: "Branch before the first entry instead", Href: "/sessions/abc/branch?entry=none"}
	label := fixtureDialog()
	label.Action, label.Title, label.Post, label.Submit = "label", "Label this entry", "/sessions/abc/label", "Save label"
	label.Label = &LabelField{Value: "live reload", Placeholder: "Label", Existing: []string{"crash repro", "design tokens"}, CanRemove: true}
	conflict := label
	conflict.Alert = &Alert{Kind: "warn", Strong: "The session has changed.", Text: "Nothing was written.", Resubmit: "Reload and keep label"}
	conflict.InSidecar = true
	rename := fixtureDialog()
	rename.Action, rename.Title, rename.Summary, rename.Label, rename.Prompt, rename.Lines = "rename", "Rename this session", nil, nil, nil, nil
	rename.Name = &NameField{Value: "Theme system port", Placeholder: "read docs/theme.md"}
	return map[string]templ.Component{
		"change-branch.html":   ChangeForm(branch),
		"change-page.html":     ChangePage(branch),
		"change-refused.html":  ChangeForm(refused),
		"change-label.html":    LabelForm(label),
		"change-conflict.html": LabelPage(conflict),
		"change-rename.html":   ChangeForm(rename),
		"change-lines.html":    ChangeLines(&LinesModel{Title: "Nothing will be added", Preview: "/p"}),
		"change-done.html": ChangeResult(ChangeResultModel{Text: "Labeled", Strong: "live reload", More: "Kept beside the file.", Go: "/sessions/abc",
			Link: &Link{Text: "Open", Href: "/sessions/def"}, Copies: []CopyModel{{"Copy prompt", "the <prompt>", "Prompt copied"}},
			Undo: &UndoModel{Post: "/sessions/abc/label", Fields: []Pair{{"entry", "e19"}, {"label", ""}}}}),
		"compare.html":      ComparePage(fixtureComparison()),
		"comparefacts.html": ComparePage(fixtureComparedFacts()),
		"change-actions.html": ActionsPage(ActionsModel{Page: fixturePage("Entry"), Back: Link{Text: "Theme system port", Href: "/sessions/abc"}, Quote: branch.Quote, Items: []ActionModel{
			{Text: "Label", Icon: "flag", Action: "label", Href: "/sessions/abc/label?entry=e19", Keys: []string{"Shift", "L"}},
			{Text: "Branch here", Icon: "fork", Action: "branch", Reason: "Migrate the file first."},
			{Text: "Copy link", Icon: "link", Copy: "/sessions/abc?entry=e19"},
			{Text: "Raw line", Icon: "code", Href: "/raw"},
		}}),
	}
}
