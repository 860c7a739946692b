package claude

import "sessiontree/internal/session"

// sentAs is the form in which the model receives a line.
type sentAs uint8

const (
	notSent              sentAs = iota
	sentUserText                // a text of role user
	sentResult                  // tool results
	sentAnswer                  // one block of an answer
	sentFailure                 // a note of Claude Code that a request failed: not sent, but reminders stay below it
	sentReminder                // a reminder in the user's turn
	sentSeparateReminder        // a reminder that is never merged into a tool result
	sentSystemReminder          // a reminder with role system
	sentQueuedPrompt            // a prompt that the user queued while the agent was working
)

// contextFacts are the facts of a line that affect the context beyond its own message. Few lines
// have any.
type contextFacts struct {
	model     string           // of an attachment: the model used from here on
	preserved preservedSegment // of a compaction: what it preserves
	messages  int              // of a request: its number of messages
}

// preservedSegment names the messages that a compaction preserves: by their ids in order or, in
// older versions, by the first and the last of them.
type preservedSegment struct {
	anchor     string // the message that they follow, the summary
	messages   []string
	head, tail string
}

// readSentAs sets the form in which the model receives the line.
func (l *line) readSentAs(e *session.Entry, x *facts) {
	switch {
	case !x.hasID || l.transcriptOnly && !l.isCompactSummary:
	case l.typ.Is("attachment"):
		x.sentAs = l.reminderSentAs()
		if model := l.attachment.model.Text(); model != "" {
			x.contextFacts = &contextFacts{model: model}
		}
	case l.typ.Is("assistant"):
		x.sentAs = sentAnswer
		if l.apiError {
			x.sentAs = sentFailure
		}
	case l.typ.Is("user"):
		x.sentAs = l.message.userSentAs()
	case x.Boundary:
		x.contextFacts = &contextFacts{preserved: l.compact.preservedMessages()}
	case l.subtype.Is("local_command") && !l.content.IsBlank():
		x.sentAs = sentUserText
	}
}

// reminderSentAs returns how an attachment is sent. The line records the role it was rendered for.
func (l *line) reminderSentAs() sentAs {
	switch {
	case !l.hasRendered:
		return notSent
	case l.attachment.byHand:
		return sentQueuedPrompt
	case l.renderedRole.Is("system"):
		return sentSystemReminder
	case l.besideResult:
		return sentSeparateReminder
	}
	return sentReminder
}

func (m *message) userSentAs() sentAs {
	if m.hasBlock("tool_result") {
		return sentResult
	}
	if m.hasText() {
		return sentUserText
	}
	for i := range m.blocks {
		if !m.blocks[i].typ.Is("text") {
			return sentUserText
		}
	}
	return notSent
}

func (m *compactMetadata) preservedMessages() preservedSegment {
	p := preservedSegment{anchor: m.anchor.Text(), head: m.head.Text(), tail: m.tail.Text()}
	for _, v := range m.messages {
		p.messages = append(p.messages, v.Text())
	}
	return p
}
