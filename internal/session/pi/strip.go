package pi

import (
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
	switch jsonl.Fields(v).Text("type") {
	case "message":
		return jsonl.RewriteAt(v, "message", s.message)
	case "custom_message":
		return jsonl.RewriteAt(v, "content", s.content)
	case "context_edit":
		return jsonl.RewriteAt(v, "replacement", s.replacement)
	}
	return v.Raw
}

// replacement is what an edit puts in the place of an entry. Of which kind that is
// the line does not say: a tool's output, mostly.
func (s stripper) replacement(v jsonl.Value) []byte {
	if s.Output {
		return jsonl.RewriteAt(v, "content", leftOut)
	}
	return jsonl.RewriteAt(v, "content", s.content)
}

func (s stripper) message(m jsonl.Value) []byte {
	switch jsonl.Fields(m).Text("role") {
	case "toolResult":
		return jsonl.Rewrite(m, s.result)
	case "bashExecution", "pythonExecution":
		if s.Output {
			return jsonl.RewriteAt(m, "output", leftOut)
		}
		return m.Raw
	case "fileMention":
		return jsonl.RewriteAt(m, "files", func(files jsonl.Value) []byte {
			return jsonl.Rewrite(files, func(_ string, file jsonl.Value) []byte { return jsonl.Rewrite(file, s.mentioned) })
		})
	}
	return jsonl.RewriteAt(m, "content", s.content)
}

// result is a member of what a tool returned. Its details tell it once more, for
// people.
func (s stripper) result(key string, v jsonl.Value) []byte {
	switch {
	case s.Output && key == "content":
		return leftOut(v)
	case s.Output && (key == "details" || key == "nestedCalls"):
		return nil
	case key == "content":
		return s.content(v)
	case key == "details" && s.Images:
		return jsonl.Rewrite(v, func(key string, v jsonl.Value) []byte {
			if (key == "images" || key == "frames") && v.Kind() == '[' && len(jsonl.Elements(v)) > 0 {
				return []byte("[]")
			}
			return v.Raw
		})
	}
	return v.Raw
}

// mentioned is a member of a file that was read for a prompt.
func (s stripper) mentioned(key string, v jsonl.Value) []byte {
	switch {
	case s.Output && key == "content":
		return leftOut(v)
	case (s.Output || s.Images) && key == "image":
		return nil
	}
	return v.Raw
}

// leftOut stands for a string or for blocks, unless there is nothing.
func leftOut(v jsonl.Value) []byte {
	switch {
	case v.IsString() && len(v.Bytes()) > 0:
		return quoted(session.LeftOut)
	case v.Kind() == '[' && len(jsonl.Elements(v)) > 0:
		return []byte(`[` + textBlock(session.LeftOut) + `]`)
	}
	return v.Raw
}

func textBlock(text string) string { return `{"type":"text","text":"` + text + `"}` }

// content is a string, which stays, or blocks.
func (s stripper) content(v jsonl.Value) []byte {
	if v.Kind() != '[' {
		return v.Raw
	}
	return jsonl.Rewrite(v, func(_ string, block jsonl.Value) []byte {
		switch jsonl.Fields(block).Text("type") {
		case "thinking", "redactedThinking", "redacted_thinking":
			if s.Thinking {
				return nil
			}
		case "image", "image_url":
			if s.Images {
				return []byte(textBlock(session.ImageLeftOut))
			}
		}
		return block.Raw
	})
}
