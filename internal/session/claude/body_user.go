package claude

import (
	"encoding/json"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// user decodes a line in the user's name: results of tools as they are, prompts
// without what was put beside them, everything else by what it is.
func (b *builder) user(o jsonl.Object, content jsonl.Value) {
	text, results := userText(content)
	if results {
		b.content(content)
		b.details(o.Get("toolUseResult"))
		return
	}
	head := strings.TrimSpace(text)
	switch v := voiceOf(head, o.True("isMeta"), o.Get("sourceToolUseID").IsString(), o.True("isCompactSummary")); v {
	case voicePrompt, voiceNote, voiceSkill, voiceSummary, voiceInterrupted:
		b.typed(content)
	default:
		b.voice(v, head)
		b.images(content)
	}
}

// userText joins the texts of a content and reports whether it holds results.
func userText(content jsonl.Value) (text string, results bool) {
	if content.IsString() {
		return content.Text(), false
	}
	var texts []string
	for _, item := range jsonl.Elements(content) {
		switch o := jsonl.Fields(item); o.Text("type") {
		case "tool_result":
			return "", true
		case "text":
			texts = append(texts, o.Text("text"))
		}
	}
	return strings.Join(texts, "\n"), false
}

// typed decodes a prompt.
func (b *builder) typed(content jsonl.Value) {
	b.content(content)
	given := b.Blocks
	b.Blocks = nil
	for _, block := range given {
		if block.Kind != session.BlockText {
			b.Add(block)
			continue
		}
		said, beside := typed(block.Text)
		b.AddText(block.Name, said)
		b.asides(beside)
	}
}

func (b *builder) images(content jsonl.Value) {
	for _, item := range jsonl.Elements(content) {
		if o := jsonl.Fields(item); o.Text("type") == "image" {
			b.image(o)
		}
	}
}

// voice decodes what stands in tags.
func (b *builder) voice(v voice, text string) {
	switch v {
	case voiceBash:
		b.command(inside(text, "bash-input"))
	case voiceCommand:
		b.command(command(text))
		b.AddText("", commandText(text))
	case voiceOutput:
		for _, tag := range []string{"local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"} {
			if out := inside(text, tag); out != "" {
				b.Add(session.Block{Kind: session.BlockOutput, Text: out})
			}
		}
	case voiceTask:
		t := readTask(text)
		b.Tokens, b.Duration = t.tokens, t.ms
		if t.result == "" && t.summary == "" {
			b.AddText("", bare(text))
		}
		b.AddText("", t.summary)
		b.AddText("", t.result)
	case voiceTeammate:
		b.team(text)
	default:
		b.AddText("", bare(text))
	}
}

func (b *builder) command(line string) {
	args, err := json.Marshal(map[string]string{"command": line})
	if err == nil {
		b.Add(session.Block{Kind: session.BlockToolCall, Name: "bash", Args: args})
	}
}

// commandText is what a command of the user's own put before the model.
func commandText(text string) string {
	in := inside(text, "command-contents")
	var o struct{ Text string }
	if json.Unmarshal([]byte(in), &o) == nil && o.Text != "" {
		return o.Text
	}
	return in
}

// team decodes messages of the team: what agents tell one another in JSON stays so.
func (b *builder) team(text string) {
	for _, t := range teammates(text) {
		who := t.who
		if t.colour != "" {
			who += " (" + t.colour + ")"
		}
		if t.summary != "" {
			who += ": " + t.summary
		}
		if json.Valid([]byte(t.text)) && strings.HasPrefix(t.text, "{") {
			b.Add(session.Block{Kind: session.BlockJSON, Name: who, Text: t.text})
		} else {
			b.Add(session.Block{Kind: session.BlockText, Name: who, Text: t.text})
		}
	}
}

// attachment decodes what was given to the model beside the talk: what the user
// wrote meanwhile as text, the rest as recorded.
func (b *builder) attachment(a jsonl.Object, whole jsonl.Value) {
	if a.Text("type") == "queued_command" && a.Get("prompt").IsString() {
		b.AddText("", a.Text("prompt"))
		return
	}
	b.AddJSON("", whole.Copy())
}
