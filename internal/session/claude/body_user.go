package claude

import (
	"encoding/json"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/attachment"
	"sessiontree/internal/session/claude/toolresult"
	"sessiontree/internal/session/claude/usertext"
	"sessiontree/internal/session/jsonl"
)

// addUserLine decodes a line of role user: tool results unchanged, prompts without injected text,
// everything else by its kind.
func (b *bodyBuilder) addUserLine(o jsonl.Object, content jsonl.Value) {
	text, results := joinUserText(content)
	if results {
		b.addContent(content)
		b.addResultDetails(o.Get("toolUseResult"))
		b.Answers = toolresult.ReadAnswers(o.Get("toolUseResult"), b.Blocks)
		return
	}
	head := strings.TrimSpace(text)
	switch v := usertext.Classify(head, o.IsTrue("isMeta"), o.Get("sourceToolUseID").IsString(), o.IsTrue("isCompactSummary")); v {
	case usertext.Prompt, usertext.Note, usertext.Skill, usertext.Summary, usertext.Interrupted:
		b.addPrompt(content)
	default:
		b.addTaggedText(v, head)
		b.addImages(content)
	}
}

// joinUserText joins the text blocks of a content. results reports whether the content holds tool
// results instead.
func joinUserText(content jsonl.Value) (text string, results bool) {
	if content.IsString() {
		return content.Text(), false
	}
	var texts []string
	for _, item := range jsonl.ArrayElements(content) {
		switch o := jsonl.ObjectFields(item); o.Text("type") {
		case "tool_result":
			return "", true
		case "text":
			texts = append(texts, o.Text("text"))
		}
	}
	return strings.Join(texts, "\n"), false
}

// addPrompt decodes a prompt and separates injected text from it.
func (b *bodyBuilder) addPrompt(content jsonl.Value) {
	b.addContent(content)
	given := b.Blocks
	b.Blocks = nil
	for _, block := range given {
		if block.Kind != session.BlockText {
			b.AddBlock(block)
			continue
		}
		typed, injected := usertext.SplitInjected(block.Text)
		b.AddText(block.Name, typed)
		b.addInjected(injected)
	}
}

func (b *bodyBuilder) addImages(content jsonl.Value) {
	for _, item := range jsonl.ArrayElements(content) {
		if o := jsonl.ObjectFields(item); o.Text("type") == "image" {
			b.addImage(o)
		}
	}
}

// addTaggedText decodes text that Claude Code wraps in tags.
func (b *bodyBuilder) addTaggedText(v usertext.Kind, text string) {
	switch v {
	case usertext.Bash:
		b.addBashCall(usertext.TextInTag(text, "bash-input"))
	case usertext.Command:
		b.addBashCall(usertext.SlashCommand(text))
		b.AddText("", customCommandText(text))
	case usertext.Output:
		for _, tag := range []string{"local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"} {
			if out := usertext.TextInTag(text, tag); out != "" {
				b.AddBlock(session.Block{Kind: session.BlockOutput, Text: out})
			}
		}
	case usertext.Task:
		t := usertext.ParseTaskNotification(text)
		b.Tokens, b.Duration = t.Tokens, t.Milliseconds
		if t.Result == "" && t.Summary == "" {
			b.AddText("", usertext.StripTags(text))
		}
		b.AddText("", t.Summary)
		b.AddText("", t.Result)
	case usertext.Teammate:
		b.addTeammateMessages(text)
	default:
		b.AddText("", usertext.StripTags(text))
	}
}

func (b *bodyBuilder) addBashCall(line string) {
	args, err := json.Marshal(map[string]string{"command": line})
	if err == nil {
		b.AddBlock(session.Block{Kind: session.BlockToolCall, Name: "bash", Args: args})
	}
}

// customCommandText returns the text that a custom command added for the model.
func customCommandText(text string) string {
	in := usertext.TextInTag(text, "command-contents")
	var o struct{ Text string }
	if json.Unmarshal([]byte(in), &o) == nil && o.Text != "" {
		return o.Text
	}
	return in
}

// addTeammateMessages decodes messages between agents of a team. Messages in JSON stay JSON.
func (b *bodyBuilder) addTeammateMessages(text string) {
	for _, t := range usertext.ParseTeammates(text) {
		who := t.Who
		if t.Color != "" {
			who += " (" + t.Color + ")"
		}
		if t.Summary != "" {
			who += ": " + t.Summary
		}
		if json.Valid([]byte(t.Text)) && strings.HasPrefix(t.Text, "{") {
			b.AddBlock(session.Block{Kind: session.BlockJSON, Name: who, Text: t.Text})
		} else {
			b.AddBlock(session.Block{Kind: session.BlockText, Name: who, Text: t.Text})
		}
	}
}

// addAttachment decodes the attachment of a line: a queued prompt as text, the text of files and
// hooks, else the text that the model was sent. What has no text is shown as recorded.
func (b *bodyBuilder) addAttachment(line jsonl.Object) {
	a := jsonl.ObjectFields(line.Get("attachment"))
	if a.Text("type") == "queued_command" && a.Get("prompt").IsString() {
		b.AddText("", a.Text("prompt"))
		return
	}
	b.Duration = a.Count("durationMs")
	blocks := attachment.ReadBlocks(a)
	if sent := joinBlockTexts(sentLineBlocks(line, true), "\n\n"); len(blocks) == 0 && sent != "" {
		blocks = []session.Block{{Kind: session.BlockOutput, Text: sent}}
	}
	for _, blk := range blocks {
		b.AddBlock(blk)
	}
	if len(blocks) == 0 {
		b.AddJSON("", line.Get("attachment").CloneRaw())
	}
}
