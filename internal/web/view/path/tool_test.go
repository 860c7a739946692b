package path_test

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
)

// Cards of calls and their results, tool by tool.
func TestTools(t *testing.T) {
	var s viewtest.Script
	s.User("u1", "", "work")
	calls := []struct{ name, args, result, details, more string }{
		{"read", `{"path":"/home/dev/proj/a.go"}`, "package a\n", "", ""},
		{"read", `{"path":"/home/dev/b.txt","offset":10}`, "ENOENT: no such file", "", `,"isError":true`},
		{"read", `{"path":"c.png","offset":"x","limit":null}`, "", "", `,"durationMs":1500`},
		{"write", `{"path":"n.go","content":"package n\n\nvar x = 1\n"}`, "Wrote 3 lines", "", ""},
		{"edit", `{"path":"e.go","edits":[{"oldText":"a","newText":"b"},{"oldText":"c","newText":"d"}]}`, "Replaced 2 blocks", "", ""},
		{"edit", `{"file_path":"e.go","old_string":"a","new_string":"b"}`, "Could not find the text", "", `,"isError":true`},
		{"bash", `{"command":"make test"}`, "", "", ""},
		{"grep", `{"pattern":"x","path":"/home/dev/proj"}`, "a.go:1: x", "", ""},
		{"oracle", `{"q":"why","deep":{"a":[1,2]}}`, "because", "", `,"durationMs":75000`},
		{"nothing", `{}`, "", "", ""},
		{"", `"text"`, "odd arguments", "", ""},
		{"Task", `{"description":"Compare","prompt":"Compare the **wren**."}`, "The *robin* is softer.", "", ""},
		{"TodoWrite", `{"todos":[{"content":"Look","status":"completed"},{"content":"Draw","status":"in_progress"},{"content":"Sing","status":"pending"},"odd"]}`, "Todos have been modified.", "", ""},
		{"TodoWrite", `{"todos":[]}`, "No list", "", `,"isError":true`},
		{"WebFetch", `{"url":"https://example.org/a","prompt":"What is it?"}`, "# A page", "", ""},
		{"ExitPlanMode", `{"plan":"## Plan\n\n1. Draw"}`, "Approved", "", ""},
		{"AskUserQuestion", `{"questions":[{"question":"Which bird?","options":[{"label":"Wren","description":"small"},{"label":"Robin"}]}]}`, "Wren", "", ""},
		{"AskUserQuestion", `{"question":"Which?"}`, "None", "", ""},
		{"Workflow", `{"script":"export const meta = {}"}`, "started", "", ""},
		{"Skill", `{"skill":"draw","args":"bird"}`, "Launching skill: draw", "", ""},
		{"mcp__birds__get", `{"id":"B-1"}`, `{"id":"B-1","name":"Wren"}`, "", ""},
		{"mcp__birds__list", `{}`, `[{"id":"B-1","tags":["small"]}]`, "", ""},
		{"mcp__birds__fail", `{}`, `{"code":5}`, "", `,"isError":true`},
		{"NotebookEdit", `{"notebook_path":"a.ipynb","cell_id":"c1","new_source":"x = 1"}`, "Updated cell", "", ""},
		{"eval", `{"language":"js","code":"1 + 1"}`, "2", "", ""},
		{"eval", `{"cells":[{"code":"a = 1"},{"code":"a"}]}`, "1", "", ""},
		{"task", `{"tasks":[{"name":"Looker","task":"look"},{"id":"2","assignment":"sing"}]}`, "Both done", "", ""},
		{"todo", `{"op":"done","task":"Look"}`, "Updated", `{"phases":[{"name":"Bird","tasks":[{"content":"Look","status":"completed"},{"content":"Draw","status":"in_progress"}]},{"name":"Sound","tasks":[{"content":"Sing","status":"abandoned"}]}]}`, ""},
		{"ask", `{"questions":[{"id":"q","question":"Which bird?","options":[{"label":"Wren"},{"label":"Robin"}]}]}`, "User selected: Wren", `{"question":"Which bird?","selectedOptions":["Wren"],"customInput":"a small one"}`, ""},
		{"Task", `{"description":5,"prompt":["odd"]}`, "no such agent", "", `,"isError":true`},
	}
	var blocks []string
	for i, c := range calls {
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":%q,"arguments":%s}`, i, c.name, c.args))
	}
	up := s.Add("a1", "u1", `"type":"message","message":{"role":"assistant","content":[`+strings.Join(blocks, ",")+`],"stopReason":"toolUse"}`)
	for i, c := range calls {
		up = s.Add(fmt.Sprintf("r%d", i), up, fmt.Sprintf(`"type":"message","message":{"role":"toolResult","toolCallId":"c%d","toolName":%q,"content":[{"type":"text","text":%s}]%s%s}`, i, c.name, viewtest.Quote(c.result), details(c.details), c.more))
	}
	s.Add("r99", up, `"type":"message","message":{"role":"toolResult","toolCallId":"elsewhere","toolName":"bash","content":[{"type":"text","text":"a result without its call"}]}`)
	sess := viewtest.Open(t, s.Text())
	viewtest.CompareGolden(t, "tools.golden", viewtest.WithoutKey(viewtest.PathOf(t, sess, view.Params{}, path.Query{N: 200}).Items, sess))
}

// details is the member with the details of a result, if any.
func details(object string) string {
	if object == "" {
		return ""
	}
	return `,"details":` + object
}

func TestImage(t *testing.T) {
	body := session.Body{Blocks: []session.Block{{Kind: session.BlockText}, {Kind: session.BlockImage, Name: "one"}, {Kind: session.BlockOutput}, {Kind: session.BlockImage, Name: "two"}}}
	for n, want := range []string{"one", "two", ""} {
		if got, ok := path.FindImage(body, n); got.Name != want || ok != (want != "") {
			t.Errorf("image %d is %q, %v", n, got.Name, ok)
		}
	}
	if _, ok := path.FindImage(body, -1); ok {
		t.Error("there is an image -1")
	}
	for mime, want := range map[string]bool{"image/png": true, "image/svg+xml": false, "text/html": false, "": false} {
		if path.IsSafeImage(mime) != want {
			t.Errorf("SafeImage(%q) = %v", mime, !want)
		}
	}
}
