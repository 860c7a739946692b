package pi

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// addContentBlocks adds a content: a string of kind text, or blocks.
func (b *bodyBuilder) addContentBlocks(v jsonl.Value, text session.BlockKind) {
	if v.IsString() {
		b.addString(v, text)
		return
	}
	for _, item := range jsonl.ArrayElements(v) {
		b.addContentBlock(item, text)
	}
}

func (b *bodyBuilder) addString(v jsonl.Value, kind session.BlockKind) {
	if s := v.Text(); s != "" {
		b.AddBlock(session.Block{Kind: kind, Text: s})
	}
}

func (b *bodyBuilder) addContentBlock(item jsonl.Value, text session.BlockKind) {
	o := jsonl.ObjectFields(item)
	switch o.Text("type") {
	case "text":
		b.addString(o.Get("text"), text)
	case "thinking":
		thought := o.Text("thinking")
		b.AddBlock(session.Block{Kind: session.BlockThinking, Text: thought, Redacted: o.IsTrue("redacted") || thought == ""})
	case "redactedThinking", "redacted_thinking":
		b.AddBlock(session.Block{Kind: session.BlockThinking, Redacted: true})
	case "toolCall":
		b.AddBlock(session.Block{
			Kind: session.BlockToolCall, Name: o.Text("name"),
			ID: string(shortID(jsonl.AppendID(nil, o.Get("id")))), Args: o.Get("arguments").CloneRaw(),
		})
	case "image":
		b.addImage(o)
	default:
		b.AddJSON("", item.CloneRaw())
	}
}

const (
	blobPrefix = "blob:sha256:"
	blobLen    = 64
)

// addImage adds an image. If the image has neither data nor a valid blob, the block's text says
// why.
func (b *bodyBuilder) addImage(o jsonl.Object) {
	block := session.Block{Kind: session.BlockImage, Name: o.Text("mimeType")}
	data := o.Text("data")
	if name, isBlob := strings.CutPrefix(data, blobPrefix); isBlob {
		if isBlobName(name) {
			block.Blob = name
		} else {
			block.Text = "the image names no valid blob"
		}
		b.AddBlock(block)
		return
	}
	if head, rest, ok := strings.Cut(data, ";base64,"); ok && strings.HasPrefix(head, "data:") {
		data = rest
	}
	b.AddBlock(session.NewImageBlock(block.Name, data))
}

var blobPattern = regexp.MustCompile(`"data"\s*:\s*"` + blobPrefix + `([0-9a-f]{64})"`)

// blobNames lists the blobs that hold the images of a line.
func blobNames(line []byte) (names []string) {
	for _, m := range blobPattern.FindAllSubmatch(line, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// inlineBlobs replaces the names of blobs in a line by their data.
func inlineBlobs(line []byte, blob func(name string) ([]byte, bool)) []byte {
	return blobPattern.ReplaceAllFunc(line, func(named []byte) []byte {
		at := bytes.LastIndexByte(named[:len(named)-1], '"') + 1 // start of the name
		data, ok := blob(string(named[len(named)-1-blobLen : len(named)-1]))
		if !ok {
			return named
		}
		out := base64.StdEncoding.AppendEncode(named[:at:at], data)
		return append(out, '"')
	})
}

// isBlobName reports whether name is a valid blob name. The name becomes part of a file path.
func isBlobName(name string) bool {
	return len(name) == blobLen && strings.Trim(name, "0123456789abcdef") == ""
}
