package activity

import (
	"slices"
	"testing"
	"time"

	"sessiontree/internal/session"
)

// message returns an entry of a kind, at second s.
func message(k session.Kind, s int64, d session.Details) *session.Entry {
	return &session.Entry{Kind: k, Time: s * 1000, Details: &d, Span: session.Span{Off: s, Len: 1}}
}

func prompt(s int64) *session.Entry { return message(session.KindUser, s, session.Details{}) }

func answer(s int64, stop string, calls ...string) *session.Entry {
	d := session.Details{Stop: stop}
	for _, name := range calls {
		d.Calls = append(d.Calls, session.ToolCall{ID: "c-" + name, Name: name})
	}
	e := message(session.KindAssistant, s, d)
	if len(calls) == 0 {
		e.Flags |= session.FlagText
	}
	return e
}

func result(s int64, name, status string) *session.Entry {
	e := message(session.KindToolResult, s, session.Details{Call: "c-" + name, Status: status})
	if status != "" {
		e.Flags |= session.FlagError
	}
	return e
}

var asking = &session.ActivityRules{
	AsksPermission: func(mode, tool string) bool { return tool == "bash" && mode != "all" },
	SplitsAnswers:  true,
	EntryTurn: func(e *session.Entry) session.TurnChange {
		if e.Name == "stop" {
			return session.TurnEnds
		}
		return session.TurnBegins
	},
}

func TestAdd(t *testing.T) {
	thinking := answer(2, "end_turn")
	thinking.Flags = session.FlagThinking
	notice := message(session.KindCustomMessage, 9, session.Details{})
	stop := message(session.KindCustomMessage, 9, session.Details{})
	stop.Name = "stop"
	failed := answer(2, "error")
	failed.Flags |= session.FlagError
	metadata := answer(9, "")
	metadata.Flags |= session.FlagMetadata
	for name, c := range map[string]struct {
		entries []*session.Entry
		turn    Turn
		calls   []string
	}{
		"nothing":                    {nil, TurnOver, nil},
		"a prompt":                   {[]*session.Entry{prompt(1)}, TurnAgent, nil},
		"the end of an answer":       {[]*session.Entry{prompt(1), answer(2, "stop")}, TurnOver, nil},
		"a line without stop":        {[]*session.Entry{prompt(1), answer(2, "")}, TurnUnclear, nil},
		"thinking before the text":   {[]*session.Entry{prompt(1), thinking}, TurnAgent, nil},
		"a failure":                  {[]*session.Entry{prompt(1), failed}, TurnOver, nil},
		"a call":                     {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash")}, TurnTool, []string{"bash"}},
		"calls in two lines":         {[]*session.Entry{prompt(1), answer(2, "tool_use", "bash"), answer(2, "tool_use", "read")}, TurnTool, []string{"bash", "read"}},
		"one of two results":         {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash", "read"), result(3, "bash", "")}, TurnTool, []string{"read"}},
		"both results":               {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash", "read"), result(3, "read", ""), result(4, "bash", "")}, TurnAgent, nil},
		"a lost result":              {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash", "read"), result(3, "read", ""), answer(4, "stop")}, TurnOver, nil},
		"a question":                 {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash", "ask")}, TurnUser, []string{"bash", "ask"}},
		"a refused tool":             {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash"), result(3, "bash", "rejected")}, TurnOver, nil},
		"an interruption":            {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash"), stop}, TurnOver, nil},
		"a notice after an answer":   {[]*session.Entry{prompt(1), answer(2, "stop"), notice}, TurnAgent, nil},
		"metadata after an answer":   {[]*session.Entry{prompt(1), answer(2, "stop"), metadata}, TurnOver, nil},
		"a prompt instead of result": {[]*session.Entry{prompt(1), answer(2, "toolUse", "bash"), prompt(3)}, TurnAgent, nil},
	} {
		var tr Track
		for _, e := range c.entries {
			tr.Add(e, asking)
		}
		var calls []string
		for _, call := range tr.Calls {
			calls = append(calls, call.Name)
		}
		if tr.Turn != c.turn || !slices.Equal(calls, c.calls) {
			t.Errorf("%s: turn %d with calls %q, want %d with %q", name, tr.Turn, calls, c.turn, c.calls)
		}
	}
}

// The permission mode of a prompt counts until another is recorded.
func TestAdd_permissionMode(t *testing.T) {
	var tr Track
	for i, c := range []struct {
		mode   string
		mayAsk bool
	}{{"", true}, {"all", false}, {"", false}, {"default", true}} {
		tr.Add(message(session.KindUser, int64(i), session.Details{Mode: c.mode}), asking)
		tr.Add(&session.Entry{Kind: session.KindCustomMessage, Details: &session.Details{}}, asking)
		tr.Add(answer(int64(i), "toolUse", "bash"), asking)
		if tr.mayAskPermission() != c.mayAsk {
			t.Errorf("after prompt %d with mode %q: %v", i, c.mode, tr.mayAskPermission())
		}
	}
}

// Failures in a row are counted until a result that is not one.
func TestAdd_FailedInRow(t *testing.T) {
	var tr Track
	for i, c := range []struct {
		status string
		want   int
	}{{"exit 1", 1}, {"exit 2", 2}, {"", 0}, {"exit 1", 1}} {
		tr.Add(result(int64(i), "bash", c.status), asking)
		if tr.FailedInRow != c.want {
			t.Errorf("after %d results: %d, want %d", i+1, tr.FailedInRow, c.want)
		}
	}
}

func TestStatusAt(t *testing.T) {
	wrote := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	said := Track{Prompt: "x"}
	asked := said
	asked.Said.IsAsking = true
	failed := asked
	failed.Failed = true
	unclear := said
	unclear.Turn = TurnUnclear
	plan := Track{Turn: TurnUser, Said: Said{IsPlan: true}}
	tool := Track{Turn: TurnTool, Calls: []Call{{Name: "read"}}}
	unsafe := Track{Turn: TurnTool, Calls: []Call{{Name: "read"}, {Name: "bash", MayAsk: true}}}
	for name, c := range map[string]struct {
		track  Track
		after  time.Duration
		state  State
		reason Reason
		left   time.Duration
	}{
		"no message":                   {Track{Changed: session.NoTime}, 0, None, NoReason, 0},
		"a question":                   {Track{Turn: TurnUser}, time.Hour, Waits, RecordedQuestion, 23 * time.Hour},
		"a plan":                       {plan, time.Hour, Waits, RecordedPlan, 23 * time.Hour},
		"an old question":              {Track{Turn: TurnUser}, 24 * time.Hour, None, NoReason, 0},
		"the model":                    {Track{Turn: TurnAgent}, time.Minute, Working, NoReason, 9 * time.Minute},
		"a model that is gone":         {Track{Turn: TurnAgent}, 10 * time.Minute, Quiet, NoReason, 24*time.Hour - 10*time.Minute},
		"a tool":                       {tool, 59 * time.Minute, Working, NoReason, time.Minute},
		"a tool that is gone":          {tool, time.Hour, Quiet, NoReason, 23 * time.Hour},
		"a tool or permission":         {unsafe, 59 * time.Second, Working, ToolOrPermission, time.Second},
		"probably permission":          {unsafe, time.Minute, Waits, ToolOrPermission, 24*time.Hour - time.Minute},
		"an answer":                    {said, time.Minute, Finished, NoReason, 59 * time.Minute},
		"an answer, an hour ago":       {said, time.Hour, Quiet, NoReason, 23 * time.Hour},
		"a question in the text":       {asked, time.Minute, Waits, LikelyQuestion, 59 * time.Minute},
		"a failure after a question":   {failed, time.Minute, Finished, NoReason, 59 * time.Minute},
		"an answer that may continue":  {unclear, 9 * time.Second, Working, NoReason, time.Second},
		"an answer that does not":      {unclear, 10 * time.Second, Finished, NoReason, time.Hour - 10*time.Second},
		"an answer of the day before":  {said, 24 * time.Hour, None, NoReason, 0},
		"a clock that is a bit behind": {said, -time.Second, Finished, NoReason, time.Hour + time.Second},
	} {
		now := wrote.Add(c.after)
		got := c.track.StatusAt(now, wrote)
		want := Status{State: c.state, Reason: c.reason}
		if c.left > 0 {
			want.Expires = now.Add(c.left)
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestSetAnswer(t *testing.T) {
	text := func(s string) session.Block { return session.Block{Kind: session.BlockText, Text: s} }
	thought := func(s string) session.Block { return session.Block{Kind: session.BlockThinking, Text: s} }
	for name, c := range map[string]struct {
		blocks []session.Block
		want   Said
	}{
		"nothing":             {nil, Said{}},
		"the last line":       {[]session.Block{text("One.\n\nTwo.\n")}, Said{Text: "Two."}},
		"thinking":            {[]session.Block{thought("first\nsecond")}, Said{Text: "second", Thinking: true}},
		"text after thinking": {[]session.Block{thought("x?"), text("Done")}, Said{Text: "Done"}},
		"thinking after text": {[]session.Block{text("Done"), thought("x?")}, Said{Text: "Done"}},
		"a question":          {[]session.Block{text("I can.\n\n**Shall I (now?)**\n```\n")}, Said{Text: "Shall I (now?)", IsAsking: true}},
		"a list":              {[]session.Block{text("- Keep it\n- Drop it？")}, Said{Text: "Drop it？", IsAsking: true}},
		"a question before":   {[]session.Block{text("Shall I? I did.")}, Said{Text: "Shall I? I did."}},
	} {
		var got Said
		got.SetAnswer(&session.Body{Blocks: c.blocks})
		if got.Text != c.want.Text || got.Thinking != c.want.Thinking || got.IsAsking != c.want.IsAsking {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// Signs are removed in pairs, and only where they are Markdown.
func TestTrimMarkup(t *testing.T) {
	for line, want := range map[string]string{
		"--force is needed":              "--force is needed",
		"`--force` is needed":            "--force is needed",
		"Use `go test":                   "Use `go test",
		"## Next: `a`":                   "Next: a",
		"#1 is open":                     "#1 is open",
		"> - quoted":                     "quoted",
		"-1 is less":                     "-1 is less",
		"**Done:** all of `src/**/a/**`": "Done: all of src/**/a/**",
		"*ptr is nil":                    "*ptr is nil",
		"*all of it*":                    "all of it",
		"_private and _other":            "_private and _other",
		"| a | b |":                      "a | b",
		"|---|:--|":                      "",
		"```go":                          "",
		"---":                            "",
		"- ":                             "",
		"Two * three":                    "Two * three",
	} {
		if got := trimMarkup(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestSetQuestion(t *testing.T) {
	rules := &session.ActivityRules{ReadQuestion: session.ReadQuestionArgs}
	for args, want := range map[string]Said{
		`{"questions":[{"question":"Where?","options":[{"label":"Here"},"There"]},{"question":"When?"}]}`: {Question: "Where?", Options: []string{"Here", "There"}},
		`{"question":"# Which\none?","options":["a",7]}`:                                                  {Question: "Which", Options: []string{"a", ""}},
		`{"question":7}`: {},
		`null`:           {},
	} {
		var got Said
		got.SetQuestion(&session.Body{Blocks: []session.Block{{Kind: session.BlockToolCall, Name: "bash"}, {Kind: session.BlockToolCall, Name: "ask", Args: []byte(args)}}}, rules)
		if got.Question != want.Question || !slices.Equal(got.Options, want.Options) {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
	var got Said
	got.SetQuestion(&session.Body{Blocks: []session.Block{{Kind: session.BlockToolCall, Name: "ExitPlanMode", Args: []byte(`{"plan":"\n## Move it\n1. x"}`)}}}, rules)
	if !got.IsPlan || got.Question != "Move it" {
		t.Errorf("a plan: %+v", got)
	}
}
