package toolcards_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view/path/toolcards"
	"sessiontree/web/components"
)

func TestQuestionsTickTheChosenOptions(t *testing.T) {
	asked := []toolcards.Question{{Question: "Where?", Options: []toolcards.Option{{Label: "Here, now"}, {Label: "There"}, {Label: "Nowhere"}}}}
	for _, c := range []struct{ answer, chosen, added string }{
		{"There", "There", ""},
		{"Here, now", "Here, now", ""},
		{"There, Nowhere", "There, Nowhere", ""},
		{"There, but later", "There", "but later"},
		{"ask me again", "", "ask me again"},
	} {
		got := toolcards.Questions(asked, []session.Answer{{Question: "When?", Text: "Nowhere"}, {Question: "Where?", Text: c.answer}})
		if got[0].Chosen != c.chosen || got[0].Added != c.added {
			t.Errorf("answer %q: chosen %q, added %q", c.answer, got[0].Chosen, got[0].Added)
		}
	}
	if got := toolcards.Questions(asked, nil)[0]; got.Chosen != "" || len(got.Options) != 3 || got.Options[0].Chosen {
		t.Errorf("without an answer: %+v", got)
	}
}

func TestSplitServerTool(t *testing.T) {
	for name, want := range map[string][2]string{
		"mcp__linear__get_issue": {"linear", "get_issue"}, "mcp__a__b__c": {"a", "b__c"},
		"mcp__linear": {"", "mcp__linear"}, "Bash": {"", "Bash"}, "mcp____x": {"", "mcp____x"}, "a__b": {"", "a__b"},
	} {
		if server, tool := toolcards.SplitServerTool(name); server != want[0] || tool != want[1] {
			t.Errorf("%s: server %q, tool %q", name, server, tool)
		}
	}
}

func TestArgumentsAreAListIfTheyAreShort(t *testing.T) {
	got := toolcards.Arguments(json.RawMessage(`{"id":"CHK-1","n":2.50,"all":true,"by":null}`))
	want := []components.Pair{{Name: "id", Value: "CHK-1"}, {Name: "n", Value: "2.50"}, {Name: "all", Value: "true"}, {Name: "by", Value: "null"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("arguments %+v", got)
	}
	for _, raw := range []string{``, `[]`, `{`, `{"a":`, `{"a":{}}`, `{"a":[1]}`, `{"a":"b\nc"}`, `{"a":"` + strings.Repeat("x", 201) + `"}`} {
		if got := toolcards.Arguments(json.RawMessage(raw)); got != nil {
			t.Errorf("%.20q: %+v", raw, got)
		}
	}
}

func TestTodosKeepWhatTheyCannotParse(t *testing.T) {
	got := toolcards.Todos([]json.RawMessage{json.RawMessage(`{"content":"a","status":"in_progress"}`), json.RawMessage(`"b"`)})
	if want := []components.Todo{{Text: "a", State: "doing"}, {Text: `"b"`, State: "open"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("todos %+v", got)
	}
}
