package path

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// newCard returns a card with all blocks of a message.
func (ib *itemBuilder) newCard(i int, who string) components.Card {
	e := &ib.page.entries[i]
	m := components.Card{EntryHead: ib.newHead(e), Who: who, Blocks: ib.messageBlocks(i)}
	if e.HasFlag(session.FlagNoContext) {
		m.Detail = "not in the context"
	}
	return m
}

// systemItem returns the item of a system prompt.
func (ib *itemBuilder) systemItem(i int) *components.SystemItem {
	m := &components.SystemItem{Card: ib.newCard(i, "System prompt")}
	m.Folded = true
	return m
}

// customItem returns a message by an extension or by the agent's program.
func (ib *itemBuilder) customItem(i int) *components.CustomItem {
	e, body := &ib.page.entries[i], &ib.bodies[i]
	m := &components.CustomItem{Card: ib.newCard(i, cmp.Or(view.OneLine(e.Name), "Extension"))}
	for _, word := range []string{view.OneLine(e.Status()), view.FormatDuration(body.Duration), tokensText(body.Tokens)} {
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
	return view.FormatTokens(n) + " tokens"
}
