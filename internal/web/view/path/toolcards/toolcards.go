// Package toolcards builds the parts of tool calls that are shown as lists: todos, questions,
// arguments and pages.
package toolcards

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

const (
	maxTodos     = 200 // items shown of a todo list
	maxOptions   = 50  // options shown of a question
	maxArguments = 24  // arguments shown as a list
	maxArgument  = 200 // bytes of an argument shown in a list
)

// Todos parses a todo list. An item that cannot be parsed is shown as recorded.
func Todos(list []json.RawMessage) []components.Todo {
	out := make([]components.Todo, 0, min(len(list), maxTodos))
	for _, raw := range list[:min(len(list), maxTodos)] {
		var t struct{ Content, Text, Status string }
		if json.Unmarshal(raw, &t) != nil || t.Content+t.Text == "" {
			t.Content = string(raw)
		}
		out = append(out, components.Todo{Text: view.OneLine(rowtext.Cut(cmp.Or(t.Content, t.Text), 500)), State: cmp.Or(todoStates[t.Status], "open")})
	}
	return out
}

// todoStates are the states of todos by the words of agents.
var todoStates = map[string]string{"completed": "done", "in_progress": "doing", "abandoned": "dropped", "cancelled": "dropped"}

// RecordedTodos returns a todo list as a tool left it, with the names of its parts.
func RecordedTodos(list []session.Todo) []components.Todo {
	out := make([]components.Todo, 0, min(len(list), maxTodos))
	group := ""
	for _, t := range list[:min(len(list), maxTodos)] {
		m := components.Todo{Text: view.OneLine(rowtext.Cut(t.Text, 500)), State: cmp.Or(todoStates[t.Status], "open")}
		if t.Group != group {
			group = t.Group
			m.Group = view.OneLine(rowtext.Cut(group, 100))
		}
		out = append(out, m)
	}
	return out
}

// Progress says how many items of a todo list are done.
func Progress(list []session.Todo) string {
	done := 0
	for _, t := range list {
		if t.Status == "completed" {
			done++
		}
	}
	return components.FormatCount(done) + " of " + components.FormatCount(len(list)) + " done"
}

// Question is a question in the arguments of a call.
type Question struct {
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Options  []Option `json:"options"`
}

// Option is an answer that a question offers.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Questions returns questions with what the user chose, if anything.
func Questions(list []Question, answers []session.Answer) []components.AskedQuestion {
	out := make([]components.AskedQuestion, 0, min(len(list), maxOptions))
	for _, q := range list[:min(len(list), maxOptions)] {
		m := components.AskedQuestion{Text: view.OneLine(cmp.Or(q.Question, q.Header))}
		var left []string
		if i := slices.IndexFunc(answers, func(a session.Answer) bool { return a.Question == q.Question }); i >= 0 {
			left = splitAnswer(answers[i].Text, q.Options)
		}
		var chosen []string
		for _, o := range q.Options[:min(len(q.Options), maxOptions)] {
			option := components.AskedOption{Label: view.OneLine(o.Label), Detail: view.OneLine(o.Description)}
			if i := slices.Index(left, o.Label); i >= 0 {
				option.Chosen, left = true, slices.Delete(left, i, i+1)
				chosen = append(chosen, option.Label)
			}
			m.Options = append(m.Options, option)
		}
		m.Chosen, m.Added = strings.Join(chosen, ", "), view.OneLine(rowtext.Cut(strings.Join(left, ", "), 500))
		out = append(out, m)
	}
	return out
}

// splitAnswer separates the labels of an answer, which may contain the separator itself.
func splitAnswer(text string, options []Option) []string {
	if text == "" {
		return nil
	}
	if slices.ContainsFunc(options, func(o Option) bool { return o.Label == text }) {
		return []string{text}
	}
	return strings.Split(text, ", ")
}

// Reason returns why the user refused a call, "" if that is not recorded.
func Reason(answers []session.Answer) string {
	for _, a := range answers {
		if a.Question == "" {
			return view.OneLine(rowtext.Cut(a.Text, 1000))
		}
	}
	return ""
}

// ReplyStatus returns what the user did with a call of a kind that did not fail: "approved" for a
// plan, "answered" for a question with its answer, "" for other calls.
func ReplyStatus(kind string, answered bool) string {
	switch {
	case kind == "plan":
		return "approved"
	case kind == "ask" && answered:
		return "answered"
	}
	return ""
}

// Arguments returns the arguments of a call in their order, or nil unless all are short texts,
// numbers and words on one line.
func Arguments(raw json.RawMessage) []components.Pair {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var out []components.Pair
	for d.More() {
		name, err := d.Token()
		if err != nil || len(out) == maxArguments {
			return nil
		}
		value, err := d.Token()
		text := ""
		switch v := value.(type) {
		case string:
			text = v
		case json.Number:
			text = v.String()
		case bool:
			text = map[bool]string{true: "true", false: "false"}[v]
		case nil:
			text = "null"
		default:
			return nil
		}
		if err != nil || len(text) > maxArgument || strings.ContainsAny(text, "\n\r") {
			return nil
		}
		key, _ := name.(string)
		out = append(out, components.Pair{Name: view.OneLine(rowtext.Cut(key, 60)), Value: view.EscapeInvisible(text)})
	}
	return out
}
