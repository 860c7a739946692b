package view

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// card is the item of any entry that is neither an answer nor a tool result.
func (ib *itemBuilder) card(i int) components.ItemModel {
	e := &ib.pg.entries[i]
	switch e.Kind {
	case session.KindUser:
		if e.Has(session.FlagSecondary) {
			return ib.message(i, "user", "Prompt to the agent")
		}
		return ib.message(i, "user", ib.pg.stand.user())
	case session.KindShell:
		return ib.shell(i)
	case session.KindSystem:
		m := ib.message(i, "system", "System prompt")
		m.Folded = true
		return m
	case session.KindMessage:
		return ib.message(i, "message", roleName(e.Role))
	case session.KindCustomMessage:
		return ib.custom(i)
	case session.KindCompaction:
		return ib.pack(i)
	case session.KindBranchSummary:
		return ib.summary(i)
	}
	return ib.noteItem(i)
}

// message is a card of all blocks.
func (ib *itemBuilder) message(i int, kind, who string) components.ItemModel {
	m := ib.item(&ib.pg.entries[i], kind)
	m.Who = who
	if m.Blocks = ib.blocks(i); len(m.Blocks) == 0 {
		m.Blocks = []components.BlockModel{{Kind: "text", Text: "(no text)"}}
	}
	if ib.pg.entries[i].Has(session.FlagNoContext) {
		m.Detail = "not in the context"
	}
	return m
}

// custom is a message by an extension, or by the agent's program.
func (ib *itemBuilder) custom(i int) components.ItemModel {
	e, body := &ib.pg.entries[i], &ib.bodies[i]
	m := ib.message(i, "custom", orWord(oneLine(e.Name), "Extension"))
	for _, word := range []string{oneLine(e.Status), duration(body.Duration), spent(body.Tokens)} {
		if word != "" {
			m.Detail = strings.TrimPrefix(m.Detail+", "+word, ", ")
		}
	}
	if e.Has(session.FlagHidden) {
		m.Folded, m.Detail = true, "hidden from the conversation, seen by the model"
	}
	return m
}

// spent words the tokens of an agent, "" when they are not known.
func spent(n int64) string {
	if n == 0 {
		return ""
	}
	return tokens(n) + " tokens"
}

// printed adds what a command of the agent's own line printed, recorded as an entry
// behind it, to the command's card. It reports whether it did.
func (ib *itemBuilder) printed(i int, m components.ItemModel) bool {
	e, n := &ib.pg.entries[i], len(ib.out)
	if e.Kind != session.KindCustomMessage || !e.Has(session.FlagCommand) || e.Has(session.FlagHidden) || n == 0 {
		return false
	}
	last := &ib.out[n-1]
	if last.Kind != "shell" || last.Entry != ib.before(i) || e.branch != nil || e.begins != nil || e.label != "" || e.warn != "" {
		return false
	}
	last.Blocks = append(last.Blocks, m.Blocks...)
	last.Also = append(last.Also, components.NotePart{Entry: e.ID})
	last.Target = last.Target || m.Target
	return true
}

// shell is a command that the user ran, with its output.
func (ib *itemBuilder) shell(i int) components.ItemModel {
	e, body := &ib.pg.entries[i], &ib.bodies[i]
	m := ib.item(e, "shell")
	m.Who = ib.pg.stand.user() + " ran"
	cl := call{kind: "bash", args: toolArgs{Command: e.Preview}}
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
			args := parseArgs(blk.Args)
			cl.args.Command = orWord(orWord(args.Command, args.Code), e.Preview)
		} else if b, ok := ib.block(e, k, blk, ib.imagesBefore(body, k)); ok && b.Kind == "out" && out.HTML+out.Text == "" {
			out = b
		} else if ok {
			m.Blocks = append(m.Blocks, b)
		}
	}
	m.Blocks = append([]components.BlockModel{ib.command(&cl, out)}, m.Blocks...)
	m.Detail = oneLine(e.Status)
	if e.Has(session.FlagNoContext) {
		m.Detail = strings.TrimPrefix(m.Detail+", not in the context", ", ")
	}
	return m
}

func (ib *itemBuilder) pack(i int) components.ItemModel {
	e := &ib.pg.entries[i]
	m := ib.item(e, "pack")
	m.Title = "Compacted"
	switch {
	case e.Tokens > 0 && e.after > 0:
		m.Title += " " + tokens(e.Tokens) + " tokens to " + tokens(e.after)
	case e.Tokens > 0:
		m.Title += " " + tokens(e.Tokens) + " tokens"
	}
	m.Detail = oneLine(e.Status)
	if e.covers > 0 {
		m.Detail = strings.TrimPrefix(m.Detail+", "+plural(e.covers, "entry", "entries")+" summarised", ", ")
	}
	m.Blocks = ib.blocks(i)
	return m
}

func (ib *itemBuilder) summary(i int) components.ItemModel {
	e := &ib.pg.entries[i]
	m := ib.item(e, "sum")
	m.Title = "Branch summary"
	if e.target != "" {
		m.Detail = "from “" + e.target + "”, " + plural(e.covers, "entry", "entries")
	}
	m.Blocks = ib.blocks(i)
	if len(m.Blocks) == 0 {
		m.Blocks = []components.BlockModel{{Kind: "text", Text: "A branch was left here without a summary."}}
	}
	return m
}
