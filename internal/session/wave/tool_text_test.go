package wave

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"sessiontree/internal/session"
)

// toolLine returns a message with one call of a tool.
func toolLine(t *testing.T, name, params, result string) []byte {
	t.Helper()
	quote := func(text string) []byte {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return quoted
	}
	return fmt.Appendf(nil, `{"id":"m","role":"assistant","timestamp":"2026-03-01T10:00:00.000Z","blocks":[{"type":"tool","id":"c","name":%q,"parameters":%s,"result":%s,"stage":"end","success":true}]}`, name, quote(params), quote(result))
}

func TestAnswersOfQuestions(t *testing.T) {
	t.Parallel()
	const params = `{"questions":[{"question":"Which?","options":[{"label":"Wren"}]}]}`
	body, err := decodeBody(toolLine(t, "AskUserQuestion", params, `{"answers":{"Which?":"Wren","When?":""}}`))
	if want := []session.Answer{{Question: "Which?", Text: "Wren"}}; err != nil || !slices.Equal(body.Answers, want) {
		t.Errorf("answers %+v, %v", body.Answers, err)
	}
	for _, c := range []struct{ tool, result string }{{"AskUserQuestion", "User declined"}, {"Bash", `{"answers":{"a":"b"}}`}} {
		if body, err := decodeBody(toolLine(t, c.tool, `{}`, c.result)); err != nil || len(body.Answers) > 0 {
			t.Errorf("%s %q: answers %+v, %v", c.tool, c.result, body.Answers, err)
		}
	}
}

func TestCallArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, params, want string }{
		{"AskUserQuestion", `{"questions":[{"question":"Which bird?"}]}`, "Which bird?"},
		{"TodoWrite", `{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"pending"}]}`, "1 of 2 done"},
		{"LSP", `{"operation":"hover","filePath":"/home/dev/a.go"}`, "~/a.go"},
		{"Skill", `{"skill_name":"draw"}`, "draw"},
		{"mine", `{"a":[1]}`, `{"a":[1]}`},
	} {
		r, err := scanLine(toolLine(t, c.tool, c.params, ""), "/home/dev")
		if err != nil {
			t.Fatal(err)
		}
		if calls := r.Entry.Calls(); len(calls) != 1 || calls[0].Arg != c.want {
			t.Errorf("%s %s: %+v, want %q", c.tool, c.params, calls, c.want)
		}
	}
}
