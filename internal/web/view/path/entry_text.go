package path

import (
	"strings"

	"sessiontree/internal/session"
)

// EntryText returns what an entry says, as it was recorded: the text of a prompt or an
// answer, or the output of a tool. call is the id of a call whose output an answer records
// besides its own text, "" for the text.
func EntryText(kind session.Kind, b *session.Body, call string) string {
	var texts []string
	for i := range b.Blocks {
		block := &b.Blocks[i]
		switch block.Kind {
		case session.BlockText, session.BlockOutput, session.BlockDiff, session.BlockError, session.BlockJSON:
			if block.Text != "" && (block.ID == call || kind == session.KindToolResult) {
				texts = append(texts, block.Text)
			}
		}
	}
	return strings.Join(texts, "\n\n")
}
