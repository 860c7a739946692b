// Package attachment reads what transcripts record as added to a conversation by Claude Code: memory
// files, attached files, results of hooks and reminders.
package attachment

import (
	"path"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// Name returns a short name of an attachment of a type. subject is the file or the hook that it is
// about, or "".
func Name(typ, subject string) string {
	words := strings.ReplaceAll(typ, "_", " ")
	if subject == "" {
		return words
	}
	event, _, _ := strings.Cut(subject, ":")
	switch typ {
	case "nested_memory":
		return path.Base(strings.ReplaceAll(subject, `\`, "/"))
	case "file":
		return subject
	case "edited_text_file":
		return "edited elsewhere: " + subject
	case "hook_success", "hook_additional_context":
		return event + " hook"
	case "hook_blocking_error":
		return event + " hook blocked"
	case "hook_non_blocking_error":
		return event + " hook failed"
	}
	return words + ": " + subject
}

// ReadBlocks returns the text of an attachment: the content of a file, or what a hook printed. It
// returns nil if the attachment has no text of its own.
func ReadBlocks(a jsonl.Object) []session.Block {
	content := jsonl.ObjectFields(a.Get("content"))
	switch typ := a.Text("type"); {
	case typ == "nested_memory":
		return textBlocks(session.Block{Kind: session.BlockFile, Name: a.Text("path"), Text: content.Text("content")})
	case typ == "file":
		return textBlocks(session.Block{Kind: session.BlockFile, Name: a.Text("filename"), Text: jsonl.ObjectFields(content.Get("file")).Text("content")})
	case typ == "edited_text_file":
		return textBlocks(session.Block{Kind: session.BlockOutput, Text: a.Text("snippet")})
	case strings.HasPrefix(typ, "hook_"):
		return hookBlocks(a)
	}
	return nil
}

// hookBlocks returns the command of a hook and what it printed.
func hookBlocks(a jsonl.Object) []session.Block {
	out := textBlocks(session.Block{Kind: session.BlockOutput, Text: a.Text("stdout")}, session.Block{Kind: session.BlockOutput, Text: a.Text("stderr")})
	if len(out) == 0 {
		out = textBlocks(session.Block{Kind: session.BlockOutput, Text: a.Text("content")})
	}
	if command := a.Text("command"); command != "" && len(out) > 0 {
		out[0].Text = "$ " + command + "\n" + out[0].Text
	}
	return out
}

// textBlocks returns the blocks that have a text.
func textBlocks(list ...session.Block) (out []session.Block) {
	for _, b := range list {
		if strings.TrimSpace(b.Text) != "" {
			out = append(out, b)
		}
	}
	return out
}
