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
		"change-branches.html": BranchesPage(BranchesModel{Page: fixturePage("Branches"), Back: Link{Text: "Theme system port", Href: "/sessions/abc"},
			Pop: &Link{Text: "Go back one prompt", Href: "/sessions/abc/pop"}, Tips: []TipModel{
				{Text: "could we have a file watcher?", End: "Invalid themes now fall back", Entries: "412 entries", Age: at("2026-11-21T01:59:00Z"), Href: "/sessions/abc", Current: true},
				{Text: "use chokidar", End: "Removed", Entries: "14 entries", Label: "chokidar", Age: at("2026-11-19T09:00:00Z"), Href: "/sessions/abc?entry=b12", Switch: "/sessions/abc/switch?entry=b16", Fork: &Link{Text: "from “The iterative workflow”", Href: "/sessions/abc?entry=e11"}},
			}}),
		"change-actions.html": ActionsPage(ActionsModel{Page: fixturePage("Entry"), Back: Link{Text: "Theme system port", Href: "/sessions/abc"}, Quote: branch.Quote, Items: []ActionModel{
			{Text: "Label", Icon: "flag", Action: "label", Href: "/sessions/abc/label?entry=e19", Keys: []string{"Shift", "L"}},
			{Text: "Branch here", Icon: "fork", Action: "branch", Reason: "Migrate the file first."},
			{Text: "Copy link", Icon: "link", Copy: "/sessions/abc?entry=e19"},
			{Text: "Raw line", Icon: "code", Href: "/raw"},
		}}),
	}
}
