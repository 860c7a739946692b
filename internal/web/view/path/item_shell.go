package path

import (
	"cmp"
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
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
		m.Folded, m.Who = true, view.OneLine(e.Preview)
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
	ib.addCommandNote(i, m)
	m.Detail = view.OneLine(e.Status())
	if e.HasFlag(session.FlagNoContext) {
		m.Detail = strings.TrimPrefix(m.Detail+", not in the context", ", ")
	}
	return m
}

// appendCommandOutput adds the output of a local command to the command's item above. The
// agent records it as an entry after the command. It reports whether it did.
func (ib *itemBuilder) appendCommandOutput(i int, blocks []components.BlockModel) bool {
	e, n := &ib.page.entries[i], len(ib.items)
	if !e.HasFlag(session.FlagCommand) || e.HasFlag(session.FlagHidden) || n == 0 {
		return false
	}
	last, ok := ib.items[n-1].(*components.ShellItem)
	if !ok || last.Entry != ib.previousID(i) || e.switcher != nil || e.ownThread != nil || e.label != "" || e.warning != "" {
		return false
	}
	if last.Folded {
		last.Title = cmp.Or(last.Title, view.OneLine(rowtext.Cut(firstOutputLine(&ib.bodies[i]), view.MaxRowRunes)))
	}
	last.Blocks = append(last.Blocks, blocks...)
	last.Also = append(last.Also, e.ID)
	last.Target = last.Target || ib.isViewed(e)
	return true
}

// firstOutputLine returns the first line of an output that has words, without terminal colors.
func firstOutputLine(body *session.Body) string {
	for _, b := range body.Blocks {
		for line := range strings.Lines(b.Text) {
			if line = strings.Trim(terminalColor.ReplaceAllString(line, ""), "#* \t\r\n"); line != "" {
				return line
			}
		}
	}
	return ""
}

// terminalColor matches a change of color in the output of a command.
var terminalColor = regexp.MustCompile("\x1b\\[[0-9;]*m")

// belongsToNextCommand reports whether the page's i-th entry is a caveat about the command that the
// next entry records.
func (ib *itemBuilder) belongsToNextCommand(i int) bool {
	e := &ib.page.entries[i]
	if !isHiddenNote(e) || i+1 >= ib.page.shown || !e.isPlain() {
		return false
	}
	next := &ib.page.entries[i+1]
	return next.Kind == session.KindShell && next.HasFlag(session.FlagCommand) && next.switcher == nil && next.ownThread == nil
}

// addCommandNote adds the caveat above a command to the command's item.
func (ib *itemBuilder) addCommandNote(i int, m *components.ShellItem) {
	if i == 0 || !ib.belongsToNextCommand(i-1) {
		return
	}
	e := &ib.page.entries[i-1]
	m.Also, m.Target = append(m.Also, e.ID), m.Target || ib.isViewed(e)
	for _, b := range ib.bodies[i-1].Blocks {
		m.Blocks = append(m.Blocks, ib.blocks.asideBlock(e.Name, b.Text))
	}
}
