package claude

import (
	"regexp"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// strip answers a line without what w names.
func strip(line []byte, w session.Without) ([]byte, error) {
	return jsonl.Change(line, stripper(w).line)
}

// stripper takes things out of values. What it takes nothing out of it answers as
// it was recorded.
type stripper session.Without

func (s stripper) line(v jsonl.Value) []byte {
	line := jsonl.Fields(v)
	typ := line.Text("type")
	return jsonl.Rewrite(v, func(key string, v jsonl.Value) []byte {
		switch key {
		case "message":
			return jsonl.RewriteAt(v, "content", s.content)
		case "toolUseResult":
			return s.masked(v)
		case "content": // of a system line
			return s.said(v)
		case "attachment":
			return s.attachment(v)
		case "rendered":
			return s.rendered(v, jsonl.Fields(line.Get("attachment")).Text("type"))
		case "data":
			if typ == "progress" {
				return s.progress(v)
			}
		}
		return v.Raw
	})
}

// content is a string or blocks.
func (s stripper) content(v jsonl.Value) []byte {
	if v.Kind() != '[' {
		return s.said(v)
	}
	return jsonl.Rewrite(v, func(_ string, block jsonl.Value) []byte { return s.block(block) })
}

func (s stripper) block(v jsonl.Value) []byte {
	switch typ := jsonl.Fields(v).Text("type"); {
	case typ == "thinking" || typ == "redacted_thinking":
		if s.Thinking {
			return nil
		}
	case typ == "image":
		return s.image(v)
	case typ == "text":
		return jsonl.RewriteAt(v, "text", s.said)
	case typ == "tool_result":
		return jsonl.RewriteAt(v, "content", s.output)
	case strings.HasSuffix(typ, "_tool_result") && s.Output: // of the provider's own tools
		return []byte(textBlock(session.LeftOut))
	}
	return v.Raw
}

func (s stripper) image(v jsonl.Value) []byte {
	if s.Images {
		return []byte(textBlock(session.ImageLeftOut))
	}
	return v.Raw
}

func textBlock(text string) string { return `{"type":"text","text":"` + text + `"}` }

// output is what a tool answered: a string or blocks.
func (s stripper) output(v jsonl.Value) []byte {
	switch {
	case s.Output && v.IsString() && len(v.Bytes()) > 0:
		return jsonl.AppendString(nil, session.LeftOut)
	case s.Output && v.Kind() == '[' && len(jsonl.Elements(v)) > 0:
		return []byte(`[` + textBlock(session.LeftOut) + `]`)
	case v.Kind() == '[':
		return jsonl.Rewrite(v, func(_ string, block jsonl.Value) []byte {
			if jsonl.Fields(block).Text("type") == "image" {
				return s.image(block)
			}
			return block.Raw
		})
	}
	return v.Raw
}

// printed are the tags in which texts hold what a command came to, and came those
// of what an agent in the background did.
var (
	printed = regexp.MustCompile(`(?s)(<(?:local-command|bash)-(?:stdout|stderr)>)(.*?)(</(?:local-command|bash)-(?:stdout|stderr)>|$)`)
	came    = regexp.MustCompile(`(?s)(<result>)(.*?)(</result>|$)`)
)

// said is a text in the user's name, which may hold the output of a command.
func (s stripper) said(v jsonl.Value) []byte {
	if !s.Output || !v.IsString() {
		return v.Raw
	}
	text, tags := v.Text(), printed
	switch voiceOf(strings.TrimSpace(text), false, false, false) {
	case voiceTask:
		tags = came
	case voiceOutput, voiceCommand, voiceBash:
	default:
		return v.Raw
	}
	out := tags.ReplaceAllStringFunc(text, func(all string) string {
		if m := tags.FindStringSubmatch(all); m[2] != "" {
			return m[1] + session.LeftOut + m[3]
		}
		return all
	})
	if out == text {
		return v.Raw
	}
	return jsonl.AppendString(nil, out)
}

// progress tells how a tool goes on; of an agent, with a line of its own.
func (s stripper) progress(v jsonl.Value) []byte {
	if s.Output {
		return s.masked(v)
	}
	return jsonl.RewriteAt(v, "message", s.line)
}

// attachment is what was given to the model beside the talk: files, mostly, and
// what the user wrote meanwhile, which is no output.
func (s stripper) attachment(v jsonl.Value) []byte {
	if jsonl.Fields(v).Text("type") == "queued_command" {
		return jsonl.RewriteAt(v, "prompt", s.content)
	}
	return s.masked(v)
}

// rendered is an attachment of a type again, as the model was sent it.
func (s stripper) rendered(v jsonl.Value, typ string) []byte {
	return jsonl.Rewrite(v, func(_ string, part jsonl.Value) []byte {
		return jsonl.RewriteAt(part, "content", func(v jsonl.Value) []byte {
			if typ == "queued_command" {
				return s.content(v)
			}
			return s.output(v)
		})
	})
}

// names are the keys of strings that are no output: what an object is, what it is
// called, and what it is about.
var names = []string{"type", "subtype", "status", "agentId", "agentType", "taskId", "task_id", "runId", "toolUseID", "tool_use_id", "uuid", "id", "model",
	"mode", "media_type", "filePath", "file_path", "filename", "displayPath", "path", "hookName", "hookEvent", "prompt", "description", "service_tier"}

// masked is an object of any shape that holds output. Its strings are left out one
// by one and its patches whole, so that the agent finds the shape it expects.
func (s stripper) masked(v jsonl.Value) []byte {
	if s.Output {
		v = jsonl.Value{Raw: jsonl.RewriteAt(v, "structuredPatch", func(v jsonl.Value) []byte {
			if len(jsonl.Elements(v)) == 0 {
				return v.Raw
			}
			return []byte("[]")
		})}
	}
	return jsonl.Texts(v, func(key string, v jsonl.Value) []byte {
		switch {
		case len(v.Bytes()) == 0 || slices.Contains(names, key):
		case s.Output && key != "base64":
			return jsonl.AppendString(nil, session.LeftOut)
		case s.Output, s.Images && (key == "base64" || key == "data" && isData(v)):
			return []byte(`""`)
		}
		return nil
	})
}

// isData reports whether a string is base64 and no word.
func isData(v jsonl.Value) bool {
	return len(v.Bytes()) >= 64 && !strings.ContainsFunc(strings.TrimRight(string(v.Bytes()), "="), func(r rune) bool {
		return !strings.ContainsRune("+/", r) && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
}
