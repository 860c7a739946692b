package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// stripLine returns a line without the content that w names.
func stripLine(line []byte, w session.Omissions) ([]byte, error) {
	return jsonl.RewriteLine(line, lineStripper(w).stripEntry)
}

// lineStripper removes content from values. Values that need no change keep their bytes.
type lineStripper session.Omissions

func (s lineStripper) stripEntry(v jsonl.Value) []byte {
	switch jsonl.ObjectFields(v).Text("type") {
	case "message":
		return jsonl.RewriteMember(v, "message", s.stripMessage)
	case "custom_message":
		return jsonl.RewriteMember(v, "content", s.stripContentBlocks)
	case "context_edit":
		return jsonl.RewriteMember(v, "replacement", s.stripReplacement)
	}
	return v.Raw
}

// stripReplacement strips the replacement in a context edit. The line does not record which kind of
// entry it replaces; mostly it is a tool's output.
func (s lineStripper) stripReplacement(v jsonl.Value) []byte {
	if s.Output {
		return jsonl.RewriteMember(v, "content", omitText)
	}
	return jsonl.RewriteMember(v, "content", s.stripContentBlocks)
}

func (s lineStripper) stripMessage(m jsonl.Value) []byte {
	switch jsonl.ObjectFields(m).Text("role") {
	case "toolResult":
		return jsonl.RewriteMembers(m, s.stripResultMember)
	case "bashExecution", "pythonExecution":
		if s.Output {
			return jsonl.RewriteMember(m, "output", omitText)
		}
		return m.Raw
	case "fileMention":
		return jsonl.RewriteMember(m, "files", func(files jsonl.Value) []byte {
			return jsonl.RewriteMembers(files, func(_ string, file jsonl.Value) []byte { return jsonl.RewriteMembers(file, s.stripMentionedFile) })
		})
	}
	return jsonl.RewriteMember(m, "content", s.stripContentBlocks)
}

// stripResultMember strips a member of a tool result. The details repeat the output for viewers.
func (s lineStripper) stripResultMember(key string, v jsonl.Value) []byte {
	switch {
	case s.Output && key == "content":
		return omitText(v)
	case s.Output && (key == "details" || key == "nestedCalls"):
		return nil
	case key == "content":
		return s.stripContentBlocks(v)
	case key == "details" && s.Images:
		return jsonl.RewriteMembers(v, func(key string, v jsonl.Value) []byte {
			if (key == "images" || key == "frames") && v.Kind() == '[' && len(jsonl.ArrayElements(v)) > 0 {
				return []byte("[]")
			}
			return v.Raw
		})
	}
	return v.Raw
}

// stripMentionedFile strips a member of a file that was read for a prompt.
func (s lineStripper) stripMentionedFile(key string, v jsonl.Value) []byte {
	switch {
	case s.Output && key == "content":
		return omitText(v)
	case (s.Output || s.Images) && key == "image":
		return nil
	}
	return v.Raw
}

// omitText replaces a string or blocks by a placeholder, unless they are empty.
func omitText(v jsonl.Value) []byte {
	switch {
	case v.IsString() && len(v.Bytes()) > 0:
		return quoteJSON(session.OmittedText)
	case v.Kind() == '[' && len(jsonl.ArrayElements(v)) > 0:
		return []byte(`[` + textBlock(session.OmittedText) + `]`)
	}
	return v.Raw
}

func textBlock(text string) string { return `{"type":"text","text":"` + text + `"}` }

// stripContentBlocks strips a content: blocks, or a string, which is kept.
func (s lineStripper) stripContentBlocks(v jsonl.Value) []byte {
	if v.Kind() != '[' {
		return v.Raw
	}
	return jsonl.RewriteMembers(v, func(_ string, block jsonl.Value) []byte {
		switch jsonl.ObjectFields(block).Text("type") {
		case "thinking", "redactedThinking", "redacted_thinking":
			if s.Thinking {
				return nil
			}
		case "image", "image_url":
			if s.Images {
				return []byte(textBlock(session.OmittedImageText))
			}
		}
		return block.Raw
	})
}
