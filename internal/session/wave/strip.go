package wave

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// stripLine returns a line without the content that w names.
func stripLine(line []byte, w session.Omissions) ([]byte, error) {
	s := blockStripper(w)
	return jsonl.RewriteLine(line, func(v jsonl.Value) []byte {
		return jsonl.RewriteMembers(v, func(key string, v jsonl.Value) []byte {
			switch {
			case key == "blocks" && v.Kind() == '[':
				return jsonl.RewriteMembers(v, func(_ string, block jsonl.Value) []byte { return s.stripMessageBlock(block) })
			case key == "additionalFields" && s.Thinking:
				return jsonl.RewriteMembers(v, stripReasoning)
			}
			return v.Raw
		})
	})
}

// blockStripper removes content from blocks. Blocks that need no change keep their bytes.
type blockStripper session.Omissions

// stripReasoning removes reasoning from the additional fields of a provider.
func stripReasoning(key string, v jsonl.Value) []byte {
	switch key {
	case "reasoning", "reasoning_content", "reasoning_details", "thinking", "thinking_blocks":
		return nil
	}
	return v.Raw
}

func (s blockStripper) stripMessageBlock(v jsonl.Value) []byte {
	switch jsonl.ObjectFields(v).Text("type") {
	case "reasoning":
		if s.Thinking {
			return nil
		}
	case "image":
		if s.Images {
			return []byte(`{"type":"text","content":"` + session.OmittedImageText + `"}`)
		}
	case "tool":
		return s.stripToolBlock(v)
	case "bang":
		return jsonl.RewriteMembers(v, func(key string, v jsonl.Value) []byte { return s.stripOutput(key == "output", v) })
	case "task_notification":
		return jsonl.RewriteMembers(v, func(key string, v jsonl.Value) []byte { return s.stripOutput(key == "result", v) })
	}
	return v.Raw
}

// stripToolBlock strips a call and its result.
func (s blockStripper) stripToolBlock(v jsonl.Value) []byte {
	out := jsonl.RewriteMembers(v, s.stripToolMember)
	o := jsonl.ObjectFields(v)
	if result := o.Get("result"); s.Images && !s.Output && result.IsString() && len(jsonl.ArrayElements(o.Get("images"))) > 0 {
		text := jsonl.AppendString(nil, strings.TrimPrefix(result.Text()+"\n"+session.OmittedImageText, "\n"))
		out = jsonl.RewriteMembers(jsonl.Value{Raw: out}, func(key string, v jsonl.Value) []byte {
			if key == "result" {
				return text
			}
			return v.Raw
		})
	}
	return out
}

// stripToolMember strips a member of a tool block, which holds the call's result.
func (s blockStripper) stripToolMember(key string, v jsonl.Value) []byte {
	switch key {
	case "result", "shortResult":
		return s.stripOutput(true, v)
	case "error": // a string, or an error object of JavaScript
		return jsonl.RewriteStrings(v, func(key string, v jsonl.Value) []byte {
			if out := s.stripOutput(key != "name", v); !jsonl.SameBytes(out, v.Raw) {
				return out
			}
			return nil
		})
	case "images":
		if (s.Output || s.Images) && len(jsonl.ArrayElements(v)) > 0 {
			return nil
		}
	}
	return v.Raw
}

func (s blockStripper) stripOutput(is bool, v jsonl.Value) []byte {
	if is && s.Output && len(v.Bytes()) > 0 {
		return jsonl.AppendString(nil, session.OmittedText)
	}
	return v.Raw
}
