package results_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/results"
	"sessiontree/web/components"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newBuilder(t testing.TB, text string) results.Builder {
	t.Helper()
	q, err := query.Parse(text, now)
	if err != nil {
		t.Fatal(err)
	}
	return results.Builder{View: view.Config{Zone: time.UTC}, Text: text, Query: q, Now: now}
}

// newResult returns a result with hits that are given by their branch and role.
func newResult(hits ...string) *searchall.Result {
	r := &searchall.Result{
		Session:  catalog.Summary{Key: "k1", Format: "f", Name: "A name", Cwd: "/src/my shop"},
		Branches: []searchall.Branch{{Kind: query.OnPath}, {Kind: query.Abandoned, Title: "left"}, {Kind: query.SubAgent, Title: "agent"}},
	}
	for i, h := range hits {
		branch, role, _ := strings.Cut(h, " ")
		r.Hits = append(r.Hits, searchall.Hit{Entry: fmt.Sprintf("e%d", i), Branch: int(branch[0] - '0'), Role: query.Role(role), Snippet: "word", Marks: [][2]int{{0, 4}}, Time: now})
	}
	return r
}

func describe(m components.SearchResult) string {
	var b strings.Builder
	for _, branch := range m.Branches {
		fmt.Fprintf(&b, "%s(%d)", branch.Class, branch.Hits)
		for _, h := range branch.List {
			b.WriteString(" " + h.Entry)
		}
		b.WriteString("; ")
	}
	return b.String() + fmt.Sprintf("%d of %d more", m.More, m.Hits)
}

func TestBuilder_BestHits(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, "word")
	for _, c := range []struct {
		hits []string
		want string
	}{
		{[]string{"0 prompt", "0 answer"}, "path(2) e0 e1; 0 of 2 more"},
		{[]string{"0 prompt", "0 prompt", "0 answer", "0 answer", "0 input", "0 output", "1 prompt"}, "path(6) e0 e1 e2 e3 e4; left(1) e6; 1 of 7 more"},
		{[]string{"0 output", "0 output", "0 output", "0 output", "0 output", "0 output", "1 prompt", "1 prompt", "2 output"}, "path(6) e0 e1 e2; left(2) e6 e7; agent(1) e8; 3 of 9 more"},
		{[]string{"0 prompt", "0 answer", "0 input", "0 output", "1 input", "1 output", "2 output"}, "path(4) e0 e1 e2 e3; left(2) e4; agent(1) e6; 1 of 7 more"},
		{[]string{"2 thinking"}, "agent(1) e0; 0 of 1 more"},
	} {
		m := b.BestHits(newResult(c.hits...))
		if got := describe(m); got != c.want {
			t.Errorf("%q: %s, want %s", c.hits, got, c.want)
		}
		if (m.More > 0) != (m.MoreHref == "/search/session/k1?q=word") {
			t.Errorf("%q: %d more at %q", c.hits, m.More, m.MoreHref)
		}
	}
	if m := b.AllHits(newResult(strings.Split(strings.Repeat("0 output,", 600)+"1 answer", ",")...)); m.More != 101 || m.MoreHref != "" || len(m.Branches) != 1 {
		t.Errorf("all hits: %s, more at %q", describe(m), m.MoreHref)
	}
}

// The link of a hit marks the words of the query on the page of the session.
func TestBuilder_Links(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`word tool:bash "two words"`: "/sessions/k1?entry=e0&q=word+two+words",
		`re:w.rd`:                    "/sessions/k1?entry=e0&q=word",
		`tool:bash`:                  "/sessions/k1?entry=e0&q=word",
	} {
		b := newBuilder(t, text)
		m := b.BestHits(newResult("0 prompt"))
		if got := m.Branches[0].List[0].Href; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestBuilder_Hits(t *testing.T) {
	t.Parallel()
	r := newResult("0 prompt", "0 output", "0 input", "0 output", "0 prompt")
	r.Hits[0].Snippet, r.Hits[0].Marks, r.Hits[0].Prompt, r.Hits[0].Prompts = "…ä word\u202e end", [][2]int{{3, 7}}, 1204, 1205
	r.Hits[1].Tool, r.Hits[1].Arg, r.Hits[1].Failed, r.Hits[1].Status = "bash", "npm test", true, "exit 1"
	r.Hits[2].Tool = "edit"
	r.Hits[3].Tool, r.Hits[3].Added, r.Hits[3].Removed = "edit", 7, 1200
	r.Hits[4].Prompt = 2
	b := newBuilder(t, "word")
	hits := b.BestHits(r).Branches[0].List
	var got []string
	for _, h := range hits {
		line := h.Sign.Icon + " " + h.Sign.Class + " " + h.Sign.Name + ":"
		for _, p := range h.Parts {
			line += fmt.Sprintf(" %q", p.Text)
			if p.Mark {
				line += "*"
			}
		}
		for _, f := range h.Facts {
			line += fmt.Sprintf(" %q%s", f.Text, f.Class)
		}
		got = append(got, line)
	}
	want := []string{
		`user is-prompt Prompt: "…ä " "word"* "[U+202E] end" "Prompt 1,204 of 1,205"`,
		`warn is-failed Failed tool call: "word"* "bash" "npm test" "exit 1"error`,
		`pencil  Tool call: "word"* "edit"`,
		`pencil  Tool output: "word"* "edit" "+7"lines-added "−1,200"lines-removed`,
		`user is-prompt Prompt: "word"* "Prompt 2"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

func TestFacetCounts(t *testing.T) {
	t.Parallel()
	f := results.NewFacetCounts()
	r := newResult("0 prompt", "1 output", "2 output")
	r.Hits[1].Tool, r.Hits[1].Failed, r.Hits[2].Tool = "bash", true, `a"b`
	r.Hits[2].Time = time.Time{}
	c := view.Config{Zone: time.FixedZone("east", 14*3600)}
	f.AddResult(c, r, results.SessionStates{Live: true, Starred: true})
	f.AddResult(c, newResult("0 prompt"), results.SessionStates{})
	want := &results.FacetCounts{
		Hits: 4, Sessions: 2,
		ByToken: map[string]int{"agent:f": 4, `project:"my shop"`: 4, "is:live": 3, "is:starred": 3, "is:current": 2, "is:abandoned": 1, "is:sub-agent": 1,
			"role:prompt": 2, "role:output": 2, "tool:bash": 1, `tool:"a\"b"`: 1, "is:failed": 1},
		ByDay: map[string]int{"2026-11-22": 3},
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	for token := range f.ByToken { // each is a filter of a query
		if q, err := query.Parse(token, now); err != nil || len(q.Tokens) != 1 || len(q.Terms) != 0 {
			t.Errorf("%s is no filter: %v", token, err)
		}
	}
}

func TestFacetModels(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, `AGENT:x agent:F project:"my shop" is:failed word`)
	sessions := []catalog.Summary{{Format: "f", Cwd: "/src/my shop"}, {Format: "g", Cwd: "/a"}, {Format: "g"}}
	var got []string
	for _, f := range results.FacetModels(b.View, sessions, b.Query) {
		for _, v := range f.Values {
			if v.On || v.Sessions > 0 {
				got = append(got, fmt.Sprintf("%s %s %d %t", f.Name, v.Token, v.Sessions, v.On))
			}
		}
	}
	want := []string{"agent agent:g 2 false", "agent agent:f 1 true", "project project:a 1 false", `project project:"my shop" 1 true`, "tool is:failed 0 true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("filters (-want +got):\n%s", diff)
	}
}

func TestProblemModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want components.SearchProblem
	}{
		{`a re:fs\.watch(File b`, components.SearchProblem{Title: "Invalid regular expression", Reason: "The ( is never closed.", Shown: `re:fs\.watch(File`, Caret: "            ^", AsText: `a "fs\\.watch(File" b`}},
		{`re:"ä (`, components.SearchProblem{Title: "Invalid regular expression", Reason: "The ( is never closed.", Shown: "re:ä (", Caret: "     ^", AsText: `"ä ("`}},
		{"is:odd", components.SearchProblem{Title: "Unknown filter value", Reason: "Not a state: use failed, live, starred, current, abandoned or sub-agent.", Shown: "is:odd", AsText: `"odd"`}},
		{"tool:", components.SearchProblem{Title: "Unknown filter value", Reason: "Has no value.", Shown: "tool:"}},
	} {
		_, err := query.Parse(c.text, now)
		e, ok := err.(*query.Error)
		if !ok {
			t.Fatalf("%s: %v", c.text, err)
		}
		m := results.ProblemModel(c.text, e)
		if diff := cmp.Diff(c.want, m); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
		if m.AsText != "" {
			if _, err := query.Parse(m.AsText, now); err != nil {
				t.Errorf("%s as text: %v", c.text, err)
			}
		}
	}
}
