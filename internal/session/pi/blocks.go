package pi

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// content decodes a content, a string or blocks, whose text is of kind text.
func (b *builder) content(v jsonl.Value, text session.BlockKind) {
	if v.IsString() {
		b.plain(v, text)
		return
	}
	for _, item := range jsonl.Elements(v) {
		b.block(item, text)
	}
}

func (b *builder) plain(v jsonl.Value, kind session.BlockKind) {
	if s := v.Text(); s != "" {
		b.Add(session.Block{Kind: kind, Text: s})
	}
}

func (b *builder) block(item jsonl.Value, text session.BlockKind) {
	o := jsonl.Fields(item)
	switch o.Text("type") {
	case "text":
		b.plain(o.Get("text"), text)
	case "thinking":
		thought := o.Text("thinking")
		b.Add(session.Block{Kind: session.BlockThinking, Text: thought, Redacted: o.True("redacted") || thought == ""})
	case "redactedThinking", "redacted_thinking":
		b.Add(session.Block{Kind: session.BlockThinking, Redacted: true})
	case "toolCall":
		b.Add(session.Block{
			Kind: session.BlockToolCall, Name: o.Text("name"),
			ID: string(shortID(jsonl.AppendID(nil, o.Get("id")))), Args: o.Get("arguments").Copy(),
		})
	case "image":
		b.image(o)
	default:
		b.AddJSON("", item.Copy())
	}
}

const (
	blobPrefix = "blob:sha256:"
	blobLen    = 64
)

// image decodes an image. One whose bytes are neither here nor in a blob is a
// block without either, with the reason as its text.
func (b *builder) image(o jsonl.Object) {
	block := session.Block{Kind: session.BlockImage, Name: o.Text("mimeType")}
	data := o.Text("data")
	if name, isBlob := strings.CutPrefix(data, blobPrefix); isBlob {
		if isHash(name) {
			block.Blob = name
		} else {
			block.Text = "the image names no valid blob"
		}
		b.Add(block)
		return
	}
	if head, rest, ok := strings.Cut(data, ";base64,"); ok && strings.HasPrefix(head, "data:") {
		data = rest
	}
	b.Add(session.Image(block.Name, data))
}

var blobIn = regexp.MustCompile(`"data"\s*:\s*"` + blobPrefix + `([0-9a-f]{64})"`)

// blobs names the blobs that the images of a line lie in.
func blobs(line []byte) (names []string) {
	for _, m := range blobIn.FindAllSubmatch(line, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// inline puts images into a line in the place of their names.
func inline(line []byte, blob func(name string) ([]byte, bool)) []byte {
	return blobIn.ReplaceAllFunc(line, func(named []byte) []byte {
		at := bytes.LastIndexByte(named[:len(named)-1], '"') + 1 // of the name
		data, ok := blob(string(named[len(named)-1-blobLen : len(named)-1]))
		if !ok {
			return named
		}
		out := base64.StdEncoding.AppendEncode(named[:at:at], data)
		return append(out, '"')
	})
}

// isHash reports whether name is that of a blob: it becomes part of a file's path.
func isHash(name string) bool {
	return len(name) == blobLen && strings.Trim(name, "0123456789abcdef") == ""
}
