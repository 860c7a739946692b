package components

// fixtureNow is the page with a session in each state.
func fixtureNow() NowModel {
	row := func(key, state string) NowRow {
		return NowRow{
			Key: key, Href: "/sessions/" + key, Title: "Bank <importer> " + key, Format: "pi", FormatTitle: "pi", FormatGlyph: "π", Project: "ledger",
			Prompt: "import the \"file\"", State: state, Since: Elapsed{1, "words", "26 min"}, Tokens: "118k", Cost: "$4.21",
		}
	}
	question, permission, likely := row("k1", "waits"), row("k2", "waits"), row("k3", "waits")
	question.Question, question.Options, question.QuestionIcon, question.Why = "Where should <it> live?", []string{"Here", "<There>"}, "ask", "Recorded question"
	permission.Call, permission.QuestionIcon, permission.Why = NowCall{"Bash", "rm -rf <dir>", Elapsed{1, "clock", "26:00"}}, "lock", "Tool running or waiting for permission"
	likely.Question, likely.QuestionIcon, likely.Why = "Shall I?", "message", "Likely: the last message ends with a question"
	tool, thinking := row("k4", "working"), row("k5", "working")
	tool.Call, tool.MoreCalls, tool.SubAgents = NowCall{"Task", "Explore", Elapsed{1, "clock", "3:07"}}, 1, 2
	thinking.Thinking, thinking.Last, thinking.Call.Since = true, "The index is read first", Elapsed{1, "clock", "0:11"}
	done, failed, quiet := row("k6", "finished"), row("k7", "failed"), row("k8", "quiet")
	done.Last, failed.Error, quiet.Last = "All <pass>.", "529 overloaded", "Restart the server."
	return NowModel{
		Page: fixturePage("Now"), Rev: "1.2", Waiting: 3, At: 1770000000000, NextChange: "2026-02-03T09:00:00Z", Hidden: 2,
		Counts: []NowCount{{"waits", "wait for you", 3}, {"working", "working", 2}, {"finished", "finished", 2}, {"quiet", "inactive", 3}},
		Agents: []Chip{{Name: "all", Text: "All", Href: "/now", Count: 10, On: true}, {Name: "pi", Text: "pi", Href: "/now?agent=pi", Count: 10}},
		Groups: []NowGroup{
			{"waits", "Waits for you", "longest wait first", []NowRow{question, permission, likely}},
			{"working", "Working", "", []NowRow{tool, thinking}},
			{"finished", "Finished", "in the last hour", []NowRow{done, failed}},
			{"quiet", "Inactive", "no activity for an hour", []NowRow{quiet}},
		},
		Rules: []NowRule{{"pi", []string{"Every answer records why the model stopped."}}},
	}
}
