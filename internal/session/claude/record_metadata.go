package claude

import (
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/attachment"
	"sessiontree/internal/session/claude/usage"
	"sessiontree/internal/session/jsonl"
)

// fillMetadata fills the entry of a line that is no message.
func (l *line) fillMetadata(e *session.Entry, x *facts) {
	e.Kind = session.KindEvent
	switch e.Role {
	case "attachment":
		l.fillAttachment(e)
	case "progress":
		e.Name = typeAndSubject(l.progress.typ, l.progress.hook)
	case "summary":
		x.summary, x.leaf = l.summary.Text(), l.leaf.Text()
		e.Name = rowString(l.summary, maxPreview)
	case "ai-title":
		x.aiTitle = rowString(l.title, maxPreview)
		e.Name = x.aiTitle
	case "custom-title":
		x.title, x.titled = rowString(l.title, maxPreview), true
		e.Name = x.title
	case "last-prompt":
		x.leaf = l.leaf.Text()
		e.Name = rowString(l.prompt, maxPreview)
	case "queue-operation":
		e.Name = typeAndSubject(l.operation, l.content)
	case "permission-mode", "mode":
		e.Name = l.internName(l.mode)
	case "agent-name", "agent-color", "agent-setting":
		e.Name = l.internName(l.agent)
	case "pr-link":
		e.Name = shortName(l.url)
	case "started", "result": // lines of a journal
		e.Name = shortName(l.agentID)
	case "file-history-snapshot":
	case "tools-used":
		e.Name = joinNames(l.tools)
	case "cost-state":
		if n, ok := l.cost.Number(); ok {
			e.Name = "$" + strconv.FormatFloat(n, 'f', 2, 64) + " so far"
		}
		e.Details.Charge = usage.ParseTotals(l.modelUsage)
	default:
		if x.hasID {
			e.Kind = session.KindUnknown
		}
	}
	if !x.hasID {
		e.Flags |= session.FlagMetadata
	}
}

// fillAttachment fills the entry of an attachment. A prompt that the user queued is part of the
// conversation.
func (l *line) fillAttachment(e *session.Entry) {
	a := &l.attachment
	if text := rowString(a.prompt, maxPreview); a.typ.Is("queued_command") && text != "" {
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "You, meanwhile", text
		e.Flags |= session.FlagText
		return
	}
	about := a.hook
	if !about.IsString() {
		about = a.file
	}
	typ := shortName(a.typ)
	e.Name = cutRow(attachment.Name(typ, rowString(about, maxPreview)), maxPreview)
	if attachment.IsFromUser(typ) {
		e.Flags |= session.FlagAttached
	}
}

// joinNames joins the strings of a list with commas.
func joinNames(list jsonl.Value) string {
	var all []string
	for _, v := range jsonl.ArrayElements(list) {
		all = append(all, shortName(v))
	}
	return cutRow(strings.Join(all, ", "), maxPreview)
}

// underscoresToSpaces changes "hook_success" to "hook success".
func underscoresToSpaces(name string) string { return strings.ReplaceAll(name, "_", " ") }

// typeAndSubject returns "type: subject", or the type alone if there is no subject.
func typeAndSubject(typ, about jsonl.Value) string {
	name, rest := underscoresToSpaces(shortName(typ)), rowString(about, maxPreview)
	if rest == "" {
		return name
	}
	return name + ": " + rest
}
