package omp_test

import (
	"fmt"
	"slices"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/pi"
)

func TestToolDetails(t *testing.T) {
	t.Parallel()
	read := func(tool, details string) session.Body {
		body, err := pi.Format.DecodeBody(fmt.Appendf(nil, `{"type":"message","id":"a","parentId":null,"message":{"role":"toolResult","toolCallId":"c","toolName":%q,"content":[],"details":%s}}`, tool, details))
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	answers := read("ask", `{"results":[{"question":"Which?","selectedOptions":["Wren","Robin"]},{"question":"When?","selectedOptions":[],"customInput":"now"},{"question":"Why?","selectedOptions":[]}]}`).Answers
	if want := []session.Answer{{Question: "Which?", Text: "Wren, Robin"}, {Question: "When?", Text: "now"}}; !slices.Equal(answers, want) {
		t.Errorf("answers %+v", answers)
	}
	if one := read("ask", `{"question":"Which?","selectedOptions":["Wren"],"note":"small"}`).Answers; !slices.Equal(one, []session.Answer{{Question: "Which?", Text: "Wren, small"}}) {
		t.Errorf("one answer %+v", one)
	}
	todos := read("todo", `{"phases":[{"name":"A","tasks":[{"content":"x","status":"completed"}]},{"name":"B","tasks":[{"content":"y","status":"blocked"}]}]}`).Todos
	if want := []session.Todo{{Text: "x", Status: "completed", Group: "A"}, {Text: "y", Status: "blocked", Group: "B"}}; !slices.Equal(todos, want) {
		t.Errorf("todos %+v", todos)
	}
	if b := read("bash", `{"question":"Which?","selectedOptions":["Wren"],"phases":[{"name":"A","tasks":[{"content":"x"}]}]}`); len(b.Answers)+len(b.Todos) > 0 {
		t.Errorf("another tool has %+v, %+v", b.Answers, b.Todos)
	}
}
