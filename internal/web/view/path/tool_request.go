package path

import (
	"encoding/json"
	"errors"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path/toolcards"
	"sessiontree/web/components"
)

// requestArgs holds the arguments of tools whose request is text.
type requestArgs struct {
	Prompt    string               `json:"prompt"`
	Plan      string               `json:"plan"`
	Script    string               `json:"script"`
	Todos     []json.RawMessage    `json:"todos"`
	Question  string               `json:"question"`
	Options   []toolcards.Option   `json:"options"`
	Questions []toolcards.Question `json:"questions"`
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
		return []components.BlockModel{{Kind: "questions", Questions: toolcards.Questions(a.Questions, cl.answers)}}
	case cl.kind == "ask" && a.Question != "":
		return []components.BlockModel{{Kind: "questions", Questions: toolcards.Questions([]toolcards.Question{{Question: a.Question, Options: a.Options}}, cl.answers)}}
	case cl.kind == "script" && a.Script != "":
		return []components.BlockModel{tb.blocks.fileBlock("workflow.js", a.Script, r)}
	case cl.kind == "todo" && len(a.Todos) > 0:
		return []components.BlockModel{{Kind: "todos", Todos: toolcards.Todos(a.Todos)}}
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

// returnsModelText reports whether the results of a kind of tool are text by a model.
func returnsModelText(kind string) bool { return kind == "agent" || kind == "web" }

// resultAddsInfo reports whether the result of a call says more than the call. The
// confirmation of a todo list does not.
func resultAddsInfo(cl *toolCall, e *session.Entry) bool {
	if cl.kind == "ask" && len(cl.answers) > 0 {
		return false
	}
	return cl.kind != "todo" || e.HasFlag(session.FlagError)
}
