package view

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// buildCard returns the item of an entry that is neither an answer nor a tool result.
func (ib *itemBuilder) buildCard(i int) components.ItemModel {
	e := &ib.page.entries[i]
	switch e.Kind {
	case session.KindUser:
		if e.HasFlag(session.FlagSecondary) {
			return ib.messageCard(i, "user", "Prompt to the agent")
		}
		return ib.messageCard(i, "user", ib.page.audience.promptAuthor())
	case session.KindShell:
		return ib.shellCard(i)
	case session.KindSystem:
		m := ib.messageCard(i, "system", "System prompt")
		m.Folded = true
		return m
	case session.KindMessage:
		return ib.messageCard(i, "message", roleName(e.Role))
	case session.KindCustomMessage:
		return ib.customMessageCard(i)
	case session.KindCompaction:
		return ib.compactionCard(i)
	case session.KindBranchSummary:
		return ib.branchSummaryCard(i)
	}
	return ib.noteCard(i)
}

// messageCard returns a card with all blocks of the entry.
func (ib *itemBuilder) messageCard(i int, kind, who string) components.ItemModel {
	m := ib.newItem(&ib.page.entries[i], kind)
	m.Who = who
	if m.Blocks = ib.buildBlocks(i); len(m.Blocks) == 0 {
		m.Blocks = []components.BlockModel{{Kind: "text", Text: "(no text)"}}
	}
	if ib.page.entries[i].HasFlag(session.FlagNoContext) {
		m.Detail = "not in the context"
	}
	return m
}

// customMessageCard returns a message by an extension or by the agent's program.
func (ib *itemBuilder) customMessageCard(i int) components.ItemModel {
	e, body := &ib.page.entries[i], &ib.bodies[i]
	m := ib.messageCard(i, "custom", cmp.Or(oneLine(e.Name), "Extension"))
	for _, word := range []string{oneLine(e.Status()), formatDuration(body.Duration), tokensText(body.Tokens)} {
		if word != "" {
			m.Detail = strings.TrimPrefix(m.Detail+", "+word, ", ")
		}
	}
	if e.HasFlag(session.FlagHidden) {
		m.Folded, m.Detail = true, "seen by the model only"
	}
	return m
}

// tokensText returns the tokens spent by an agent, or "" if unknown.
func tokensText(n int64) string {
	if n == 0 {
		return ""
	}
	return formatTokens(n) + " tokens"
}

// appendCommandOutput adds the output of a local command to the command's card above. The
// agent records it as an entry after the command. It reports whether it did.
func (ib *itemBuilder) appendCommandOutput(i int, m components.ItemModel) bool {
	e, n := &ib.page.entries[i], len(ib.items)
	if e.Kind != session.KindCustomMessage || !e.HasFlag(session.FlagCommand) || e.HasFlag(session.FlagHidden) || n == 0 {
		return false
	}
	last := &ib.items[n-1]
	if last.Kind != "shell" || last.Entry != ib.previousID(i) || e.switcher != nil || e.ownThread != nil || e.label != "" || e.warning != "" {
		return false
	}
	last.Blocks = append(last.Blocks, m.Blocks...)
	last.Also = append(last.Also, components.NotePart{Entry: e.ID})
	last.Target = last.Target || m.Target
	return true
}

// shellCard returns a command that the user ran, with its output.
func (ib *itemBuilder) shellCard(i int) components.ItemModel {
	e, body := &ib.page.entries[i], &ib.bodies[i]
	m := ib.newItem(e, "shell")
	m.Who = ib.page.audience.promptAuthor() + " ran"
	cl := toolCall{kind: "bash", args: toolArgs{Command: e.Preview}}
	switch e.Name {
	case "", "bash":
	case "command":
		cl.sign = "›"
	default:
		m.Who += " " + oneLine(e.Name)
	}
	out := components.BlockModel{Kind: "out"}
	for k := range body.Blocks {
		blk := &body.Blocks[k]
		if blk.Kind == session.BlockToolCall {
			args := parseToolArgs(blk.Args)
			cl.args.Command = cmp.Or(args.Command, args.Code, e.Preview)
		} else if b, ok := ib.buildBlock(e, k, blk, ib.imagesBefore(body, k)); ok && b.Kind == "out" && out.HTML+out.Text == "" {
			out = b
		} else if ok {
			m.Blocks = append(m.Blocks, b)
		}
	}
	m.Blocks = append([]components.BlockModel{ib.withCommandLine(&cl, out)}, m.Blocks...)
	m.Detail = oneLine(e.Status())
	if e.HasFlag(session.FlagNoContext) {
		m.Detail = strings.TrimPrefix(m.Detail+", not in the context", ", ")
	}
	return m
}

func (ib *itemBuilder) compactionCard(i int) components.ItemModel {
	e := &ib.page.entries[i]
	m := ib.newItem(e, "pack")
	m.Title = "Compacted"
	switch {
	case e.Tokens() > 0 && e.tokensAfter > 0:
		m.Title += " " + formatTokens(e.Tokens()) + " tokens to " + formatTokens(e.tokensAfter)
	case e.Tokens() > 0:
		m.Title += " " + formatTokens(e.Tokens()) + " tokens"
	}
	m.Detail = oneLine(e.Status())
	if e.coveredEntries > 0 {
		m.Detail = strings.TrimPrefix(m.Detail+", "+components.Pluralize(e.coveredEntries, "entry", "entries")+" summarised", ", ")
	}
	m.Blocks = ib.buildBlocks(i)
	return m
}

func (ib *itemBuilder) branchSummaryCard(i int) components.ItemModel {
	e := &ib.page.entries[i]
	m := ib.newItem(e, "sum")
	m.Title = "Branch summary"
	if e.targetText != "" {
		m.Detail = "from “" + e.targetText + "”, " + components.Pluralize(e.coveredEntries, "entry", "entries")
	}
	m.Blocks = ib.buildBlocks(i)
	if len(m.Blocks) == 0 {
		m.Blocks = []components.BlockModel{{Kind: "text", Text: "A branch was abandoned here without a summary."}}
	}
	return m
}
