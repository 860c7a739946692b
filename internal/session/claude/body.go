package claude

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/toolresult"
	"sessiontree/internal/session/claude/usage"
	"sessiontree/internal/session/claude/usertext"
	"sessiontree/internal/session/jsonl"
)

// decodeBody decodes a recorded line in full.
func decodeBody(text []byte) (session.Body, error) {
	v, err := jsonl.ParseObject(text)
	if err != nil {
		return session.Body{}, err
	}
	b := &bodyBuilder{}
	b.addLine(jsonl.ObjectFields(v), v)
	return b.Body, nil
}

// bodyBuilder collects a body block by block.
type bodyBuilder struct{ session.Body }

func (b *bodyBuilder) addLine(o jsonl.Object, whole jsonl.Value) {
	m := jsonl.ObjectFields(o.Get("message"))
	switch o.Text("type") {
	case "assistant":
		b.Model = m.Text("model")
		if v := m.Get("usage"); v.Kind() == '{' {
			var u usage.Usage
			c := jsonl.NewCursor(v.Raw)
			u.ReadUsage(&c)
			b.Usage = u.Usage
		}
		if o.IsTrue("isApiErrorMessage") {
			b.addAPIError(m)
			return
		}
		b.addContent(m.Get("content"))
	case "user":
		b.addUserLine(o, m.Get("content"))
	case "system":
		b.AddText("", strings.TrimSpace(usertext.StripTags(o.Text("content"))))
		b.addSystemDetails(o)
	case "summary":
		b.AddText("", o.Text("summary"))
	case "attachment":
		b.addAttachment(o)
	case "progress":
		b.AddJSON("", o.Get("data").CloneRaw())
	default:
		b.AddJSON("", whole.CloneRaw())
	}
}

// addSystemDetails adds the fields of a system line other than its text.
func (b *bodyBuilder) addSystemDetails(o jsonl.Object) {
	for _, key := range []string{"compactMetadata", "hookInfos", "hookErrors", "stopReason"} {
		if v := o.Get(key); v.Kind() == '{' || v.Kind() == '[' && len(v.Raw) > 2 || v.IsString() && len(v.Raw) > 2 {
			b.AddJSON(key, v.CloneRaw())
		}
	}
}

func (b *bodyBuilder) addAPIError(m jsonl.Object) {
	for _, item := range jsonl.ArrayElements(m.Get("content")) {
		if text := jsonl.ObjectFields(item).Text("text"); text != "" {
			b.AddBlock(session.Block{Kind: session.BlockError, Text: text})
		}
	}
}

func (b *bodyBuilder) addContent(v jsonl.Value) {
	if v.IsString() {
		b.AddText("", v.Text())
		return
	}
	for _, item := range jsonl.ArrayElements(v) {
		b.addBlock(item)
	}
}

func (b *bodyBuilder) addBlock(item jsonl.Value) {
	o := jsonl.ObjectFields(item)
	switch o.Text("type") {
	case "text":
		b.AddText("", o.Text("text"))
	case "thinking":
		b.AddBlock(session.Block{Kind: session.BlockThinking, Text: o.Text("thinking"), Redacted: o.Text("thinking") == ""})
	case "redacted_thinking":
		b.AddBlock(session.Block{Kind: session.BlockThinking, Redacted: true})
	case "tool_use":
		b.AddBlock(session.Block{Kind: session.BlockToolCall, Name: o.Text("name"), ID: o.Text("id"), Args: o.Get("input").CloneRaw()})
	case "tool_result":
		b.addToolOutput(o.Get("content"), o.IsTrue("is_error"))
	case "image":
		b.addImage(o)
	default:
		b.AddJSON("", item.CloneRaw())
	}
}

// addToolOutput adds what a tool returned: a string, or texts and images.
func (b *bodyBuilder) addToolOutput(v jsonl.Value, failed bool) {
	if v.IsString() {
		b.addOutputText(v.Text(), failed)
		return
	}
	for _, item := range jsonl.ArrayElements(v) {
		o := jsonl.ObjectFields(item)
		switch o.Text("type") {
		case "text":
			b.addOutputText(o.Text("text"), failed)
		case "image":
			b.addImage(o)
		default:
			b.AddJSON("", item.CloneRaw())
		}
	}
}

// addOutputText adds a text that a tool returned, and separately what Claude Code injected into it
// for the model.
func (b *bodyBuilder) addOutputText(text string, failed bool) {
	typed, injected := usertext.SplitInjected(text)
	if len(injected) == 0 {
		typed = text // unchanged, with its white space
	}
	if failed {
		typed = strings.TrimSuffix(strings.TrimPrefix(typed, "<tool_use_error>"), "</tool_use_error>")
	}
	if typed != "" {
		for _, block := range toolresult.SplitOutput(typed) {
			b.AddBlock(block)
		}
	}
	b.addInjected(injected)
}

func (b *bodyBuilder) addInjected(list []usertext.InjectedText) {
	for _, a := range list {
		b.AddBlock(session.Block{Kind: session.BlockInjected, Name: a.Name, Text: a.Text})
	}
}

// addResultDetails adds the structured result of a tool: a patch becomes a diff, a file that was
// read replaces the output with line numbers.
func (b *bodyBuilder) addResultDetails(v jsonl.Value) {
	if v.Kind() != '{' {
		return
	}
	o := jsonl.ObjectFields(v)
	b.Details = v.CloneRaw()
	b.Duration, b.Tokens = o.Count("totalDurationMs"), o.Count("totalTokens")
	if file := jsonl.ObjectFields(o.Get("file")).Get("content"); o.Text("type") == "text" && file.IsString() {
		b.replaceFirstOutput(file.Text())
	}
	var diff strings.Builder
	for _, hunk := range jsonl.ArrayElements(o.Get("structuredPatch")) {
		h := jsonl.ObjectFields(hunk)
		fmt.Fprintf(&diff, "@@ -%d,%d +%d,%d @@\n", h.Count("oldStart"), h.Count("oldLines"), h.Count("newStart"), h.Count("newLines"))
		for _, l := range jsonl.ArrayElements(h.Get("lines")) {
			diff.WriteString(l.Text() + "\n")
		}
	}
	if diff.Len() == 0 {
		diff.WriteString(toolresult.NotebookDiff(o))
	}
	if diff.Len() > 0 {
		b.AddBlock(session.Block{Kind: session.BlockDiff, Text: diff.String()})
	}
}

// replaceFirstOutput replaces the text of the first output block.
func (b *bodyBuilder) replaceFirstOutput(text string) {
	for i := range b.Blocks {
		if b.Blocks[i].Kind == session.BlockOutput {
			b.Blocks[i].Text = text
			return
		}
	}
}

// addImage adds an image. If its bytes cannot be read, the block says why.
func (b *bodyBuilder) addImage(o jsonl.Object) {
	s := jsonl.ObjectFields(o.Get("source"))
	if s.Text("type") == "url" {
		b.AddBlock(session.Block{Kind: session.BlockImage, Name: s.Text("media_type"), Text: "the image lies elsewhere and is not fetched"})
		return
	}
	b.AddBlock(session.NewImageBlock(s.Text("media_type"), s.Text("data")))
}
