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

func TestRecordedTodosNameTheirParts(t *testing.T) {
	list := []session.Todo{{Text: "a", Status: "completed", Group: "One"}, {Text: "b", Status: "in_progress", Group: "One"}, {Text: "c", Status: "abandoned", Group: "Two"}, {Text: "d", Status: "blocked", Group: "Two"}}
	want := []components.Todo{{Text: "a", State: "done", Group: "One"}, {Text: "b", State: "doing"}, {Text: "c", State: "dropped", Group: "Two"}, {Text: "d", State: "open"}}
	if got := toolcards.RecordedTodos(list); !reflect.DeepEqual(got, want) {
		t.Errorf("todos %+v", got)
	}
	if got := toolcards.Progress(list); got != "1 of 4 done" {
		t.Errorf("progress %q", got)
	}
}

func TestPagesLinkToWebPagesOnly(t *testing.T) {
	got := toolcards.Pages([]session.WebLink{{Title: "A\npage", URL: "https://www.example.org/a?b=c"}, {Title: "script", URL: "javascript:alert(1)"}, {URL: "http://b.example"}, {Title: "none", URL: "%"}})
	want := []components.FoundPage{{Title: "A page", Host: "example.org", Href: "https://www.example.org/a?b=c"}, {Title: "script"}, {Title: "http://b.example", Host: "b.example", Href: "http://b.example"}, {Title: "none"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("pages %+v", got)
	}
}

func TestReasonIsTheAnswerWithoutAQuestion(t *testing.T) {
	if got := toolcards.Reason([]session.Answer{{Question: "Which?", Text: "This"}, {Text: "use pnpm"}}); got != "use pnpm" {
		t.Errorf("reason %q", got)
	}
	if got := toolcards.Reason([]session.Answer{{Question: "Which?", Text: "This"}}); got != "" {
		t.Errorf("reason %q of an answer", got)
	}
}
