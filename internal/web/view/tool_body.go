package view

import (
	"html"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// toolBody fills what a tool shows when it is open: what was asked for, as far
// as the result does not say it, then the result.
func (ib *itemBuilder) toolBody(m *components.ToolModel, cl *call, c *callAt, res int) {
	r := ib.spare
	if m.Open || m.Running {
		r = ib.ration
	}
	switch cl.kind {
	case "edit":
		ib.diff(m, cl, res, ofCall(c, res), r)
	case "write":
		if cl.args.Content != "" {
			m.Meta = plural(lineCount(cl.args.Content), "line", "lines")
		}
	}
	for _, b := range ib.asked(cl, c, r) {
		m.Blocks = append(m.Blocks, ib.callMore(b, c))
	}
	if res < 0 {
		if cl.kind == "bash" && cl.args.Command != "" {
			m.Blocks = append(m.Blocks, ib.command(cl, components.BlockModel{Kind: "out"}))
		}
		return
	}
	if len(m.Diff) > 0 && !m.Err {
		return // "replaced 1 block" says less than the diff
	}
	if !says(cl, &ib.pg.entries[res].Entry) {
		return
	}
	ib.resultBlocks(m, cl, res, ofCall(c, res), r)
}

// argsBlock shows the arguments of a tool that is not known better.
func (ib *itemBuilder) argsBlock(c *callAt) []components.BlockModel {
	if c == nil {
		return nil
	}
	if args := strings.TrimSpace(string(c.blk.Args)); args == "" || args == "{}" || args == "null" {
		return nil
	}
	return []components.BlockModel{ib.jsonBlock(c.blk.Args)}
}

// callMore says where a cut block of a call is had whole.
func (ib *itemBuilder) callMore(b components.BlockModel, c *callAt) components.BlockModel {
	if b.Cut && c != nil {
		b.More = ib.blockURL(ib.pg.entries[c.entry].ID, blockIndex(&ib.bodies[c.entry], c.blk))
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

// ofCall is the id by which an entry's blocks are those of a call's result: "" when
// the entry is nothing but the result.
func ofCall(c *callAt, res int) string {
	if c == nil || c.entry != res {
		return ""
	}
	return c.blk.ID
}

func (ib *itemBuilder) resultBlocks(m *components.ToolModel, cl *call, res int, of string, r *ration) {
	body := &ib.bodies[res]
	commanded := cl.kind != "bash" || cl.args.Command == ""
	for k := range body.Blocks {
		if k >= ib.limits.blocks {
			m.Blocks = append(m.Blocks, ib.rest(res, k))
			break
		}
		blk := &body.Blocks[k]
		if blk.Kind == session.BlockDiff || blk.ID != of || blk.Kind == session.BlockToolCall {
			continue
		}
		b, ok := ib.resultBlock(cl, res, k, r)
		if !ok {
			continue
		}
		if b.Kind == "out" && !commanded {
			b, commanded = ib.command(cl, b), true
		}
		m.Blocks = append(m.Blocks, b)
		if cl.kind == "read" && b.Kind == "file" && !m.Err {
			m.Meta = plural(lineCount(blk.Text), "line", "lines")
		}
	}
	if !commanded {
		m.Blocks = append(m.Blocks, ib.command(cl, components.BlockModel{Kind: "out"}))
	}
}

// resultBlock shows the k-th block of a result: what was read as a file, the rest
// as output.
func (ib *itemBuilder) resultBlock(cl *call, res, k int, r *ration) (components.BlockModel, bool) {
	e, body := &ib.pg.entries[res], &ib.bodies[res]
	blk := &body.Blocks[k]
	if blk.Kind != session.BlockText && blk.Kind != session.BlockOutput {
		return ib.block(e, k, blk, ib.imagesBefore(body, k))
	}
	if strings.TrimSpace(blk.Text) == "" {
		return components.BlockModel{}, false
	}
	var b components.BlockModel
	if cl.kind == "read" && !e.Has(session.FlagError) {
		name, _, _ := strings.Cut(orWord(cl.args.file(), cl.short), ":")
		b = ib.file(name, blk.Text, r)
	} else if speaks(cl.kind) && !e.Has(session.FlagError) {
		b = ib.words(blk.Text)
	} else {
		b = ib.b.md.output(blk.Text, ib.limits)
	}
	if b.Cut {
		b.More = ib.blockURL(e.ID, k)
		if b.Left == "" {
			b.Left = "Show all, " + fileSize(int64(len(blk.Text)))
		}
	}
	return b, true
}

// command puts the command line before its output, as a terminal shows it.
func (ib *itemBuilder) command(cl *call, out components.BlockModel) components.BlockModel {
	text, left := cutLines(strings.TrimSpace(cl.args.Command), ib.limits.lines)
	text, cut := cutBytes(text, ib.limits.text)
	if left > 0 || cut {
		text += " …"
	}
	body := out.HTML
	if body == "" {
		body = html.EscapeString(out.Text)
	}
	out.HTML = `<span class="p">` + orWord(cl.sign, "$") + `</span> ` + html.EscapeString(visible(text))
	if body != "" {
		out.HTML += "\n" + body
	}
	out.Text = ""
	return out
}

func lineCount(s string) int {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}
