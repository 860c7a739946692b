// Package now builds the model of the page of sessions that run, wait or have just finished.
package now

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/web/components"
)

// maxQuiet is how many quiet sessions are shown.
const maxQuiet = 30

// groups are the groups of the page, in order.
var groups = []struct {
	state             activity.State
	name, title, note string
	count             string // after the number of sessions
	countOne          string
}{
	{activity.Waits, "waits", "Waits for you", "longest wait first", "wait for you", "waits for you"},
	{activity.Working, "working", "Working", "", "working", "working"},
	{activity.Finished, "finished", "Finished", "in the last hour", "finished", "finished"},
	{activity.Quiet, "quiet", "Inactive", "no activity for an hour", "inactive", "inactive"},
}

// active is a session with its status.
type active struct {
	*catalog.Summary
	status activity.Status
}

// Source is what the page is about.
type Source struct {
	Sessions []catalog.Summary
	Formats  []*session.Format
	// CountTokens returns the tokens of the requests of a session, by its path.
	CountTokens func(path string) int64
}

// PageModel returns the model of the page for one agent, by the name of its format, or for
// all if it is "".
func PageModel(c view.Config, page components.Page, src Source, agent string, now time.Time) components.NowModel {
	m := components.NowModel{Page: page, At: now.UnixMilli()}
	var found []active
	byAgent := map[string]int{}
	var next time.Time
	for i := range src.Sessions {
		a := active{&src.Sessions[i], src.Sessions[i].Status(now)}
		if a.status.State == activity.None {
			continue
		}
		byAgent[a.Format]++
		if next.IsZero() || a.status.Expires.Before(next) {
			next = a.status.Expires
		}
		if agent == "" || a.Format == agent {
			found = append(found, a)
		}
	}
	if !next.IsZero() {
		m.NextChange = next.UTC().Format(time.RFC3339Nano)
	}
	if agent != "" && len(found) == 0 {
		m.NoSessionsOf = view.OneLine(cmp.Or(c.TitleOfFormat(agent), agent))
	}
	m.Agents = agentChips(c, byAgent, agent)
	for _, g := range groups {
		some := sessionsIn(found, g.state)
		count := components.NowCount{Name: g.name, Text: g.count, Count: len(some)}
		if len(some) == 1 {
			count.Text = g.countOne
		}
		m.Counts = append(m.Counts, count)
		if g.state == activity.Waits {
			m.Waiting = len(some)
		}
		if g.state == activity.Quiet && len(some) > maxQuiet {
			m.Hidden, some = len(some)-maxQuiet, some[:maxQuiet]
		}
		if len(some) == 0 {
			continue
		}
		rows := make([]components.NowRow, 0, len(some))
		for i := range some {
			rows = append(rows, rowModel(c, &some[i], src.CountTokens, now))
		}
		m.Groups = append(m.Groups, components.NowGroup{Name: g.name, Title: g.title, Note: g.note, Rows: rows})
	}
	for _, f := range src.Formats {
		if texts := f.Activity.Explanations; len(texts) > 0 && f.Title != "" && c.TitleOfFormat(f.Name) == f.Title && !sharesRules(m.Rules, texts) {
			m.Rules = append(m.Rules, components.NowRule{Agent: f.Title, Texts: texts})
		}
	}
	return m
}

// sharesRules reports whether the rules of another format are the same.
func sharesRules(rules []components.NowRule, texts []string) bool {
	return slices.ContainsFunc(rules, func(r components.NowRule) bool { return slices.Equal(r.Texts, texts) })
}

// sessionsIn returns the sessions in a state: those that wait longest first, those that work
// by the time of their prompt, others by their last activity.
func sessionsIn(all []active, state activity.State) []active {
	var some []active
	for _, a := range all {
		if a.status.State == state {
			some = append(some, a)
		}
	}
	slices.SortStableFunc(some, func(a, b active) int {
		byTime := b.LastWrote().Compare(a.LastWrote())
		switch state {
		case activity.Waits:
			byTime = -byTime
		case activity.Working:
			byTime = cmp.Compare(a.Activity.Began, b.Activity.Began)
		}
		return cmp.Or(byTime, cmp.Compare(a.Path, b.Path))
	})
	return some
}

// agentChips returns the filter by agent.
func agentChips(c view.Config, byAgent map[string]int, agent string) []components.Chip {
	total := 0
	var names []string
	for name, n := range byAgent {
		total += n
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(c.TitleOfFormat(a), c.TitleOfFormat(b)) })
	chips := []components.Chip{{Name: "all", Text: "All", Href: "/now", Count: total, On: agent == ""}}
	for _, name := range names {
		chips = append(chips, components.Chip{Name: name, Text: c.TitleOfFormat(name), Href: "/now?" + url.Values{"agent": {name}}.Encode(), Count: byAgent[name], On: agent == name})
	}
	return chips
}

func rowModel(c view.Config, a *active, countTokens func(string) int64, now time.Time) components.NowRow {
	tr := a.Activity
	r := components.NowRow{
		Key: a.Key, Href: view.SessionURL(a.Key), Title: index.SummaryTitle(a.Summary),
		Format: a.Format, FormatTitle: c.TitleOfFormat(a.Format), FormatGlyph: c.GlyphOfFormat(a.Format),
		Project: view.EscapeInvisible(view.LastPathElement(a.Cwd)), Prompt: view.OneLine(tr.Prompt),
		Tokens: view.FormatTokens(countTokens(a.Path)), Cost: view.FormatDollars(a.Cost),
		FailedInRow: tr.FailedInRow, Thinking: tr.Said.Thinking, Last: view.OneLine(tr.Said.Text),
	}
	if n := len(tr.Calls); n > 0 {
		r.Call, r.MoreCalls = callModel(&tr.Calls[0], a.LastWrote(), now), n-1
	}
	for i := range tr.Calls {
		if toolkind.StartsAgent(tr.Calls[i].Name) {
			r.SubAgents++
		}
	}
	fillState(&r, a, now)
	return r
}

func callModel(call *activity.Call, wrote, now time.Time) components.NowCall {
	at := wrote.UnixMilli()
	if call.Time != session.NoTime {
		at = call.Time
	}
	return components.NowCall{Name: view.ToolName(view.OneLine(call.Name)), Arg: view.OneLine(cmp.Or(call.Arg, "")), Since: elapsedSince(at, "clock", now)}
}

// fillState fills in what depends on the state.
func fillState(r *components.NowRow, a *active, now time.Time) {
	tr, wrote := a.Activity, a.LastWrote().UnixMilli()
	switch a.status.State {
	case activity.Waits:
		r.State, r.Since = "waits", elapsedSince(wrote, "words", now)
		fillWait(r, a)
	case activity.Working:
		began := tr.Began
		if began == session.NoTime {
			began = wrote
		}
		r.State, r.Since = "working", elapsedSince(began, "words", now)
		switch a.status.Reason {
		case activity.ToolOrPermission:
			r.Why = toolOrPermission
		case activity.SubAgentWrites:
			r.Why, r.Call.Name = "The agent has answered; a sub-agent still writes", "Sub-agent"
			r.Call.Since = elapsedSince(wrote, "clock", now)
		}
		if r.Call.Name == "" {
			r.Call.Since = elapsedSince(wrote, "clock", now)
		}
	case activity.Finished:
		r.State, r.Since = "finished", elapsedSince(wrote, "ago", now)
		switch {
		case tr.Failed:
			r.State, r.Error = "failed", cmp.Or(view.OneLine(tr.Error), "the file does not say why")
		case tr.Stopped:
			r.State = "stopped"
		}
	default:
		r.State, r.Since, r.Call = "quiet", elapsedSince(wrote, "words", now), components.NowCall{}
	}
}

const toolOrPermission = "Tool running or waiting for permission"

// fillWait fills in what a session waits for.
func fillWait(r *components.NowRow, a *active) {
	said := &a.Activity.Said
	switch a.status.Reason {
	case activity.RecordedQuestion:
		r.QuestionIcon, r.Why = "ask", "Recorded question"
		r.Question = cmp.Or(view.OneLine(said.Question), "A question in the agent")
		for _, o := range said.Options {
			r.Options = append(r.Options, view.OneLine(o))
		}
	case activity.RecordedPlan:
		r.QuestionIcon, r.Why = "ask", "Recorded plan, to be approved"
		r.Question = cmp.Or(view.OneLine(said.Question), "A plan to be approved")
	case activity.LikelyQuestion:
		r.QuestionIcon, r.Why = "message", "Likely: the last message ends with a question"
		r.Question, r.Call = view.OneLine(said.Text), components.NowCall{}
	default:
		r.QuestionIcon, r.Why = "lock", toolOrPermission
	}
}
