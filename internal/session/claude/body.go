package claude

import (
	"encoding/base64"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// body decodes a recorded line in full.
func body(text []byte) (session.Body, error) {
	c := jsonl.Open(text)
	v := c.Value()
	if err := c.End(); err != nil {
		return session.Body{}, err
	}
	if v.Kind() != '{' {
		return session.Body{}, errNoObject
	}
	b := &builder{}
	b.line(jsonl.Fields(v), v)
	return b.Body, nil
}

// builder collects a body block by block.
type builder struct{ session.Body }

func (b *builder) add(block session.Block) { b.Blocks = append(b.Blocks, block) }

func (b *builder) text(heading, text string) {
	if text != "" {
		b.add(session.Block{Kind: session.BlockText, Name: heading, Text: text})
	}
}

func (b *builder) json(heading string, v jsonl.Value) {
	if len(v.Raw) > 0 {
		b.add(session.Block{Kind: session.BlockJSON, Name: heading, Text: string(v.Copy())})
	}
}

func (b *builder) line(o jsonl.Object, whole jsonl.Value) {
	m := jsonl.Fields(o.Get("message"))
	switch o.Text("type") {
	case "assistant":
		b.Model = m.Text("model")
		b.usage(jsonl.Fields(m.Get("usage")))
		if o.True("isApiErrorMessage") {
			b.apiError(m)
			return
		}
		b.content(m.Get("content"))
	case "user":
		b.content(m.Get("content"))
		b.details(o.Get("toolUseResult"))
	case "system":
		b.text("", o.Text("content"))
		b.rest(o)
	case "summary":
		b.text("", o.Text("summary"))
	default:
		b.json("", whole)
	}
}

// rest shows what a system line records besides its text.
func (b *builder) rest(o jsonl.Object) {
	for _, key := range []string{"compactMetadata", "hookInfos", "hookErrors", "stopReason"} {
		if v := o.Get(key); v.Kind() == '{' || v.Kind() == '[' && len(v.Raw) > 2 || v.IsString() && len(v.Raw) > 2 {
			b.json(key, v)
		}
	}
}

func (b *builder) apiError(m jsonl.Object) {
	for _, item := range jsonl.Elements(m.Get("content")) {
		if text := jsonl.Fields(item).Text("text"); text != "" {
			b.add(session.Block{Kind: session.BlockError, Text: text})
		}
	}
}

func (b *builder) usage(o jsonl.Object) {
	b.Usage = session.Usage{
		Input: o.Count("input_tokens"), Output: o.Count("output_tokens"),
		CacheRead: o.Count("cache_read_input_tokens"), CacheWrite: o.Count("cache_creation_input_tokens"),
	}
}

func (b *builder) content(v jsonl.Value) {
	if v.IsString() {
		b.text("", v.Text())
		return
	}
	for _, item := range jsonl.Elements(v) {
		b.block(item)
	}
}

func (b *builder) block(item jsonl.Value) {
	o := jsonl.Fields(item)
	switch o.Text("type") {
	case "text":
		b.text("", o.Text("text"))
	case "thinking":
		b.add(session.Block{Kind: session.BlockThinking, Text: o.Text("thinking"), Redacted: o.Text("thinking") == ""})
	case "redacted_thinking":
		b.add(session.Block{Kind: session.BlockThinking, Redacted: true})
	case "tool_use":
		b.add(session.Block{Kind: session.BlockToolCall, Name: o.Text("name"), ID: o.Text("id"), Args: o.Get("input").Copy()})
	case "tool_result":
		b.output(o.Get("content"))
	case "image":
		b.image(o)
	default:
		b.json("", item)
	}
}

// output decodes what a tool returned: a string, or texts and images.
func (b *builder) output(v jsonl.Value) {
	if v.IsString() {
		if text := v.Text(); text != "" {
			b.add(session.Block{Kind: session.BlockOutput, Text: text})
		}
		return
	}
	for _, item := range jsonl.Elements(v) {
		o := jsonl.Fields(item)
		switch o.Text("type") {
		case "text":
			if text := o.Text("text"); text != "" {
				b.add(session.Block{Kind: session.BlockOutput, Text: text})
			}
		case "image":
			b.image(o)
		default:
			b.json("", item)
		}
	}
}

// details keeps what Claude Code records beside a result, and shows a patch as a
// diff.
func (b *builder) details(v jsonl.Value) {
	if v.Kind() != '{' {
		return
	}
	o := jsonl.Fields(v)
	b.Details = v.Copy()
	b.Duration = o.Count("totalDurationMs")
	var diff strings.Builder
	for _, hunk := range jsonl.Elements(o.Get("structuredPatch")) {
		for _, l := range jsonl.Elements(jsonl.Fields(hunk).Get("lines")) {
			diff.WriteString(l.Text() + "\n")
		}
	}
	if diff.Len() > 0 {
		b.add(session.Block{Kind: session.BlockDiff, Text: diff.String()})
	}
}

// image decodes an image; one whose bytes cannot be read says why.
func (b *builder) image(o jsonl.Object) {
	s := jsonl.Fields(o.Get("source"))
	block := session.Block{Kind: session.BlockImage, Name: s.Text("media_type")}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s.Text("data"), "="))
	switch {
	case s.Text("type") == "url":
		block.Text = "the image lies elsewhere and is not fetched"
	case err != nil || len(data) == 0:
		block.Text = "the image data cannot be read"
	default:
		block.Data = data
	}
	b.add(block)
}
