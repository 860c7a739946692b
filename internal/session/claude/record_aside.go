package claude

import (
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// aside makes entries of lines that are no messages.
func (l *line) aside(e *session.Entry, x *facts) {
	e.Kind = session.KindEvent
	switch e.Role {
	case "attachment":
		l.attached(e)
	case "progress":
		e.Name = named(l.progress.typ, l.progress.hook)
	case "summary":
		x.summary, x.leaf = l.summary.Text(), l.leaf.Text()
		e.Name = short(l.summary, maxPreview)
	case "ai-title":
		x.aiTitle = short(l.title, maxPreview)
		e.Name = x.aiTitle
	case "custom-title":
		x.title, x.titled = short(l.title, maxPreview), true
		e.Name = x.title
	case "last-prompt":
		x.leaf = l.leaf.Text()
		e.Name = short(l.prompt, maxPreview)
	case "queue-operation":
		e.Name = named(l.operation, l.content)
	case "permission-mode", "mode":
		e.Name = l.word(l.mode)
	case "agent-name", "agent-color", "agent-setting":
		e.Name = l.word(l.agent)
	case "pr-link":
		e.Name = word(l.url)
	case "started", "result": // of a journal
		e.Name = word(l.agentID)
	case "file-history-snapshot":
	case "tools-used":
		e.Name = words(l.tools)
	case "cost-state":
		if n, ok := l.cost.Number(); ok {
			e.Name = "$" + strconv.FormatFloat(n, 'f', 2, 64) + " so far"
		}
	default:
		if x.hasID {
			e.Kind = session.KindUnknown
		}
	}
	if !x.hasID {
		e.Flags |= session.FlagMetadata
	}
}

// attached makes an entry of an attachment. What the user wrote while the agent was
// at work is part of the conversation.
func (l *line) attached(e *session.Entry) {
	a := &l.attachment
	if text := short(a.prompt, maxPreview); a.typ.Is("queued_command") && text != "" {
		e.Kind, e.Name, e.Preview = session.KindCustomMessage, "You, meanwhile", text
		e.Flags |= session.FlagText
		return
	}
	about := a.hook
	if !about.IsString() {
		about = a.file
	}
	e.Name = named(a.typ, about)
}

// words joins the strings of a list.
func words(list jsonl.Value) string {
	var all []string
	for _, v := range jsonl.Elements(list) {
		all = append(all, word(v))
	}
	return cut(strings.Join(all, ", "), maxPreview)
}

// spaced writes "hook_success" as "hook success".
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// named is a type and what it is about.
func named(typ, about jsonl.Value) string {
	name, rest := spaced(word(typ)), short(about, maxPreview)
	if rest == "" {
		return name
	}
	return name + ": " + rest
}
