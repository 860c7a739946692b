package claude

import (
	"regexp"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/usertext"
	"sessiontree/internal/session/jsonl"
)

// stripLine returns a line without the content that w names.
func stripLine(line []byte, w session.Omissions) ([]byte, error) {
	return jsonl.RewriteLine(line, contentStripper(w).stripRecord)
}

// contentStripper removes content from values. Values that need no change keep their bytes.
type contentStripper session.Omissions

func (s contentStripper) stripRecord(v jsonl.Value) []byte {
	line := jsonl.ObjectFields(v)
	typ := line.Text("type")
	return jsonl.RewriteMembers(v, func(key string, v jsonl.Value) []byte {
		switch key {
		case "message":
			return jsonl.RewriteMember(v, "content", s.stripContent)
		case "toolUseResult":
			return s.stripStrings(v)
		case "content": // of a system line
			return s.stripUserText(v)
		case "attachment":
			return s.stripAttachment(v)
		case "rendered":
			return s.stripRendered(v, jsonl.ObjectFields(line.Get("attachment")).Text("type"))
		case "data":
			if typ == "progress" {
				return s.stripProgress(v)
			}
		}
		return v.Raw
	})
}

// stripContent strips a string or blocks.
func (s contentStripper) stripContent(v jsonl.Value) []byte {
	if v.Kind() != '[' {
		return s.stripUserText(v)
	}
	return jsonl.RewriteMembers(v, func(_ string, block jsonl.Value) []byte { return s.stripBlock(block) })
}

func (s contentStripper) stripBlock(v jsonl.Value) []byte {
	switch typ := jsonl.ObjectFields(v).Text("type"); {
	case typ == "thinking" || typ == "redacted_thinking":
		if s.Thinking {
			return nil
		}
	case typ == "image":
		return s.stripImage(v)
	case typ == "text":
		return jsonl.RewriteMember(v, "text", s.stripUserText)
	case typ == "tool_result":
		return jsonl.RewriteMember(v, "content", s.stripToolOutput)
	case strings.HasSuffix(typ, "_tool_result") && s.Output: // of the provider's own tools
		return []byte(textBlock(session.OmittedText))
	}
	return v.Raw
}

func (s contentStripper) stripImage(v jsonl.Value) []byte {
	if s.Images {
		return []byte(textBlock(session.OmittedImageText))
	}
	return v.Raw
}

func textBlock(text string) string { return `{"type":"text","text":"` + text + `"}` }

// stripToolOutput strips a tool's output: a string or blocks.
func (s contentStripper) stripToolOutput(v jsonl.Value) []byte {
	switch {
	case s.Output && v.IsString() && len(v.Bytes()) > 0:
		return jsonl.AppendString(nil, session.OmittedText)
	case s.Output && v.Kind() == '[' && len(jsonl.ArrayElements(v)) > 0:
		return []byte(`[` + textBlock(session.OmittedText) + `]`)
	case v.Kind() == '[':
		return jsonl.RewriteMembers(v, func(_ string, block jsonl.Value) []byte {
			if jsonl.ObjectFields(block).Text("type") == "image" {
				return s.stripImage(block)
			}
			return block.Raw
		})
	}
	return v.Raw
}

// commandOutputTags match the output of commands in texts, and taskResultTags the result of a
// background agent.
var (
	commandOutputTags = regexp.MustCompile(`(?s)(<(?:local-command|bash)-(?:stdout|stderr)>)(.*?)(</(?:local-command|bash)-(?:stdout|stderr)>|$)`)
	taskResultTags    = regexp.MustCompile(`(?s)(<result>)(.*?)(</result>|$)`)
)

// stripUserText strips a text of role user, which may hold the output of a command.
func (s contentStripper) stripUserText(v jsonl.Value) []byte {
	if !s.Output || !v.IsString() {
		return v.Raw
	}
	text, tags := v.Text(), commandOutputTags
	switch usertext.Classify(strings.TrimSpace(text), false, false, false) {
	case usertext.Task:
		tags = taskResultTags
	case usertext.Output, usertext.Command, usertext.Bash:
	default:
		return v.Raw
	}
	out := tags.ReplaceAllStringFunc(text, func(all string) string {
		if m := tags.FindStringSubmatch(all); m[2] != "" {
			return m[1] + session.OmittedText + m[3]
		}
		return all
	})
	if out == text {
		return v.Raw
	}
	return jsonl.AppendString(nil, out)
}

// stripProgress strips the data of a progress line. The progress of an agent holds a whole line.
func (s contentStripper) stripProgress(v jsonl.Value) []byte {
	if s.Output {
		return s.stripStrings(v)
	}
	return jsonl.RewriteMember(v, "message", s.stripRecord)
}

// stripAttachment strips an attachment. Most hold files; a queued prompt is no output.
func (s contentStripper) stripAttachment(v jsonl.Value) []byte {
	if jsonl.ObjectFields(v).Text("type") == "queued_command" {
		return jsonl.RewriteMember(v, "prompt", s.stripContent)
	}
	return s.stripStrings(v)
}

// stripRendered strips the rendered form of an attachment of type typ.
func (s contentStripper) stripRendered(v jsonl.Value, typ string) []byte {
	return jsonl.RewriteMembers(v, func(_ string, part jsonl.Value) []byte {
		return jsonl.RewriteMember(part, "content", func(v jsonl.Value) []byte {
			if typ == "queued_command" {
				return s.stripContent(v)
			}
			return s.stripToolOutput(v)
		})
	})
}

// nonOutputKeys are keys of strings that are no output, such as types, ids and names.
var nonOutputKeys = []string{"type", "subtype", "status", "agentId", "agentType", "taskId", "task_id", "runId", "toolUseID", "tool_use_id", "uuid", "id", "model",
	"mode", "media_type", "filePath", "file_path", "filename", "displayPath", "path", "hookName", "hookEvent", "prompt", "description", "service_tier"}

// stripStrings strips an object of any shape that holds output. It replaces strings one by one and
// removes patches, so that the agent finds the shape it expects.
func (s contentStripper) stripStrings(v jsonl.Value) []byte {
	if s.Output {
		v = jsonl.Value{Raw: jsonl.RewriteMember(v, "structuredPatch", func(v jsonl.Value) []byte {
			if len(jsonl.ArrayElements(v)) == 0 {
				return v.Raw
			}
			return []byte("[]")
		})}
	}
	return jsonl.RewriteStrings(v, func(key string, v jsonl.Value) []byte {
		switch {
		case len(v.Bytes()) == 0 || slices.Contains(nonOutputKeys, key):
		case s.Output && key != "base64":
			return jsonl.AppendString(nil, session.OmittedText)
		case s.Output, s.Images && (key == "base64" || key == "data" && isBase64Data(v)):
			return []byte(`""`)
		}
		return nil
	})
}

// isBase64Data reports whether a string is base64 data and not a word.
func isBase64Data(v jsonl.Value) bool {
	return len(v.Bytes()) >= 64 && !strings.ContainsFunc(strings.TrimRight(string(v.Bytes()), "="), func(r rune) bool {
		return !strings.ContainsRune("+/", r) && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
}
