package claude

import (
	"encoding/json"
	"fmt"
	"strings"

	"sessiontree/internal/session"
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
		b.setUsage(jsonl.ObjectFields(m.Get("usage")))
		if o.IsTrue("isApiErrorMessage") {
			b.addAPIError(m)
			return
		}
		b.addContent(m.Get("content"))
	case "user":
		b.addUserLine(o, m.Get("content"))
	case "system":
		b.AddText("", strings.TrimSpace(stripTags(o.Text("content"))))
		b.addSystemDetails(o)
	case "summary":
		b.AddText("", o.Text("summary"))
	case "attachment":
		b.addAttachment(jsonl.ObjectFields(o.Get("attachment")), o.Get("attachment"))
	case "progress":
		b.AddJSON("", o.Get("data").CloneRaw())
	default:
		b.AddJSON("", whole.CloneRaw())
	}
}

// addSystemDetails shows what a system line records besides its text.
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

func (b *bodyBuilder) setUsage(o jsonl.Object) {
	b.Usage = session.Usage{
		Input: o.Count("input_tokens"), Output: o.Count("output_tokens"),
		CacheRead: o.Count("cache_read_input_tokens"), CacheWrite: o.Count("cache_creation_input_tokens"),
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

// addToolOutput decodes what a tool returned: a string, or texts and images.
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

// addOutputText is a text that a tool returned; what Claude Code adds for the model is
// told apart.
func (b *bodyBuilder) addOutputText(text string, failed bool) {
	said, beside := splitInjected(text)
	if len(beside) == 0 {
		said = text // as it stands, with its blanks
	}
	if failed {
		said = strings.TrimSuffix(strings.TrimPrefix(said, "<tool_use_error>"), "</tool_use_error>")
	}
	if said != "" {
		b.AddBlock(session.Block{Kind: session.BlockOutput, Text: formatSearchLinks(said)})
	}
	b.addInjected(beside)
}

// formatSearchLinks writes the links that a search of the web found as a list; they are
// recorded as JSON on a line of its own.
func formatSearchLinks(text string) string {
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

func (b *bodyBuilder) addInjected(list []injectedText) {
	for _, a := range list {
		b.AddBlock(session.Block{Kind: session.BlockInjected, Name: a.name, Text: a.text})
	}
}

// addResultDetails keeps what Claude Code records beside a result: a patch is shown as a
// diff, a file that was read without the numbers of its lines.
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
	if diff.Len() > 0 {
		b.AddBlock(session.Block{Kind: session.BlockDiff, Text: diff.String()})
	}
}

// replaceFirstOutput puts a text in the place of the first output.
func (b *bodyBuilder) replaceFirstOutput(text string) {
	for i := range b.Blocks {
		if b.Blocks[i].Kind == session.BlockOutput {
			b.Blocks[i].Text = text
			return
		}
	}
}

// addImage decodes an image; one whose bytes cannot be read says why.
func (b *bodyBuilder) addImage(o jsonl.Object) {
	s := jsonl.ObjectFields(o.Get("source"))
	if s.Text("type") == "url" {
		b.AddBlock(session.Block{Kind: session.BlockImage, Name: s.Text("media_type"), Text: "the image lies elsewhere and is not fetched"})
		return
	}
	b.AddBlock(session.NewImageBlock(s.Text("media_type"), s.Text("data")))
}
