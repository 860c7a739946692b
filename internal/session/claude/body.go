package claude

import (
	"encoding/json"
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// body decodes a recorded line in full.
func body(text []byte) (session.Body, error) {
	v, err := jsonl.Whole(text)
	if err != nil {
		return session.Body{}, err
	}
	b := &builder{}
	b.line(jsonl.Fields(v), v)
	return b.Body, nil
}

// builder collects a body block by block.
type builder struct{ session.Body }

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
		b.user(o, m.Get("content"))
	case "system":
		b.AddText("", strings.TrimSpace(bare(o.Text("content"))))
		b.rest(o)
	case "summary":
		b.AddText("", o.Text("summary"))
	case "attachment":
		b.attachment(jsonl.Fields(o.Get("attachment")), o.Get("attachment"))
	case "progress":
		b.AddJSON("", o.Get("data").Copy())
	default:
		b.AddJSON("", whole.Copy())
	}
}

// rest shows what a system line records besides its text.
func (b *builder) rest(o jsonl.Object) {
	for _, key := range []string{"compactMetadata", "hookInfos", "hookErrors", "stopReason"} {
		if v := o.Get(key); v.Kind() == '{' || v.Kind() == '[' && len(v.Raw) > 2 || v.IsString() && len(v.Raw) > 2 {
			b.AddJSON(key, v.Copy())
		}
	}
}

func (b *builder) apiError(m jsonl.Object) {
	for _, item := range jsonl.Elements(m.Get("content")) {
		if text := jsonl.Fields(item).Text("text"); text != "" {
			b.Add(session.Block{Kind: session.BlockError, Text: text})
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
		b.AddText("", v.Text())
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
		b.AddText("", o.Text("text"))
	case "thinking":
		b.Add(session.Block{Kind: session.BlockThinking, Text: o.Text("thinking"), Redacted: o.Text("thinking") == ""})
	case "redacted_thinking":
		b.Add(session.Block{Kind: session.BlockThinking, Redacted: true})
	case "tool_use":
		b.Add(session.Block{Kind: session.BlockToolCall, Name: o.Text("name"), ID: o.Text("id"), Args: o.Get("input").Copy()})
	case "tool_result":
		b.output(o.Get("content"), o.True("is_error"))
	case "image":
		b.image(o)
	default:
		b.AddJSON("", item.Copy())
	}
}

// output decodes what a tool returned: a string, or texts and images.
func (b *builder) output(v jsonl.Value, failed bool) {
	if v.IsString() {
		b.printed(v.Text(), failed)
		return
	}
	for _, item := range jsonl.Elements(v) {
		o := jsonl.Fields(item)
		switch o.Text("type") {
		case "text":
			b.printed(o.Text("text"), failed)
		case "image":
			b.image(o)
		default:
			b.AddJSON("", item.Copy())
		}
	}
}

// printed is a text that a tool returned; what Claude Code adds for the model is
// told apart.
func (b *builder) printed(text string, failed bool) {
	said, beside := typed(text)
	if len(beside) == 0 {
		said = text // as it stands, with its blanks
	}
	if failed {
		said = strings.TrimSuffix(strings.TrimPrefix(said, "<tool_use_error>"), "</tool_use_error>")
	}
	if said != "" {
		b.Add(session.Block{Kind: session.BlockOutput, Text: linked(said)})
	}
	b.asides(beside)
}

// linked writes the links that a search of the web found as a list; they are
// recorded as JSON on a line of its own.
func linked(text string) string {
	const mark = "\n\nLinks: ["
	before, rest, ok := strings.Cut(text, mark)
	if !ok || !strings.HasPrefix(text, "Web search results for query") {
		return text
	}
	list, after, _ := strings.Cut("["+rest, "\n")
	var links []struct{ Title, URL string }
	if json.Unmarshal([]byte(list), &links) != nil {
		return text
	}
	out := before + "\n\n"
	for _, l := range links {
		out += "- [" + strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(l.Title) + "](<" + strings.NewReplacer("<", "", ">", "", "\n", "").Replace(l.URL) + ">)\n"
	}
	return out + "\n" + after
}

func (b *builder) asides(list []aside) {
	for _, a := range list {
		b.Add(session.Block{Kind: session.BlockAside, Name: a.name, Text: a.text})
	}
}

// details keeps what Claude Code records beside a result: a patch is shown as a
// diff, a file that was read without the numbers of its lines.
func (b *builder) details(v jsonl.Value) {
	if v.Kind() != '{' {
		return
	}
	o := jsonl.Fields(v)
	b.Details = v.Copy()
	b.Duration, b.Tokens = o.Count("totalDurationMs"), o.Count("totalTokens")
	if file := jsonl.Fields(o.Get("file")).Get("content"); o.Text("type") == "text" && file.IsString() {
		b.replaceOutput(file.Text())
	}
	var diff strings.Builder
	for _, hunk := range jsonl.Elements(o.Get("structuredPatch")) {
		h := jsonl.Fields(hunk)
		fmt.Fprintf(&diff, "@@ -%d,%d +%d,%d @@\n", h.Count("oldStart"), h.Count("oldLines"), h.Count("newStart"), h.Count("newLines"))
		for _, l := range jsonl.Elements(h.Get("lines")) {
			diff.WriteString(l.Text() + "\n")
		}
	}
	if diff.Len() > 0 {
		b.Add(session.Block{Kind: session.BlockDiff, Text: diff.String()})
	}
}

// replaceOutput puts a text in the place of the first output.
func (b *builder) replaceOutput(text string) {
	for i := range b.Blocks {
		if b.Blocks[i].Kind == session.BlockOutput {
			b.Blocks[i].Text = text
			return
		}
	}
}

// image decodes an image; one whose bytes cannot be read says why.
func (b *builder) image(o jsonl.Object) {
	s := jsonl.Fields(o.Get("source"))
	if s.Text("type") == "url" {
		b.Add(session.Block{Kind: session.BlockImage, Name: s.Text("media_type"), Text: "the image lies elsewhere and is not fetched"})
		return
	}
	b.Add(session.Image(s.Text("media_type"), s.Text("data")))
}
