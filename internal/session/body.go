package session

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Body is a decoded entry, independent of the format.
type Body struct {
	Blocks    []Block
	Separator string // between the texts of a message that is sent to the model
	Model     string
	Provider  string
	Usage     Usage
	Details   json.RawMessage // extra data of the format; may be nil
	Duration  int64           // run time of a tool in ms, 0 unknown
	Tokens    int64           // used by an agent that a tool started, 0 unknown
	Answers   []Answer        // of the user, to the questions of a tool; a reason to refuse it has no question
	Todos     []Todo          // the todo list as a tool left it, if its result records that
}

// Usage counts tokens and dollars of one request.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int64

	CacheWrite1h int64 // of CacheWrite, what the cache keeps for an hour
	Thinking     int64 // of Output
	Cost         float64
}

// Add adds the tokens and the cost of other requests.
func (u *Usage) Add(o *Usage) {
	u.Input, u.Output, u.CacheRead, u.CacheWrite = u.Input+o.Input, u.Output+o.Output, u.CacheRead+o.CacheRead, u.CacheWrite+o.CacheWrite
	u.CacheWrite1h, u.Thinking, u.Cost = u.CacheWrite1h+o.CacheWrite1h, u.Thinking+o.Thinking, u.Cost+o.Cost
}

// InputTokens returns all tokens that the model read, cached or not.
func (u *Usage) InputTokens() int64 { return u.Input + u.CacheRead + u.CacheWrite }

// Tokens returns all tokens.
func (u *Usage) Tokens() int64 { return u.InputTokens() + u.Output }

// Charge is what an entry records of the price of a request to a model.
type Charge struct {
	Key   uint64 // of the request: a hash of what all records of it have in common
	Model string
	Usage
	HasCost   bool // the agent recorded Cost; else it follows from the model and the tokens
	Copied    bool // the request was made in another session, whose file records it too
	Delegated bool // a sum of requests of sub-agents, which may have files of their own
	// Totals are the running totals of the session by model, instead of a request.
	Totals []Charge
}

// BlockKind is the kind of a Block.
type BlockKind uint8

// The kinds of blocks.
const (
	BlockText     BlockKind = iota // Markdown by the user or the model, or plain text
	BlockThinking                  // the model's reasoning
	BlockToolCall                  // Name, ID, Args
	BlockOutput                    // plain output of a tool or command, may contain ANSI colors
	BlockDiff                      // lines beginning with "+", "-" or " ", and a line number
	BlockImage                     // Data or Blob, Name = MIME type
	BlockError                     // what went wrong
	BlockJSON                      // anything else, as recorded
	BlockFile                      // a file's content: Name = path, Text
	BlockInjected                  // added by the agent's program to what the user typed: Name = what it is, Text
)

// Block is one piece of a body.
type Block struct {
	Kind BlockKind
	// Text is the text. Of an image without bytes or blob it is the reason.
	Text string
	// Sent is what the model is sent instead of Text. nil: the model is sent Text
	// unless the block has a heading.
	Sent *string
	// Name depends on the kind. ToolCall: the tool. Image: the MIME type. File: the
	// path. Text, JSON: a heading to display above, or "".
	Name string
	ID   string          // ToolCall: its id. Others: id of the call in the same entry that this is the result of, or ""
	Args json.RawMessage // ToolCall: arguments as recorded
	Data []byte          // Image: decoded bytes
	Blob string          // Image: name in the format's blob directory
	// Links are what a search of the web found. Text is the same as Markdown.
	Links []WebLink
	// Redacted marks thinking whose text is not in the file.
	Redacted bool
}

// EachArg calls fn with the strings and numbers in the arguments of a tool call, in their
// order, and tells keys from values. It stops where the arguments are not valid JSON.
func (b *Block) EachArg(fn func(text string, isKey bool)) {
	d := json.NewDecoder(bytes.NewReader(b.Args))
	d.UseNumber()
	var open []json.Delim // the objects and arrays around the next token
	isKey := false        // of the next token
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				open = append(open, v)
			} else {
				open = open[:len(open)-1]
			}
			isKey = len(open) > 0 && open[len(open)-1] == '{'
			continue
		case string:
			fn(v, isKey)
		case json.Number:
			fn(v.String(), false)
		}
		isKey = !isKey && len(open) > 0 && open[len(open)-1] == '{'
	}
}

// AddBlock appends a block.
func (b *Body) AddBlock(block Block) { b.Blocks = append(b.Blocks, block) }

// AddText appends a text under a heading, or without one if heading is "". It ignores
// empty texts.
func (b *Body) AddText(heading, text string) {
	if text != "" {
		b.AddBlock(Block{Kind: BlockText, Name: heading, Text: text})
	}
}

// AddJSON appends a recorded value under a heading. It ignores empty values.
func (b *Body) AddJSON(heading string, raw json.RawMessage) {
	if len(raw) > 0 {
		b.AddBlock(Block{Kind: BlockJSON, Name: heading, Text: string(raw)})
	}
}

// NewImageBlock decodes a base64 image, padded or not. If it cannot be decoded, the
// text of the block says so.
func NewImageBlock(mime, data string) Block {
	block := Block{Kind: BlockImage, Name: mime}
	bytes, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(data, "="))
	if err != nil || len(bytes) == 0 {
		block.Text = "the image data cannot be read"
	} else {
		block.Data = bytes
	}
	return block
}

// Request is the request that an answer is the response to, as the agent recorded it.
type Request struct {
	ID       string           `json:"id"`
	Source   string           `json:"source,omitempty"` // purpose of the request, in the agent's words
	Time     string           `json:"time,omitempty"`
	Params   json.RawMessage  `json:"params,omitempty"`
	System   json.RawMessage  `json:"system,omitempty"`
	Tools    json.RawMessage  `json:"tools,omitempty"`
	Messages []RequestMessage `json:"messages"`
}

// RequestMessage is one message of a Request.
type RequestMessage struct {
	Role    string          `json:"role"`
	Entries []string        `json:"entries,omitempty"` // ids of the source entries, if known
	Missing string          `json:"missing,omitempty"` // why there is no content, or ""
	Content json.RawMessage `json:"content,omitempty"`
	Blocks  []SentBlock     `json:"-"` // of Content
}

// RequestReader reads the recorded lines of a Request. It does not need the tree that
// it was made from.
type RequestReader func(read LineReader) (*Request, error)

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

// Answer is what the user chose or typed when a tool asked a question.
type Answer struct {
	Question string
	Text     string // labels of the chosen options, separated by ", ", or the user's own words
}

// WebLink is a page that a search of the web found.
type WebLink struct{ Title, URL string }

// Todo is an item of a todo list of an agent.
type Todo struct {
	Text   string
	Status string // "completed", "in_progress", "pending", or a word of the agent's own
	Group  string // of a list in parts: the name of the part
}
