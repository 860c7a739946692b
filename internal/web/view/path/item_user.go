package path

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// userItem returns the item of a prompt.
func (ib *itemBuilder) userItem(i int) *components.UserItem {
	e := &ib.page.entries[i]
	m := &components.UserItem{EntryHead: ib.newHead(e), Who: ib.page.audience.PromptAuthor(), Blocks: ib.messageBlocks(i)}
	if e.HasFlag(session.FlagSecondary) {
		m.Who = "Main agent"
	}
	if e.HasFlag(session.FlagNoContext) {
		m.Detail = "not in the context"
	}
	return m
}

// messageBlocks returns all blocks of a message, or a placeholder if there are none.
func (ib *itemBuilder) messageBlocks(i int) []components.BlockModel {
	if blocks := ib.blocks.buildBlocks(i); len(blocks) > 0 {
		return blocks
	}
	return []components.BlockModel{{Kind: "text", Text: "(no text)"}}
}
