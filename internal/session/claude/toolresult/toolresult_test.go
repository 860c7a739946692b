package toolresult_test

import (
	"reflect"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/toolresult"
	"sessiontree/internal/session/jsonl"
)

func output(text string) []session.Block {
	return []session.Block{{Kind: session.BlockOutput, Text: text}}
}

func TestReadAnswers(t *testing.T) {
	for _, c := range []struct {
		result, text string
		want         []session.Answer
	}{
		{`{"questions":[{"question":"Which?"},{"question":"Why?"}],"answers":{"Which?":"This, that"}}`, "", []session.Answer{{Question: "Which?", Text: "This, that"}}},
		{"", `User has answered your questions: "Which?"="This". You can now continue.`, []session.Answer{{Question: "Which?", Text: "This"}}},
		{`{"questions":{},"answers":[]}`, "None", nil},
		{`"Error: The user"`, "The user doesn't want to proceed with this tool use. The user provided the following reason for the rejection:  use pnpm", []session.Answer{{Text: "use pnpm"}}},
		{"", "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nlater", []session.Answer{{Text: "later"}}},
		{"", "The user doesn't want to proceed with this tool use. STOP what you are doing.", nil},
	} {
		if got := toolresult.ReadAnswers(jsonl.Value{Raw: []byte(c.result)}, output(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s, %q: %v, want %v", c.result, c.text, got, c.want)
		}
	}
}

func TestSplitOutput_Search(t *testing.T) {
	got := toolresult.SplitOutput("Web search results for query: \"wren\"\n\nLinks: [{\"title\":\"Wrens [birds]\",\"url\":\"https://example.org/wren\"}]\n\nWrens are small.\n\nREMINDER: You MUST cite.")
	want := []session.Block{
		{Kind: session.BlockOutput, Text: "Web search results for query: \"wren\""},
		{Kind: session.BlockOutput, Text: "- [Wrens (birds)](<https://example.org/wren>)\n", Links: []session.WebLink{{Title: "Wrens [birds]", URL: "https://example.org/wren"}}},
		{Kind: session.BlockOutput, Text: "Wrens are small."},
		{Kind: session.BlockInjected, Name: "System reminder", Text: "You MUST cite."},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	const broken = "Web search results for query: \"x\"\n\nLinks: [{\"title\":\n\nrest"
	if got := toolresult.SplitOutput(broken); len(got) != 3 || got[1].Text != `[{"title":` || got[2].Text != "rest" {
		t.Errorf("links that cannot be parsed: %+v", got)
	}
}

func TestSplitOutput_Background(t *testing.T) {
	for text, want := range map[string]string{
		"<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\nbuilt\n</stdout>\n\n<stderr>\nwarn\n</stderr>\n\n<timestamp>2025-11-17T11:48:38.214Z</timestamp>": "[completed, exit code 0]\nbuilt\nwarn",
		"<status>running</status>": "<status>running</status>",
		"plain":                    "plain",
	} {
		if got := toolresult.SplitOutput(text); !reflect.DeepEqual(got, output(want)) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestNotebookDiff(t *testing.T) {
	const file = `"notebook_path":"a.ipynb","original_file":"{\"cells\":[{\"cell_type\":\"code\",\"source\":\"first\"},{\"id\":\"two\",\"source\":[\"a\\n\",\"b\\n\",\"c\"]}]}"`
	for _, c := range []struct{ result, want string }{
		{`{` + file + `,"cell_id":"two","new_source":"a\nB\nc"}`, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{`{` + file + `,"cell_id":"cell-0","new_source":"first\nmore"}`, "@@ -1,1 +1,2 @@\n first\n+more\n"},
		{`{` + file + `,"cell_id":"two","new_source":"new","edit_mode":"insert"}`, "@@ -1,0 +1,1 @@\n+new\n"},
		{`{` + file + `,"cell_id":"two","new_source":"","edit_mode":"delete"}`, "@@ -1,3 +1,0 @@\n-a\n-b\n-c\n"},
		{`{` + file + `,"cell_id":"two","new_source":"a\nb\nc"}`, ""},
		{`{"notebook_path":"a.ipynb","new_source":"x","original_file":"{"}`, "@@ -1,0 +1,1 @@\n+x\n"},
		{`{"filePath":"a.go"}`, ""},
	} {
		v, err := jsonl.ParseObject([]byte(c.result))
		if err != nil {
			t.Fatal(err)
		}
		if got := toolresult.NotebookDiff(jsonl.ObjectFields(v)); got != c.want {
			t.Errorf("%s: %q, want %q", c.result, got, c.want)
		}
	}
}

func TestPlanTitle(t *testing.T) {
	for plan, want := range map[string]string{
		"## Move the cache\n\n1. a\n2. b": "Move the cache", "1. a\n2. b\n   - c\n10) d": "3 steps", "Just do it": "Just do it", "1. one": "1. one", "": "",
	} {
		if got := toolresult.PlanTitle(plan); got != want {
			t.Errorf("%q: %q, want %q", plan, got, want)
		}
	}
}
