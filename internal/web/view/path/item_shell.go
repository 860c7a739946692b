package path

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// shellItem returns a command that the user ran, with its output.
func (ib *itemBuilder) shellItem(i int) *components.ShellItem {
	e, body := &ib.page.entries[i], &ib.bodies[i]
	m := &components.ShellItem{Card: components.Card{EntryHead: ib.newHead(e), Who: ib.page.audience.PromptAuthor() + " ran"}}
	cl := toolCall{kind: "bash", args: toolArgs{Command: e.Preview}}
	switch e.Name {
	case "", "bash":
	case "command":
		cl.sign = "›"
	default:
		m.Who += " " + view.OneLine(e.Name)
	}
	out := components.BlockModel{Kind: "out"}
	for k := range body.Blocks {
		blk := &body.Blocks[k]
		if blk.Kind == session.BlockToolCall {
			args := parseToolArgs(blk.Args)
			cl.args.Command = cmp.Or(args.Command, args.Code, e.Preview)
		} else if b, ok := ib.blocks.buildBlock(e, k, blk, ib.blocks.imagesBefore(body, k)); ok && b.Kind == "out" && out.HTML+out.Text == "" {
			out = b
		} else if ok {
			m.Blocks = append(m.Blocks, b)
		}
	}
	m.Blocks = append([]components.BlockModel{ib.tools.withCommandLine(&cl, out)}, m.Blocks...)
	m.Detail = view.OneLine(e.Status())
	if e.HasFlag(session.FlagNoContext) {
		m.Detail = strings.TrimPrefix(m.Detail+", not in the context", ", ")
	}
	return m
}

// appendCommandOutput adds the output of a local command to the command's item above. The
// agent records it as an entry after the command. It reports whether it did.
func (ib *itemBuilder) appendCommandOutput(i int, m *components.CustomItem) bool {
	e, n := &ib.page.entries[i], len(ib.items)
	if !e.HasFlag(session.FlagCommand) || e.HasFlag(session.FlagHidden) || n == 0 {
		return false
	}
	last, ok := ib.items[n-1].(*components.ShellItem)
	if !ok || last.Entry != ib.previousID(i) || e.switcher != nil || e.ownThread != nil || e.label != "" || e.warning != "" {
		return false
	}
	last.Blocks = append(last.Blocks, m.Blocks...)
	last.Also = append(last.Also, e.ID)
	last.Target = last.Target || m.Target
	return true
}
