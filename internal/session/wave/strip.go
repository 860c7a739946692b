package wave

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// strip answers a line without what w names.
func strip(line []byte, w session.Without) ([]byte, error) {
	s := stripper(w)
	return jsonl.Change(line, func(v jsonl.Value) []byte {
		return jsonl.Rewrite(v, func(key string, v jsonl.Value) []byte {
			switch {
			case key == "blocks" && v.Kind() == '[':
				return jsonl.Rewrite(v, func(_ string, block jsonl.Value) []byte { return s.block(block) })
			case key == "additionalFields" && s.Thinking:
				return jsonl.Rewrite(v, thought)
			}
			return v.Raw
		})
	})
}

// stripper takes things out of blocks. What it takes nothing out of it answers as it
// was recorded.
type stripper session.Without

// thought takes thinking out of what a provider sent besides the message.
func thought(key string, v jsonl.Value) []byte {
	switch key {
	case "reasoning", "reasoning_content", "reasoning_details", "thinking", "thinking_blocks":
		return nil
	}
	return v.Raw
}

func (s stripper) block(v jsonl.Value) []byte {
	switch jsonl.Fields(v).Text("type") {
	case "reasoning":
		if s.Thinking {
			return nil
		}
	case "image":
		if s.Images {
			return []byte(`{"type":"text","content":"` + session.ImageLeftOut + `"}`)
		}
	case "tool":
		return s.call(v)
	case "bang":
		return jsonl.Rewrite(v, func(key string, v jsonl.Value) []byte { return s.output(key == "output", v) })
	case "task_notification":
		return jsonl.Rewrite(v, func(key string, v jsonl.Value) []byte { return s.output(key == "result", v) })
	}
	return v.Raw
}

// call is a call with what came of it.
func (s stripper) call(v jsonl.Value) []byte {
	out := jsonl.Rewrite(v, s.tool)
	o := jsonl.Fields(v)
	if result := o.Get("result"); s.Images && !s.Output && result.IsString() && len(jsonl.Elements(o.Get("images"))) > 0 {
		text := jsonl.AppendString(nil, strings.TrimPrefix(result.Text()+"\n"+session.ImageLeftOut, "\n"))
		out = jsonl.Rewrite(jsonl.Value{Raw: out}, func(key string, v jsonl.Value) []byte {
			if key == "result" {
				return text
			}
			return v.Raw
		})
	}
	return out
}

// tool is a member of a call, which holds what came of it.
func (s stripper) tool(key string, v jsonl.Value) []byte {
	switch key {
	case "result", "shortResult":
		return s.output(true, v)
	case "error": // a text, or an error as JavaScript writes it
		return jsonl.Texts(v, func(key string, v jsonl.Value) []byte {
			if out := s.output(key != "name", v); !jsonl.Same(out, v.Raw) {
				return out
			}
			return nil
		})
	case "images":
		if (s.Output || s.Images) && len(jsonl.Elements(v)) > 0 {
			return nil
		}
	}
	return v.Raw
}

func (s stripper) output(is bool, v jsonl.Value) []byte {
	if is && s.Output && len(v.Bytes()) > 0 {
		return jsonl.AppendString(nil, session.LeftOut)
	}
	return v.Raw
}
