package path

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

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

	Tasks    []taskArgs `json:"tasks"` // of several agents
	Language string     `json:"language"`
	Cells    []codeArgs `json:"cells"`
	Source   string     `json:"new_source"` // of a cell of a notebook
}

// taskArgs is the task of one of several agents.
type taskArgs struct {
	Name        string `json:"name"`
	ID          string `json:"id"`
	Agent       string `json:"agent"`
	Description string `json:"description"`
	Task        string `json:"task"`
	Assignment  string `json:"assignment"`
}

// codeArgs is code to run.
type codeArgs struct {
	Code     string `json:"code"`
	Language string `json:"language"`
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
	case cl.kind == "edit":
		return tb.cellBlocks(cl, &a, r)
	case cl.kind == "bash" || cl.kind == "read" || cl.kind == "search":
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
	case cl.kind == "agent" && len(a.Tasks) > 0:
		return []components.BlockModel{tb.taskBlock(a.Tasks)}
	case cl.kind == "code" && (cl.args.Code != "" || len(a.Cells) > 0):
		return []components.BlockModel{tb.codeBlock(append([]codeArgs{{cl.args.Code, a.Language}}, a.Cells...), r)}
	case cl.kind == "plan" && a.Plan != "":
		return []components.BlockModel{tb.blocks.markdownBlock(a.Plan)}
	case cl.kind == "script" && a.Script != "":
		return []components.BlockModel{tb.blocks.fileBlock("workflow.js", a.Script, r)}
	}
	if list := listBlocks(cl, &a); list != nil {
		return list
	}
	return tb.argumentBlocks(c)
}

// listBlocks returns the questions or the todo list of a call, nil if it has none.
func listBlocks(cl *toolCall, a *requestArgs) []components.BlockModel {
	switch {
	case cl.kind == "ask" && len(a.Questions) > 0:
		return []components.BlockModel{{Kind: "questions", Questions: toolcards.Questions(a.Questions, cl.answers)}}
	case cl.kind == "ask" && a.Question != "":
		return []components.BlockModel{{Kind: "questions", Questions: toolcards.Questions([]toolcards.Question{{Question: a.Question, Options: a.Options}}, cl.answers)}}
	case cl.kind == "todo" && len(a.Todos) > 0:
		return []components.BlockModel{{Kind: "todos", Todos: toolcards.Todos(a.Todos)}}
	}
	return nil
}

// cellBlocks returns the new source of a cell of a notebook, if no diff shows it.
func (tb *toolBuilder) cellBlocks(cl *toolCall, a *requestArgs, r *highlightBudget) []components.BlockModel {
	if a.Source == "" || cl.hasDiff {
		return nil
	}
	return []components.BlockModel{tb.blocks.fileBlock("cell.py", a.Source, r)}
}

// taskBlock returns the tasks of several agents, folded, each below its name.
func (tb *toolBuilder) taskBlock(tasks []taskArgs) components.BlockModel {
	var text strings.Builder
	for i, t := range tasks {
		if i > 0 {
			text.WriteString("\n\n")
		}
		text.WriteString(cmp.Or(t.Name, t.ID, t.Agent, "Task") + "\n" + cmp.Or(t.Task, t.Assignment, t.Description))
	}
	return tb.blocks.asideBlock(components.Pluralize(len(tasks), "task", "tasks"), text.String())
}

// codeBlock returns code to run, highlighted by its language.
func (tb *toolBuilder) codeBlock(cells []codeArgs, r *highlightBudget) components.BlockModel {
	name, texts := "cell.py", []string(nil)
	for _, c := range cells {
		if c.Code != "" {
			texts = append(texts, c.Code)
		}
		if c.Language == "js" || c.Language == "javascript" {
			name = "cell.js"
		}
	}
	return tb.blocks.fileBlock(name, strings.Join(texts, "\n\n"), r)
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
func returnsModelText(kind string) bool { return kind == "agent" || kind == "web" || kind == "skill" }

// resultAddsInfo reports whether the result of a call says more than the call. The
// confirmation of a todo list or of a plan does not.
func resultAddsInfo(cl *toolCall, e *session.Entry) bool {
	if cl.kind == "ask" && len(cl.answers) > 0 {
		return false
	}
	return cl.kind != "todo" && cl.kind != "plan" || e.HasFlag(session.FlagError)
}
