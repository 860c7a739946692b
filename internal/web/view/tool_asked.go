package view

import (
	"encoding/json"
	"errors"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// askedArgs are the arguments of tools that are asked for something in words.
type askedArgs struct {
	Prompt    string            `json:"prompt"`
	Plan      string            `json:"plan"`
	Script    string            `json:"script"`
	Todos     []json.RawMessage `json:"todos"`
	Question  string            `json:"question"`
	Questions []askedQuestion   `json:"questions"`
}

type askedQuestion struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
}

// asked shows what a tool was asked for, as far as its line does not say it: for
// most tools their arguments as recorded. What may be cut stands first.
func (ib *itemBuilder) asked(cl *call, c *callAt, r *ration) []components.BlockModel {
	if c == nil {
		return nil
	}
	var a askedArgs
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(c.blk.Args, &a); err != nil && !errors.As(err, &wrongType) {
		return ib.argsBlock(c)
	}
	switch {
	case cl.kind == "bash" || cl.kind == "read" || cl.kind == "edit" || cl.kind == "search":
		return nil
	case cl.kind == "write":
		if cl.args.Content == "" {
			return nil
		}
		return []components.BlockModel{ib.file(cl.args.file(), cl.args.Content, r)}
	case cl.kind == "web" && a.Prompt == "":
		return nil
	case (cl.kind == "agent" || cl.kind == "web") && a.Prompt != "":
		return []components.BlockModel{ib.aside("Prompt", a.Prompt)}
	case cl.kind == "plan" && a.Plan != "":
		return []components.BlockModel{ib.words(a.Plan)}
	case cl.kind == "ask" && len(a.Questions) > 0:
		return []components.BlockModel{ib.words(questionsText(a.Questions))}
	case cl.kind == "ask" && a.Question != "":
		return []components.BlockModel{ib.words(a.Question)}
	case cl.kind == "script" && a.Script != "":
		return []components.BlockModel{ib.file("workflow.js", a.Script, r)}
	case cl.kind == "todo" && len(a.Todos) > 0:
		return []components.BlockModel{{Kind: "todos", Todos: todosOf(a.Todos)}}
	}
	return ib.argsBlock(c)
}

// aside is a text that stands folded under a name.
func (ib *itemBuilder) aside(name, text string) components.BlockModel {
	m := components.BlockModel{Kind: "aside", Name: oneLine(name), Short: oneLine(cutRunes(text, 120))}
	m.Text, m.Cut = cutBytes(visible(text), ib.limits.text)
	if m.Cut {
		m.Left = "Show all, " + fileSize(int64(len(text)))
	}
	return m
}

// words is a text that a model or an agent wrote.
func (ib *itemBuilder) words(text string) components.BlockModel {
	head, cut := cutBytes(text, ib.limits.text)
	m := components.BlockModel{Kind: "md", Cut: cut}
	if cut {
		m.Left = "Show all, " + fileSize(int64(len(text)))
	}
	if len(head) > maxMarkdown {
		m.Kind, m.Text = "text", visible(head)
	} else {
		m.HTML = ib.b.md.html(head, false, ib.spare)
	}
	return m
}

// questionsText writes questions with their choices as Markdown.
func questionsText(list []askedQuestion) string {
	var b strings.Builder
	for _, q := range list {
		b.WriteString("**" + oneLine(orWord(q.Question, q.Header)) + "**\n\n")
		for _, o := range q.Options {
			b.WriteString("- " + oneLine(o.Label))
			if o.Description != "" {
				b.WriteString(": " + oneLine(o.Description))
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// maxTodos is how many lines of a list are shown.
const maxTodos = 200

// todosOf reads a list of what is to be done; a line that is none stands as it was
// recorded.
func todosOf(list []json.RawMessage) []components.Todo {
	out := make([]components.Todo, 0, min(len(list), maxTodos))
	for _, raw := range list[:min(len(list), maxTodos)] {
		var t struct{ Content, Text, Status string }
		if json.Unmarshal(raw, &t) != nil || t.Content+t.Text == "" {
			t.Content = string(raw)
		}
		state := map[string]string{"completed": "done", "in_progress": "doing"}[t.Status]
		out = append(out, components.Todo{Text: oneLine(cutRunes(orWord(t.Content, t.Text), 500)), State: orWord(state, "open")})
	}
	return out
}

// speaks reports whether the results of a kind of tool are words of a model.
func speaks(kind string) bool { return kind == "agent" || kind == "web" }

// says reports whether the result of a call tells more than the call: that a list
// was taken in does not.
func says(cl *call, e *session.Entry) bool {
	return cl.kind != "todo" || e.Has(session.FlagError)
}
