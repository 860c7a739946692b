package now

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// summary returns a session whose agent wrote some time before noon.
func summary(key string, ago time.Duration, tr activity.Track) catalog.Summary {
	tr.Changed = noon.Add(-ago).UnixMilli()
	return catalog.Summary{Key: key, Path: "/s/" + key, Format: "pi", ID: key, Cwd: "/home/dev/mono", AgentWrote: noon.Add(-ago), Activity: &tr}
}

// describe writes the groups of a page with the keys of their rows.
func describe(m components.NowModel) string {
	var parts []string
	for _, g := range m.Groups {
		for _, r := range g.Rows {
			parts = append(parts, fmt.Sprintf("%s %s(%s)", g.Name, r.Key, r.State))
		}
	}
	return strings.Join(parts, ", ")
}

func TestPageModel(t *testing.T) {
	bash := []activity.Call{{ID: "c", Name: "bash", Arg: "make", Time: noon.Add(-time.Minute).UnixMilli()}}
	asked := bash
	asked = append(asked[:0:0], activity.Call{ID: "c", Name: "Bash", Arg: "rm x", MayAsk: true, Time: session.NoTime})
	sessions := []catalog.Summary{
		summary("late", 2*time.Minute, activity.Track{Said: activity.Said{Text: "Shall I?", IsAsking: true}}),
		summary("early", 2*time.Hour, activity.Track{Turn: activity.TurnUser, Said: activity.Said{Question: "Which?", Options: []string{"A", "B"}}}),
		summary("perm", 5*time.Minute, activity.Track{Turn: activity.TurnTool, Calls: asked}),
		summary("runs", time.Minute, activity.Track{Turn: activity.TurnTool, Calls: bash, Began: noon.Add(-2 * time.Minute).UnixMilli()}),
		summary("broke", time.Minute, activity.Track{Failed: true, Error: "overloaded"}),
		summary("done", 30*time.Minute, activity.Track{Said: activity.Said{Text: "Done."}}),
		summary("rest", 3*time.Hour, activity.Track{}),
		summary("gone", 25*time.Hour, activity.Track{}),
	}
	tokens := func(path string) int64 { return int64(len(path)) * 1000 }
	m := PageModel(view.Config{}, components.Page{}, Source{Sessions: sessions, CountTokens: tokens}, "", noon)
	want := "waits early(waits), waits perm(waits), waits late(waits), working runs(working), finished broke(failed), finished done(finished), quiet rest(quiet)"
	if got := describe(m); got != want {
		t.Errorf("groups:\n%s\nwant\n%s", got, want)
	}
	early, perm, late, runs := m.Groups[0].Rows[0], m.Groups[0].Rows[1], m.Groups[0].Rows[2], m.Groups[1].Rows[0]
	if early.Question != "Which?" || len(early.Options) != 2 || early.Why != "Recorded question" || early.Since.Text != "2 h" {
		t.Errorf("a recorded question: %+v", early)
	}
	if perm.Question != "" || perm.Call.Name != "Bash" || perm.Why != toolOrPermission {
		t.Errorf("a call that may need permission: %+v", perm)
	}
	if late.Question != "Shall I?" || !strings.HasPrefix(late.Why, "Likely") {
		t.Errorf("a question in the text: %+v", late)
	}
	if runs.Call.Since.Text != "1:00" || runs.Since.Text != "2 min 0 s" || runs.Why != "" || runs.Tokens != "7.0k" {
		t.Errorf("a running tool: %+v", runs)
	}
	if m.Waiting != 3 || m.NextChange != "2026-01-02T12:30:00Z" {
		t.Errorf("%d wait, next change at %s", m.Waiting, m.NextChange)
	}
	if m := PageModel(view.Config{}, components.Page{}, Source{Sessions: sessions, CountTokens: tokens}, "wave", noon); len(m.Groups) != 0 || m.Agents[0].Count != 7 || m.NoSessionsOf != "wave" {
		t.Errorf("another agent: %d groups, %+v", len(m.Groups), m.Agents)
	}
}

// The address of an agent's sessions is escaped. The browser gets the server's time.
func TestPageModel_agentAddress(t *testing.T) {
	s := summary("k", time.Minute, activity.Track{})
	s.Format = "a&b"
	m := PageModel(view.Config{}, components.Page{}, Source{Sessions: []catalog.Summary{s}, CountTokens: func(string) int64 { return 0 }}, "a&b", noon)
	if m.Agents[1].Href != "/now?agent=a%26b" || m.NoSessionsOf != "" || m.At != noon.UnixMilli() {
		t.Errorf("%+v, no sessions of %q, at %d", m.Agents[1], m.NoSessionsOf, m.At)
	}
}

// A sub-agent that writes after the answer is what works.
func TestPageModel_subAgent(t *testing.T) {
	s := summary("k", 5*time.Minute, activity.Track{})
	s.SubAgentWrote = noon.Add(-20 * time.Second)
	m := PageModel(view.Config{}, components.Page{}, Source{Sessions: []catalog.Summary{s}, CountTokens: func(string) int64 { return 0 }}, "", noon)
	if got := describe(m); got != "working k(working)" {
		t.Fatal(got)
	}
	if r := m.Groups[0].Rows[0]; r.Call.Name != "Sub-agent" || r.Call.Since.Text != "0:20" || r.Why == "" {
		t.Errorf("%+v", r)
	}
}

// More quiet sessions than the limit are only counted.
func TestPageModel_ManyQuiet(t *testing.T) {
	var sessions []catalog.Summary
	for i := range maxQuiet + 5 {
		sessions = append(sessions, summary(fmt.Sprint("k", i), 2*time.Hour, activity.Track{}))
	}
	m := PageModel(view.Config{}, components.Page{}, Source{Sessions: sessions, CountTokens: func(string) int64 { return 0 }}, "", noon)
	if len(m.Groups[0].Rows) != maxQuiet || m.Hidden != 5 || m.Counts[3].Count != maxQuiet+5 {
		t.Errorf("%d rows, %d hidden, %d counted", len(m.Groups[0].Rows), m.Hidden, m.Counts[3].Count)
	}
}

func TestElapsedSince(t *testing.T) {
	for _, c := range []struct {
		ago       time.Duration
		how, want string
	}{
		{42 * time.Second, "clock", "0:42"},
		{62*time.Minute + 3*time.Second, "clock", "1:02:03"},
		{38 * time.Second, "words", "38 s"},
		{6*time.Minute + 12*time.Second, "words", "6 min 12 s"},
		{26 * time.Minute, "words", "26 min"},
		{3 * time.Hour, "ago", "3 h ago"},
		{-time.Second, "words", "0 s"},
	} {
		if got := elapsedSince(noon.Add(-c.ago).UnixMilli(), c.how, noon).Text; got != c.want {
			t.Errorf("%v as %s: %q, want %q", c.ago, c.how, got, c.want)
		}
	}
}
