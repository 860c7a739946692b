package components

import "github.com/a-h/templ"

// keepFixtures are the pages about copies of sessions.
func keepFixtures() map[string]templ.Component {
	full := KeepNotice{Kind: "error", Strong: "The disk is full.", Text: "New lines are not copied until there is space."}
	list := fixtureSessions()
	list.Keep = &KeepSummary{Name: "Kept", State: "1.9 of 10 GB", Href: KeepAddress("", "/"), Notices: []KeepNotice{full}}
	list.Chips = append(list.Chips, Chip{Name: "deleted", Text: "File deleted", Href: "/?deleted=1", Count: 1, Icon: "archive", Group: "keep"}, Chip{Name: "soon", Text: "Deleted soon", Href: "/?soon=1", Count: 1, Icon: "clock", Group: "keep"})
	rows := list.Groups[0].Rows
	rows[1].DeletedSoon = "Deleted by Claude Code in 4 days"
	rows[2].Deleted, rows[2].CanRestore = true, true
	rows[3].Deleted = true
	date := fixtureSessionsByDate()
	date.Groups[0].Rows[2].Deleted, date.Groups[0].Rows[2].CanRestore = true, true
	date.Keep = &KeepSummary{Name: "Keep copies", State: "off", Href: KeepAddress("", "/?by=date"), Question: &KeepQuestion{
		Title: "Claude Code deletes sessions after 30 days. Keep copies?",
		Text:  "41 of your 74 sessions would be deleted before 22 December, the first one tomorrow. Copies stay on this computer, compressed: about 180 MB now.",
	}}
	dialog := KeepModel{
		Page: fixturePage("Keep sessions"), Back: "/?by=date", On: true, Used: "1.9 of 10 GB", Notices: []KeepNotice{full},
		Folders: []KeepFolder{{Path: "~/.claude/projects", Detail: "74 sessions, deletes after 30 days"}, {Path: "~/.pi/agent/sessions", Detail: "121 sessions"}},
		Bar:     KeepBar{Only: 70, Also: 120, OnlyText: "0.7 GB kept only here", AlsoText: "1.2 GB also in the agent’s folder"},
		Limits:  []KeepLimit{{Value: "5000000000", Text: "5 GB"}, {Value: "10000000000", Text: "10 GB", On: true}},
		Copies:  195, Deleted: 33, Size: "1.9 GB",
	}
	paused, refused, question := dialog, dialog, dialog
	paused.Paused, paused.Problem, paused.Notices = true, "The settings cannot be written.", nil
	refused.Reason = "The explorer was started read-only."
	question.AsksDelete = true
	return map[string]templ.Component{
		"keep.html":        SessionsPage(list),
		"keepfirst.html":   SessionsList(date),
		"keepdialog.html":  KeepPage(dialog),
		"keeppaused.html":  KeepForm(paused),
		"keeprefused.html": KeepForm(refused),
		"keepdelete.html":  KeepForm(question),
	}
}
