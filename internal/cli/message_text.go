package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// messageText returns the text of a context message. Blocks with a heading are not part
// of it unless they are sent to the model.
func messageText(b session.Body, item session.ContextItem, shell bool) string {
	var own []string
	for _, block := range messageBlocks(b.Blocks, item) {
		switch {
		case block.Sent != nil:
			own = append(own, *block.Sent)
		case shell && block.Kind == session.BlockToolCall:
			return soleArgument(block.Args)
		case block.Name != "":
		case block.Kind == session.BlockText || block.Kind == session.BlockOutput && !shell:
			own = append(own, block.Text)
		}
	}
	switch { // a compaction's body is its summary, then its system message
	case item.SystemMessage:
		own = own[min(1, len(own)):]
	case item.Role == "compactionSummary":
		own = own[:min(1, len(own))]
	}
	return strings.Join(slices.DeleteFunc(own, func(text string) bool { return text == "" }), b.Separator)
}

// messageBlocks returns the blocks of an entry that belong to a context message. Results
// belong to the last call before them.
func messageBlocks(blocks []session.Block, item session.ContextItem) (part []session.Block) {
	call := -1
	for _, block := range blocks {
		if block.Kind == session.BlockToolCall {
			call++
		}
		result := block.Kind == session.BlockOutput && block.ID != ""
		switch item.Part {
		case session.PartMessage:
			if !result || item.Role != "assistant" {
				part = append(part, block)
			}
		case session.PartResult:
			if result && call == item.Call {
				part = append(part, block)
			}
		}
	}
	return part
}

// soleArgument returns the only argument of a command that the user ran.
func soleArgument(args json.RawMessage) string {
	var named map[string]any
	if json.Unmarshal(args, &named) != nil {
		return ""
	}
	for _, v := range named {
		if text, ok := v.(string); ok {
			return text
		}
	}
	return ""
}
