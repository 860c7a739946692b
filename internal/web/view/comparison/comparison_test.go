package comparison_test

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/comparison"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// compareForked compares branches of a session whose two prompts differ, and whose second branch
// edits a file twice and fails once.
func compareForked(t *testing.T, query string) (m components.CompareModel, err error) {
	t.Helper()
	var s viewtest.Script
	s.User("u1", "", "make it fast")
	s.Add("a1", "u1", `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"How?"}]}`)
	s.User("b1", "a1", "use a library")
	s.Add("b2", "b1", `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"Tried."}]}`)
	s.User("c1", "a1", "use a cache")
	call := func(id, name, args string) string {
		return `{"type":"toolCall","id":"` + id + `","name":"` + name + `","arguments":` + args + `}`
	}
	s.Add("c2", "c1", `"type":"message","message":{"role":"assistant","content":[`+strings.Join([]string{
		call("t1", "edit", `{"path":"x.go"}`), call("t2", "edit", `{"path":"x.go"}`), call("t3", "bash", `{"command":"make <b>"}`)}, ",")+`]}`)
	s.Add("r1", "c2", `"type":"message","message":{"role":"toolResult","toolCallId":"t1","toolName":"edit","content":[],"details":{"diff":" 1 a\n-2 b\n+2 c"}}`)
	s.Add("r2", "r1", `"type":"message","message":{"role":"toolResult","toolCallId":"t2","toolName":"edit","content":[],"details":{"diff":" 1 a\n-2 c\n+2 d\n+3 e"}}`)
	s.Add("r3", "r2", `"type":"message","message":{"role":"toolResult","toolCallId":"t3","toolName":"bash","isError":true,"content":[{"type":"text","text":"no rule"}]}`)
	return compareScript(t, &s, query)
}

// compareScript compares branches of a session.
func compareScript(t *testing.T, s *viewtest.Script, query string) (m components.CompareModel, err error) {
	t.Helper()
	sess := viewtest.Open(t, s.Text())
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p, err := comparison.ParseParams(q)
	if err != nil {
		return m, err
	}
	sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
		var scene view.Scene
		if scene, err = view.NewScene(viewtest.Config(), view.Audience{}, tree, view.Params{}); err != nil {
			return
		}
		var plan *comparison.Plan
		if plan, err = comparison.NewPlan(scene, p); err != nil {
			return
		}
		bodies := map[session.Pos]*session.Body{}
		for _, at := range slices.Concat(plan.Positions(), filediff.Positions(plan.EditCalls(tree))) {
			body, err := sess.ReadBody(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			bodies[at] = &body
		}
		find := func(at session.Pos) *session.Body { return bodies[at] }
		var edits filediff.Edits
		edits.Read(tree, plan.EditCalls(tree), find)
		m = plan.Model(scene, components.Page{}, path.NewRenderer(), find, &edits)
	})
	return m, err
}

func TestModel(t *testing.T) {
	t.Parallel()
	m, err := compareForked(t, "a=b1&b=c1&tab=files")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Sides) != 2 || m.Sides[0].Name != "use a library" || !m.Sides[1].Current || m.Ancestor == nil || m.Ancestor.Text != "How?" || m.Shared != "2 shared entries" {
		t.Errorf("sides %+v, ancestor %+v, %s", m.Sides, m.Ancestor, m.Shared)
	}
	if len(m.Steps) != 1 || m.Steps[0].Word != "one phrase differs" || m.Steps[0].Turns[1].Calls != "3 calls" || m.Steps[0].Turns[1].Failed != "1 failed" {
		t.Errorf("steps %+v", m.Steps)
	}
	if len(m.Files) != 1 || m.Files[0].Word != "only B" || m.Files[0].Sides[1].Changed != (components.LineCounts{Added: 2, Removed: 1}) || len(m.Files[0].Sides[1].Edits) != 2 || len(m.Files[0].Sides[1].Diff.Diff) != 4 {
		t.Errorf("files %+v", m.Files)
	}
	if f := m.Sides[1].Failures; len(m.Sides[0].Failures) != 0 || len(f) != 1 || !f[0].Err || f[0].Arg != "make <b>" {
		t.Errorf("failures %+v", f)
	}
	if !strings.HasSuffix(m.Swap, "/compare?a=r3&b=b2&tab=files") || m.Tabs[1].Count != 1 || !m.Tabs[1].On || m.Tabs[2].Count != 1 {
		t.Errorf("swap %s, tabs %+v", m.Swap, m.Tabs)
	}
	for i, name := range m.Names {
		if least := m.Sides[0].Cells[i].IsLeast; least != (name == "Tool calls" || name == "Failed" || name == "Files" || name == "Working time") {
			t.Errorf("%s of A: the least %v", name, least)
		}
	}
}

// Of a long answer the start is shown, and all of it when it is opened, even without calls.
func TestModel_longAnswer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 100) + "**end**"
	var s viewtest.Script
	s.User("u1", "", "why?")
	s.Add("b1", "u1", `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"`+long+`"}]}`)
	s.Add("c1", "u1", `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"Short."}]}`)
	m, err := compareScript(t, &s, "a=b1&b=c1")
	if err != nil || len(m.Steps) != 1 {
		t.Fatalf("%d steps, %v", len(m.Steps), err)
	}
	a, b := m.Steps[0].Turns[0], m.Steps[0].Turns[1]
	if !strings.HasSuffix(a.Answer, "word …") || len(a.Blocks) != 1 || !strings.Contains(a.Blocks[0].HTML, "<strong>end</strong>") || a.AnswerHref != "" {
		t.Errorf("long answer %q, %+v, %q", a.Answer, a.Blocks, a.AnswerHref)
	}
	if b.Answer != "Short." || len(b.Blocks) > 0 {
		t.Errorf("short answer %q, %+v", b.Answer, b.Blocks)
	}
}

func TestModel_sides(t *testing.T) {
	t.Parallel()
	m, err := compareForked(t, "with=b2&with=c1&with=b1")
	if err != nil || len(m.Sides) != 2 {
		t.Errorf("%d sides, %v: entries of one branch are one side", len(m.Sides), err)
	}
	for query, want := range map[string]error{"a=gone": session.ErrNotFound, "tab=x": session.ErrInvalid, "from=-2": session.ErrInvalid, "with=" + strings.Join(strings.Split("0123456789abcde", ""), "&with="): session.ErrInvalid} {
		if _, err := compareForked(t, query); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", query, err, want)
		}
	}
}

// What a page does not list is counted, and an edit that is not known has no counts.
func TestModel_limits(t *testing.T) {
	t.Parallel()
	var s viewtest.Script
	s.User("u1", "", "start")
	s.User("b1", "u1", "another way")
	s.User("c1", "u1", "this way")
	last := "c1"
	add := func(id, name, args, result string) {
		s.Add(id, last, `"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"t`+id+`","name":"`+name+`","arguments":`+args+`}]}`)
		last = s.Add("r"+id, id, `"type":"message","message":{"role":"toolResult","toolCallId":"t`+id+`","toolName":"`+name+`",`+result+`,"content":[]}`)
	}
	for i := range 250 {
		add(fmt.Sprint("f", i), "write", fmt.Sprintf(`{"path":"y%d.go","content":"a"}`, i), `"isError":false`)
	}
	for i := range 60 {
		add(fmt.Sprint("e", i), "edit", `{"path":"a.go"}`, `"isError":false`)
		add(fmt.Sprint("x", i), "bash", `{"command":"make"}`, `"isError":true`)
		last = s.User(fmt.Sprint("p", i), last, "go on")
	}
	m, err := compareScript(t, &s, "a=b1&b=c1")
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Files[0].Sides[1]; m.Files[0].Name != "a.go" || f.EditCount != 60 || len(f.Edits) != 30 || !f.Unknown || f.Edits[0].Text != "unknown" {
		t.Errorf("a.go: %d edits, %d listed, %+v", f.EditCount, len(f.Edits), f.Edits[0])
	}
	if s := m.Sides[1]; m.FileCount != 251 || len(m.Files) != 200 || s.FailureCount != 60 || len(s.Failures) != 50 {
		t.Errorf("%d files, %d listed; %d failures, %d listed", m.FileCount, len(m.Files), s.FailureCount, len(s.Failures))
	}
	s.User("d1", "u1", "a third way")
	if m, err = compareScript(t, &s, "with=b1&with=c1&with=d1"); err != nil {
		t.Fatal(err)
	}
	if s := m.Sides[1]; s.PromptCount != 61 || len(s.Prompts) != 50 || s.Rest != "and 11 more" {
		t.Errorf("%d prompts, %d listed, %s", s.PromptCount, len(s.Prompts), s.Rest)
	}
}
