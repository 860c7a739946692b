package path

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// requestArgs holds the arguments of tools whose request is text.
type requestArgs struct {
	Prompt    string            `json:"prompt"`
	Plan      string            `json:"plan"`
	Script    string            `json:"script"`
	Todos     []json.RawMessage `json:"todos"`
	Question  string            `json:"question"`
	Questions []requestQuestion `json:"questions"`
}

type requestQuestion struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
}

// requestBlocks returns the request of a call unless its line shows it. For most tools
// these are the raw arguments. A block that may be truncated comes first.
func (tb *toolBuilder) requestBlocks(cl *toolCall, c *callPlace, r *highlightBudget) []components.BlockModel {
	if c == nil {
		return nil
	}
	var a requestArgs
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(c.blk.Args, &a); err != nil && !errors.As(err, &wrongType) {
		return tb.argumentBlocks(c)
	}
	switch {
	case cl.kind == "bash" || cl.kind == "read" || cl.kind == "edit" || cl.kind == "search":
		return nil
	case cl.kind == "write":
		if cl.args.Content == "" {
			return nil
		}
		return []components.BlockModel{tb.blocks.fileBlock(cl.args.File(), cl.args.Content, r)}
	case cl.kind == "web" && a.Prompt == "":
		return nil
	case (cl.kind == "agent" || cl.kind == "web") && a.Prompt != "":
		return []components.BlockModel{tb.blocks.asideBlock("Prompt", a.Prompt)}
	case cl.kind == "plan" && a.Plan != "":
		return []components.BlockModel{tb.blocks.markdownBlock(a.Plan)}
	case cl.kind == "ask" && len(a.Questions) > 0:
		return []components.BlockModel{tb.blocks.markdownBlock(questionsMarkdown(a.Questions))}
	case cl.kind == "ask" && a.Question != "":
		return []components.BlockModel{tb.blocks.markdownBlock(a.Question)}
	case cl.kind == "script" && a.Script != "":
		return []components.BlockModel{tb.blocks.fileBlock("workflow.js", a.Script, r)}
	case cl.kind == "todo" && len(a.Todos) > 0:
		return []components.BlockModel{{Kind: "todos", Todos: parseTodos(a.Todos)}}
	}
	return tb.argumentBlocks(c)
}

// asideBlock returns a folded text with a name.
func (bb *blockBuilder) asideBlock(name, text string) components.BlockModel {
	m := components.BlockModel{Kind: "aside", Name: view.OneLine(name), Short: view.OneLine(rowtext.Cut(text, 120))}
	m.Text, m.Cut = view.CutBytes(view.EscapeInvisible(text), bb.limits.text)
	if m.Cut {
		m.Left = "Show all, " + view.FormatFileSize(int64(len(text)))
	}
	return m
}

// markdownBlock returns text by a model or an agent.
func (bb *blockBuilder) markdownBlock(text string) components.BlockModel {
	head, cut := view.CutBytes(text, bb.limits.text)
	m := components.BlockModel{Kind: "md", Cut: cut}
	if cut {
		m.Left = "Show all, " + view.FormatFileSize(int64(len(text)))
	}
	if len(head) > maxMarkdownBytes {
		m.Kind, m.Text = "text", view.EscapeInvisible(head)
	} else {
		m.HTML = bb.renderer.renderMarkdown(head, false, bb.closedBudget)
	}
	return m
}

// questionsMarkdown formats questions with their options as Markdown.
func questionsMarkdown(list []requestQuestion) string {
	var b strings.Builder
	for _, q := range list {
		b.WriteString("**" + view.OneLine(cmp.Or(q.Question, q.Header)) + "**\n\n")
		for _, o := range q.Options {
			b.WriteString("- " + view.OneLine(o.Label))
			if o.Description != "" {
				b.WriteString(": " + view.OneLine(o.Description))
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// maxTodos limits the items shown of a todo list.
const maxTodos = 200

// parseTodos parses a todo list. An item that cannot be parsed is shown as recorded.
func parseTodos(list []json.RawMessage) []components.Todo {
	out := make([]components.Todo, 0, min(len(list), maxTodos))
	for _, raw := range list[:min(len(list), maxTodos)] {
		var t struct{ Content, Text, Status string }
		if json.Unmarshal(raw, &t) != nil || t.Content+t.Text == "" {
			t.Content = string(raw)
		}
		state := map[string]string{"completed": "done", "in_progress": "doing"}[t.Status]
		out = append(out, components.Todo{Text: view.OneLine(rowtext.Cut(cmp.Or(t.Content, t.Text), 500)), State: cmp.Or(state, "open")})
	}
	return out
}

// returnsModelText reports whether the results of a kind of tool are text by a model.
func returnsModelText(kind string) bool { return kind == "agent" || kind == "web" }

// resultAddsInfo reports whether the result of a call says more than the call. The
// confirmation of a todo list does not.
func resultAddsInfo(cl *toolCall, e *session.Entry) bool {
	return cl.kind != "todo" || e.HasFlag(session.FlagError)
}
