package searchall

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
)

// field is one text of an entry.
type field struct {
	role query.Role
	text string
	tool string // RoleInput: name of the tool
	call string // id of the call, if it is in the same entry
}

// listFields returns the texts of an entry that people or models wrote. Bookkeeping has
// none, and neither have images, ids and what a program added to a prompt.
func listFields(e *session.Entry, label string, b *session.Body) []field {
	var fields []field
	add := func(role query.Role, text, tool, call string) {
		if strings.TrimSpace(text) != "" {
			fields = append(fields, field{role, text, tool, call})
		}
	}
	add(query.RoleLabel, label, "", "")
	if e.Kind == session.KindName {
		add(query.RoleLabel, e.SessionName(), "", "")
	}
	own, ok := roleOfKind(e)
	if !ok {
		return fields
	}
	if e.Kind == session.KindShell {
		add(query.RoleInput, e.Preview, e.ShellName(), "")
	}
	for i := range b.Blocks {
		switch block := &b.Blocks[i]; block.Kind {
		case session.BlockThinking:
			add(query.RoleThinking, block.Text, "", "")
		case session.BlockToolCall:
			text := argumentText(block)
			if e.Kind != session.KindShell { // which does not record the name
				text = block.Name + " " + text
			}
			add(query.RoleInput, text, block.Name, block.ID)
		case session.BlockImage, session.BlockInjected:
		default:
			role := own
			if block.ID != "" { // the result of a call in the same entry
				role = query.RoleOutput
			}
			add(role, block.Text, "", block.ID)
		}
	}
	return fields
}

// roleOfKind returns the role of the text of an entry. It reports false for entries without
// text.
func roleOfKind(e *session.Entry) (query.Role, bool) {
	if e.HasFlag(session.FlagMetadata) || e.HasFlag(session.FlagArtifact) {
		return "", false
	}
	switch e.Kind {
	case session.KindUser:
		return query.RolePrompt, true
	case session.KindAssistant, session.KindMessage, session.KindCustomMessage:
		return query.RoleAnswer, true
	case session.KindToolResult, session.KindShell:
		return query.RoleOutput, true
	case session.KindCompaction, session.KindBranchSummary:
		return query.RoleSummary, true
	}
	return "", false
}

// argumentText returns the strings and numbers among the arguments of a call, without
// their keys.
func argumentText(call *session.Block) string {
	var text []string
	call.EachArg(func(arg string, isKey bool) {
		if !isKey {
			text = append(text, arg)
		}
	})
	return strings.Join(text, "\n")
}
