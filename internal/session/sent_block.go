package session

import "encoding/json"

// SentBlock is one block of a message as the model is sent it.
type SentBlock struct {
	Type   string          // "text", "thinking", "tool_use", "tool_result", "image", or the agent's own word
	Text   string          // Text, Thinking; ToolResult: its texts, a line break between them
	Name   string          // ToolUse: the tool. Image: the MIME type
	CallID string          // ToolUse, ToolResult: id of the call
	Input  json.RawMessage // ToolUse: arguments as recorded
	Failed bool            // ToolResult
	// Content is the blocks of a ToolResult that is a list and no text.
	Content []SentBlock
}

// The types of sent blocks that every format shares.
const (
	SentText       = "text"
	SentThinking   = "thinking"
	SentToolUse    = "tool_use"
	SentToolResult = "tool_result"
	SentImage      = "image"
)
