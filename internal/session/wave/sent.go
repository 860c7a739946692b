package wave

import (
	"regexp"
	"strings"

	"sessiontree/internal/session/jsonl"
)

// The text that Wave sends to the model for a recorded message, according to its
// convertMessagesForAPI (August 2026).

// isSent reports whether Wave sends any of the message to the model. It skips lines without a time
// and roles other than user and assistant.
func (l *line) isSent() bool {
	var sends func(*block) bool
	switch {
	case !l.time.IsTruthy():
		return false
	case l.role.Is("user"):
		sends = (*block).isSentByUser
	case l.role.Is("assistant"):
		sends = (*block).isSentByAssistant
	default:
		return false
	}
	for i := range l.blocks {
		if sends(&l.blocks[i]) {
			return true
		}
	}
	return false
}

func (b *block) isSentByUser() bool {
	switch {
	case b.typ.Is("text"):
		return !b.content.IsBlank()
	case b.typ.Is("image"):
		return len(jsonl.ArrayElements(b.images)) > 0
	case b.typ.Is("tool"):
		return b.stage.Is("end") && b.result.IsTruthy()
	}
	return b.typ.Is("task_notification")
}

func (b *block) isSentByAssistant() bool {
	switch {
	case b.typ.Is("text"), b.typ.Is("reasoning"):
		return !b.content.IsBlank()
	case b.typ.Is("tool"):
		return b.isSentAsCall()
	}
	return b.typ.Is("compact")
}

// isSentAsCall reports whether Wave sends the call and the result of a tool block. It omits blocks
// that were saved before they ended. Without a recorded stage, a result means that the call ended.
func (b *block) isSentAsCall() bool {
	ended := b.stage.Is("end") || !b.stage.IsString() && b.result.IsString()
	return ended && b.id.IsTruthy()
}

// sentText returns the text that the model receives for a text block.
func (b *bodyBuilder) sentText(o jsonl.Object) string {
	content, custom := o.Get("content"), o.Get("customCommandContent")
	switch {
	case content.IsBlank():
		return ""
	case b.user && custom.IsString():
		return custom.Text()
	}
	return content.Text()
}

var ansiCode = regexp.MustCompile("\x1b" + `\[[0-9;]*[a-zA-Z]`)

// sentResult returns the text that the model receives for a tool block's result. In a message of
// role user it is the output of a command.
func (b *bodyBuilder) sentResult(o jsonl.Object) string {
	text := ansiCode.ReplaceAllString(o.Text("result"), "")
	switch {
	case !b.user:
		return text
	case text == "" || !o.Get("stage").Is("end"):
		return ""
	}
	return "<local-command-stdout>\n" + text + "\n</local-command-stdout>"
}

// taskNotice returns the text that the model receives for a task notification.
func taskNotice(o jsonl.Object) string {
	var b strings.Builder
	add := func(tag, key string) { b.WriteString("<" + tag + ">" + o.Text(key) + "</" + tag + ">\n") }
	b.WriteString("<task-notification>\n")
	add("task-id", "taskId")
	add("task-type", "taskType")
	if o.Text("outputFile") != "" {
		add("output-file", "outputFile")
	}
	add("status", "status")
	add("summary", "summary")
	b.WriteString("</task-notification>")
	return b.String()
}
