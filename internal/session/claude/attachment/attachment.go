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
	if isFact(typ) {
		words += " note"
	}
	if subject == "" {
		return words
	}
	event, _, _ := strings.Cut(subject, ":")
	switch typ {
	case "nested_memory":
		return path.Base(strings.ReplaceAll(subject, `\`, "/"))
	case "compact_file_reference":
		return "referenced: " + subject
	case "file", "already_read_file", "pdf_reference", "directory", "selected_lines_in_ide", "opened_file_in_ide", "mcp_resource":
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

// isFact reports whether an attachment of a type tells the model about its surroundings, like the date
// or the tools that it has.
func isFact(typ string) bool {
	switch typ {
	case "environment", "model", "date", "session_context", "remote_session_change", "command_permissions", "prompt_snapshot",
		"skill_listing", "agent_listing_delta", "deferred_tools_delta", "mcp_instructions_delta", "output_style":
		return true
	}
	return false
}

// IsFromUser reports whether the user added an attachment of a type to the prompt: a file or directory
// that the prompt names with "@", or what is open or selected in the editor.
func IsFromUser(typ string) bool {
	switch typ {
	case "file", "already_read_file", "pdf_reference", "directory", "selected_lines_in_ide", "opened_file_in_ide", "mcp_resource":
		return true
	}
	return false
}

// ReadBlocks returns the text of an attachment: the content of a file, or what a hook printed. It
// returns nil if the attachment has no text of its own.
func ReadBlocks(a jsonl.Object) []session.Block {
	content := jsonl.ObjectFields(a.Get("content"))
	switch typ := a.Text("type"); {
	case typ == "nested_memory":
		return textBlocks(session.Block{Kind: session.BlockFile, Name: a.Text("path"), Text: content.Text("content")})
	case typ == "file" || typ == "already_read_file":
		return fileBlocks(a.Text("filename"), content)
	case typ == "selected_lines_in_ide":
		return textBlocks(session.Block{Kind: session.BlockFile, Name: a.Text("filename"), Text: a.Text("content")})
	case typ == "directory":
		return textBlocks(session.Block{Kind: session.BlockOutput, Text: a.Text("content")})
	case typ == "edited_text_file":
		return textBlocks(session.Block{Kind: session.BlockOutput, Text: a.Text("snippet")})
	case strings.HasPrefix(typ, "hook_"):
		return hookBlocks(a)
	}
	return nil
}

// fileBlocks returns the content of an attached file: its text, or its image.
func fileBlocks(name string, content jsonl.Object) []session.Block {
	file := jsonl.ObjectFields(content.Get("file"))
	switch {
	case content.Text("type") == "image" && file.Text("base64") == "": // left out of a copy
		return []session.Block{{Kind: session.BlockImage, Name: file.Text("type"), Text: "is not in the file"}}
	case content.Text("type") == "image":
		return []session.Block{session.NewImageBlock(file.Text("type"), file.Text("base64"))}
	}
	return textBlocks(session.Block{Kind: session.BlockFile, Name: name, Text: file.Text("content")})
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
