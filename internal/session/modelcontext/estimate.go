package modelcontext

import "sessiontree/internal/session"

// partOf returns the part of a request that a message belongs to.
func partOf(item session.ContextItem, kind session.Kind) Part {
	switch {
	case item.SystemMessage || kind == session.KindSystem:
		return System
	case kind == session.KindCompaction || kind == session.KindBranchSummary:
		return Summary
	case item.Role == "assistant":
		return Answers
	case kind == session.KindToolResult || item.Part == session.PartResult:
		return Results
	}
	return Prompts
}

// estimateUntexted estimates the thinking and the calls of a message, which are not in its text.
func estimateUntexted(blocks []session.Block, item session.ContextItem) (n int64) {
	if item.Role != "assistant" {
		return 0
	}
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case session.BlockThinking:
			n += estimateText(len(b.Text))
		case session.BlockToolCall:
			n += estimateText(len(b.Name) + len(b.Args))
		}
	}
	return n
}

// countImages returns the number of images in a message. Those in results that an answer
// records itself are a message of their own.
func countImages(blocks []session.Block, item session.ContextItem) (n int) {
	if item.Part == session.PartImages {
		return 1
	}
	for _, b := range messageBlocks(blocks, item) {
		if b.Kind == session.BlockImage && (item.Role != "assistant" || b.ID == "") {
			n++
		}
	}
	return n
}

// estimateBlocks estimates the blocks of a message. Its texts belong to part.
func estimateBlocks(blocks []session.SentBlock, part Part) (n Tokens) {
	for i := range blocks {
		b := estimateBlock(&blocks[i], part)
		n.Add(&b)
	}
	return n
}

func estimateBlock(b *session.SentBlock, part Part) (n Tokens) {
	switch b.Type {
	case session.SentText, session.SentThinking:
		n[part] = estimateText(len(b.Text))
	case session.SentToolUse:
		n[Answers] = estimateText(len(b.Name) + len(b.Input))
	case session.SentToolResult:
		if b.Content != nil {
			return estimateBlocks(b.Content, Results)
		}
		n[Results] = estimateText(len(b.Text))
	case session.SentImage:
		n[Images] = imageTokens
	default: // a document, whose size is unknown
		n[part] = imageTokens
	}
	return n
}
