package pi

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/pi/omp"
)

// addMessage decodes a message by its role.
func (b *bodyBuilder) addMessage(v jsonl.Value) {
	o := jsonl.ObjectFields(v)
	switch role := o.Text("role"); role {
	case "assistant":
		b.addContentBlocks(o.Get("content"), session.BlockText)
		b.setRequestInfo(o)
		b.addErrorMessage(o)
	case "toolResult":
		b.addToolResult(o)
	case "bashExecution", "pythonExecution":
		b.addExecution(o, role)
	case "system":
		b.addSystemPrompt(o)
	case "fileMention":
		b.addFiles(o.Get("files"))
	case "branchSummary", "compactionSummary":
		b.AddText("", o.Text("summary"))
	default:
		if o.Get("content").Kind() == 'x' {
			b.AddJSON("", v.CloneRaw())
			return
		}
		b.addContentBlocks(o.Get("content"), session.BlockText)
		b.Details = o.Get("details").CloneRaw()
	}
}

// addToolResult decodes a tool result.
func (b *bodyBuilder) addToolResult(o jsonl.Object) {
	b.addContentBlocks(o.Get("content"), session.BlockOutput)
	b.setUsage(o.Get("usage"))
	b.Duration = o.Count("durationMs")
	b.Details = o.Get("details").CloneRaw()
	details := jsonl.ObjectFields(o.Get("details"))
	switch o.Text("toolName") {
	case "ask":
		b.Answers = omp.ReadAnswers(details)
	case "todo", "todo_write":
		b.Todos = omp.ReadTodos(details)
	}
	if diff := details.Text("diff"); diff != "" {
		b.AddBlock(session.Block{Kind: session.BlockDiff, Text: diff})
	}
	for _, key := range []string{"images", "frames"} {
		for _, image := range jsonl.ArrayElements(details.Get(key)) {
			if f := jsonl.ObjectFields(image); f.Get("data").IsString() {
				b.addImage(f)
			}
		}
	}
	if b.Usage == (session.Usage{}) {
		b.setUsage(details.Get("usage"))
	}
}

// addExecution decodes a command run by the user as a tool call and its output.
func (b *bodyBuilder) addExecution(o jsonl.Object, role string) {
	name, key := "bash", "command"
	if role == "pythonExecution" {
		name, key = "python", "code"
	}
	call := session.Block{Kind: session.BlockToolCall, Name: name}
	if v := o.Get(key).CloneRaw(); v != nil {
		call.Args = append(append([]byte(`{"`+key+`":`), v...), '}')
	}
	b.AddBlock(call)
	if text := o.Text("output"); text != "" {
		b.AddBlock(session.Block{Kind: session.BlockOutput, Text: text})
	}
	b.Duration = o.Count("durationMs")
	b.setDetails(o, "exitCode", "cancelled", "truncated", "fullOutputPath", "excludeFromContext")
}

// addSystemPrompt decodes a system prompt or a change of it: sections by name, and tools added or
// removed.
func (b *bodyBuilder) addSystemPrompt(o jsonl.Object) {
	b.addContentBlocks(o.Get("content"), session.BlockText)
	sections := jsonl.ObjectFields(o.Get("sections"))
	for _, name := range sections.Keys() {
		if sections.Get(name).IsString() {
			b.AddText(name, sections.Text(name))
		} else {
			b.AddText(name, "*removed*")
		}
	}
	for _, tool := range jsonl.ArrayElements(o.Get("toolsAdded")) {
		b.AddJSON("Tool "+jsonl.ObjectFields(tool).Text("name"), tool.CloneRaw())
	}
	b.addNameList("Tools removed", o.Get("toolsRemoved"))
}

// addFiles decodes the files that were read for a prompt.
func (b *bodyBuilder) addFiles(v jsonl.Value) {
	for _, file := range jsonl.ArrayElements(v) {
		o := jsonl.ObjectFields(file)
		b.AddBlock(session.Block{Kind: session.BlockFile, Name: o.Text("path"), Text: o.Text("content")})
		if image := jsonl.ObjectFields(o.Get("image")); image.Get("data").IsString() {
			b.addImage(image)
		}
	}
}

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
