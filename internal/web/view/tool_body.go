package view

import (
	"cmp"
	"html"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// fillToolBody fills in the body of a tool: the request unless the result shows it, then
// the result.
func (ib *itemBuilder) fillToolBody(m *components.ToolModel, cl *toolCall, c *callPlace, res int) {
	r := ib.closedBudget
	if m.Open || m.Running {
		r = ib.openBudget
	}
	switch cl.kind {
	case "edit":
		ib.fillDiff(m, cl, res, resultBlockID(c, res), r)
	case "write":
		if cl.args.Content != "" {
			m.Meta = components.Pluralize(countLines(cl.args.Content), "line", "lines")
		}
	}
	for _, b := range ib.requestBlocks(cl, c, r) {
		m.Blocks = append(m.Blocks, ib.withCallLink(b, c))
	}
	if res < 0 {
		if cl.kind == "bash" && cl.args.Command != "" {
			m.Blocks = append(m.Blocks, ib.withCommandLine(cl, components.BlockModel{Kind: "out"}))
		}
		return
	}
	if len(m.Diff) > 0 && !m.Err {
		return // the diff says more than "replaced 1 block"
	}
	if !resultAddsInfo(cl, &ib.page.entries[res].Entry) {
		return
	}
	ib.addResultBlocks(m, cl, res, resultBlockID(c, res), r)
}

// argumentBlocks returns the raw arguments of an unknown tool.
func (ib *itemBuilder) argumentBlocks(c *callPlace) []components.BlockModel {
	if c == nil {
		return nil
	}
	if args := strings.TrimSpace(string(c.blk.Args)); args == "" || args == "{}" || args == "null" {
		return nil
	}
	return []components.BlockModel{ib.jsonBlock(c.blk.Args)}
}

// withCallLink adds the address of the complete block to a truncated block of a call.
func (ib *itemBuilder) withCallLink(b components.BlockModel, c *callPlace) components.BlockModel {
	if b.Cut && c != nil {
		b.More = ib.blockURL(ib.page.entries[c.entry].ID, blockIndex(&ib.bodies[c.entry], c.blk))
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

func (ib *itemBuilder) addResultBlocks(m *components.ToolModel, cl *toolCall, res int, of string, r *highlightBudget) {
	body := &ib.bodies[res]
	commanded := cl.kind != "bash" || cl.args.Command == ""
	for k := range body.Blocks {
		if k >= ib.limits.blocks {
			m.Blocks = append(m.Blocks, ib.remainderBlock(res, k))
			break
		}
		blk := &body.Blocks[k]
		if blk.Kind == session.BlockDiff || blk.ID != of || blk.Kind == session.BlockToolCall {
			continue
		}
		b, ok := ib.buildResultBlock(cl, res, k, r)
		if !ok {
			continue
		}
		if b.Kind == "out" && !commanded {
			b, commanded = ib.withCommandLine(cl, b), true
		}
		m.Blocks = append(m.Blocks, b)
		if cl.kind == "read" && b.Kind == "file" && !m.Err {
			m.Meta = components.Pluralize(countLines(blk.Text), "line", "lines")
		}
	}
	if !commanded {
		m.Blocks = append(m.Blocks, ib.withCommandLine(cl, components.BlockModel{Kind: "out"}))
	}
}

// buildResultBlock returns the k-th block of a result, as a file or as output.
func (ib *itemBuilder) buildResultBlock(cl *toolCall, res, k int, r *highlightBudget) (components.BlockModel, bool) {
	e, body := &ib.page.entries[res], &ib.bodies[res]
	blk := &body.Blocks[k]
	if blk.Kind != session.BlockText && blk.Kind != session.BlockOutput {
		return ib.buildBlock(e, k, blk, ib.imagesBefore(body, k))
	}
	if strings.TrimSpace(blk.Text) == "" {
		return components.BlockModel{}, false
	}
	var b components.BlockModel
	if cl.kind == "read" && !e.HasFlag(session.FlagError) {
		name, _, _ := strings.Cut(cmp.Or(cl.args.filePath(), cl.short), ":")
		b = ib.fileBlock(name, blk.Text, r)
	} else if returnsModelText(cl.kind) && !e.HasFlag(session.FlagError) {
		b = ib.markdownBlock(blk.Text)
	} else {
		b = ib.renderer.outputBlock(blk.Text, ib.limits)
	}
	if b.Cut {
		b.More = ib.blockURL(e.ID, k)
		if b.Left == "" {
			b.Left = "Show all, " + formatFileSize(int64(len(blk.Text)))
		}
	}
	return b, true
}

// withCommandLine adds the command line before its output, as in a terminal.
func (ib *itemBuilder) withCommandLine(cl *toolCall, out components.BlockModel) components.BlockModel {
	text, left := cutLines(strings.TrimSpace(cl.args.Command), ib.limits.lines)
	text, cut := cutBytes(text, ib.limits.text)
	if left > 0 || cut {
		text += " …"
	}
	body := out.HTML
	if body == "" {
		body = html.EscapeString(out.Text)
	}
	out.HTML = `<span class="p">` + cmp.Or(cl.sign, "$") + `</span> ` + html.EscapeString(escapeInvisible(text))
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
