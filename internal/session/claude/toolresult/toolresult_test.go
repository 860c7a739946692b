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
	} {
		if got := toolresult.ReadAnswers(jsonl.Value{Raw: []byte(c.result)}, output(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s, %q: %v, want %v", c.result, c.text, got, c.want)
		}
	}
}
