package session

import "encoding/json"

// SentBlock is one block of a message as it is sent to the model.
type SentBlock struct {
	Type   string          // "text", "thinking", "tool_use", "tool_result", "image", or the agent's own word
	Text   string          // Text, Thinking; ToolResult: its texts, separated by newlines
	Name   string          // ToolUse: the tool. Image: the MIME type
	CallID string          // ToolUse, ToolResult: id of the call
	Input  json.RawMessage // ToolUse: arguments as recorded
	Failed bool            // ToolResult
	// Content is the blocks of a ToolResult that is a list instead of a text.
	Content []SentBlock
}

// The types of sent blocks that all formats share.
const (
	SentText       = "text"
	SentThinking   = "thinking"
	SentToolUse    = "tool_use"
	SentToolResult = "tool_result"
	SentImage      = "image"
)
