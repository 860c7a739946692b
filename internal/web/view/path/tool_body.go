package path

import (
	"cmp"
	"encoding/json"
	"html"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path/toolcards"
	"sessiontree/web/components"
)

// fillToolBody fills in the body of a tool: the request unless the result shows it, then
// the result.
func (tb *toolBuilder) fillToolBody(m *components.ToolModel, cl *toolCall, c *callPlace, res int) {
	r := tb.blocks.closedBudget
	if m.Open || m.Running {
		r = tb.blocks.openBudget
	}
	switch cl.kind {
	case "edit":
		tb.fillDiff(m, cl, res, resultBlockID(c, res), r)
		cl.hasDiff = len(m.Diff) > 0
	case "write":
		if cl.args.Content != "" {
			m.Meta = components.Pluralize(countLines(cl.args.Content), "line", "lines")
		}
	}
	for _, b := range tb.requestBlocks(cl, c, r) {
		m.Blocks = append(m.Blocks, tb.withCallLink(b, c))
	}
	if res < 0 {
		if cl.kind == "bash" && cl.args.Command != "" {
			m.Blocks = append(m.Blocks, tb.withCommandLine(cl, components.BlockModel{Kind: "out"}))
		}
		return
	}
	if tb.addUserReply(m, cl, res) {
		return
	}
	if len(m.Diff) > 0 && !m.Err {
		return // the diff says more than "replaced 1 block"
	}
	if todos := tb.bodies[res].Todos; cl.kind == "todo" && len(todos) > 0 {
		m.ArgNote = toolcards.Progress(todos)
		m.Blocks = []components.BlockModel{{Kind: "todos", Todos: toolcards.RecordedTodos(todos)}}
		return
	}
	if !resultAddsInfo(cl, &tb.page.entries[res].Entry) {
		return
	}
	tb.addResultBlocks(m, cl, res, resultBlockID(c, res), r)
}

// addUserReply adds that the user approved a plan or refused a call, and reports whether the call was
// refused: its result is then only for the model.
func (tb *toolBuilder) addUserReply(m *components.ToolModel, cl *toolCall, res int) bool {
	b := components.BlockModel{Kind: "reply", Time: tb.page.config.MillisModel(tb.page.entries[res].Time)}
	switch m.Status {
	case "approved":
		b.Name = "Approved"
	case "rejected":
		b.Name, b.Text = components.RejectedReply, toolcards.Reason(cl.answers)
	default:
		return false
	}
	m.Blocks = append(m.Blocks, b)
	return m.Status == "rejected"
}

// argumentBlocks returns the raw arguments of an unknown tool.
func (tb *toolBuilder) argumentBlocks(c *callPlace) []components.BlockModel {
	if c == nil {
		return nil
	}
	if args := strings.TrimSpace(string(c.blk.Args)); args == "" || args == "{}" || args == "null" {
		return nil
	}
	if list := toolcards.Arguments(c.blk.Args); list != nil {
		return []components.BlockModel{{Kind: "pairs", Pairs: list}}
	}
	return []components.BlockModel{tb.blocks.jsonBlock(c.blk.Args)}
}

// withCallLink adds the address of the complete block to a truncated block of a call.
func (tb *toolBuilder) withCallLink(b components.BlockModel, c *callPlace) components.BlockModel {
	if b.Cut && c != nil {
		b.More = tb.blocks.blockURL(tb.page.entries[c.entry].ID, blockIndex(&tb.bodies[c.entry], c.blk))
	}
	return b
}

func blockIndex(body *session.Body, blk *session.Block) int {
	for k := range body.Blocks {
		if &body.Blocks[k] == blk {
			return k
		}
	}
	return 0
}

// resultBlockID returns the id that marks the blocks of a call's result within an entry, or
// "" if the whole entry is the result.
func resultBlockID(c *callPlace, res int) string {
	if c == nil || c.entry != res {
		return ""
	}
	return c.blk.ID
}

func (tb *toolBuilder) addResultBlocks(m *components.ToolModel, cl *toolCall, res int, of string, r *highlightBudget) {
	body := &tb.bodies[res]
	commanded := cl.kind != "bash" || cl.args.Command == ""
	for k := range body.Blocks {
		if k >= tb.blocks.limits.blocks {
			m.Blocks = append(m.Blocks, tb.blocks.remainderBlock(res, k))
			break
		}
		blk := &body.Blocks[k]
		if blk.Kind == session.BlockDiff || blk.ID != of || blk.Kind == session.BlockToolCall {
			continue
		}
		b, ok := tb.buildResultBlock(cl, res, k, r)
		if !ok {
			continue
		}
		if b.Kind == "out" && !commanded {
			b, commanded = tb.withCommandLine(cl, b), true
		}
		m.Blocks = append(m.Blocks, b)
		if b.Kind == "links" {
			m.Meta = components.Pluralize(len(blk.Links), "result", "results")
		}
		if cl.kind == "read" && b.Kind == "file" && !m.Err {
			m.Meta = components.Pluralize(countLines(blk.Text), "line", "lines")
		}
	}
	if !commanded {
		m.Blocks = append(m.Blocks, tb.withCommandLine(cl, components.BlockModel{Kind: "out"}))
	}
}

// buildResultBlock returns the k-th block of a result, as a file or as output.
func (tb *toolBuilder) buildResultBlock(cl *toolCall, res, k int, r *highlightBudget) (components.BlockModel, bool) {
	e, body := &tb.page.entries[res], &tb.bodies[res]
	blk := &body.Blocks[k]
	if blk.Kind != session.BlockText && blk.Kind != session.BlockOutput {
		return tb.blocks.buildBlock(e, k, blk, tb.blocks.imagesBefore(body, k))
	}
	if strings.TrimSpace(blk.Text) == "" {
		return components.BlockModel{}, false
	}
	var b components.BlockModel
	if len(blk.Links) > 0 {
		return components.BlockModel{Kind: "links", Links: toolcards.Pages(blk.Links)}, true
	}
	if cl.kind == "tool" && !e.HasFlag(session.FlagError) && isJSON(blk.Text) {
		b = tb.jsonResultBlock(blk.Text)
	} else if cl.kind == "read" && !e.HasFlag(session.FlagError) {
		name, _, _ := strings.Cut(cmp.Or(cl.args.File(), cl.short), ":")
		b = tb.blocks.fileBlock(name, blk.Text, r)
	} else if returnsModelText(cl.kind) && !e.HasFlag(session.FlagError) {
		b = tb.blocks.markdownBlock(blk.Text)
	} else {
		b = tb.blocks.renderer.outputBlock(blk.Text, tb.blocks.limits)
	}
	if b.Cut {
		b.More = tb.blocks.blockURL(e.ID, k)
		if b.Left == "" {
			b.Left = "Show all, " + view.FormatFileSize(int64(len(blk.Text)))
		}
	}
	return b, true
}

// isJSON reports whether an output is an object or a list in JSON.
func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) > 2 && (text[0] == '{' || text[0] == '[') && len(text) <= maxHighlightBytes && json.Valid([]byte(text))
}

// jsonResultBlock returns the output of a tool that is JSON: short values as a list.
func (tb *toolBuilder) jsonResultBlock(text string) components.BlockModel {
	if list := toolcards.Arguments(json.RawMessage(text)); list != nil {
		return components.BlockModel{Kind: "pairs", Pairs: list}
	}
	return tb.blocks.jsonBlock([]byte(text))
}

// withCommandLine adds the command line before its output, as in a terminal.
func (tb *toolBuilder) withCommandLine(cl *toolCall, out components.BlockModel) components.BlockModel {
	text, left := view.CutLines(strings.TrimSpace(cl.args.Command), tb.blocks.limits.lines)
	text, cut := view.CutBytes(text, tb.blocks.limits.text)
	if left > 0 || cut {
		text += " …"
	}
	body := out.HTML
	if body == "" {
		body = html.EscapeString(out.Text)
	}
	out.HTML = `<span class="prompt-sign">` + cmp.Or(cl.sign, "$") + `</span> ` + html.EscapeString(view.EscapeInvisible(text))
	if body != "" {
		out.HTML += "\n" + body
	}
	out.Text = ""
	return out
}

func countLines(s string) int {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}
