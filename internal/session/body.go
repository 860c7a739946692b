package session

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Body is an entry decoded in full, in the reader's terms.
type Body struct {
	Blocks    []Block
	Separator string // between the texts of the message that the model is sent
	Model     string
	Provider  string
	Usage     Usage
	Details   json.RawMessage // what the format keeps beside the content; may be nil
	Duration  int64           // ms a tool ran, 0 unknown
	Tokens    int64           // what an agent spent that a tool started, 0 unknown
}

// Usage counts tokens and dollars of one request.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int64
	Cost                                 float64
}

// BlockKind says what a Block is.
type BlockKind uint8

// The kinds of blocks.
const (
	BlockText     BlockKind = iota // Markdown by the user or the model, or plain text
	BlockThinking                  // the model's reasoning
	BlockToolCall                  // Name, ID, Args
	BlockOutput                    // plain output of a tool or command, may hold ANSI colours
	BlockDiff                      // lines beginning with "+", "-" or " ", and a line number
	BlockImage                     // Data or Blob, Name = MIME type
	BlockError                     // what went wrong
	BlockJSON                      // anything else, as recorded
	BlockFile                      // a file's content: Name = path, Text
	BlockInjected                  // put beside what was typed by the agent's program: Name = what it is, Text
)

// Block is one piece of a body.
type Block struct {
	Kind BlockKind
	// Text: of an Image without bytes or blob, why it has none.
	Text string
	// Sent is what the model is sent of a block where that is not Text; nil: Text,
	// unless the block has a heading.
	Sent *string
	// Name: ToolCall: tool. Image: MIME type. File: path. Text, JSON: a heading to
	// show above, "" for none.
	Name string
	ID   string          // ToolCall: its id. Else: of the call in the same entry that it is the result of, or ""
	Args json.RawMessage // ToolCall: arguments as recorded
	Data []byte          // Image: decoded bytes
	Blob string          // Image: name in the format's blob directory
	// Redacted: thinking whose text is not in the file.
	Redacted bool
}

// AddBlock appends a block.
func (b *Body) AddBlock(block Block) { b.Blocks = append(b.Blocks, block) }

// AddText appends a text under a heading ("" for none), unless it is empty.
func (b *Body) AddText(heading, text string) {
	if text != "" {
		b.AddBlock(Block{Kind: BlockText, Name: heading, Text: text})
	}
}

// AddJSON appends a value as recorded under a heading, unless there is none.
func (b *Body) AddJSON(heading string, raw json.RawMessage) {
	if len(raw) > 0 {
		b.AddBlock(Block{Kind: BlockJSON, Name: heading, Text: string(raw)})
	}
}

// NewImageBlock decodes base64, padded or not. An image whose bytes cannot be read says so
// in its text.
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
