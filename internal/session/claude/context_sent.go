package claude

import "sessiontree/internal/session"

// sentAs says how the model is sent a line.
type sentAs uint8

const (
	notSent              sentAs = iota
	sentUserText                // a text in the user's name
	sentResult                  // what tools returned
	sentAnswer                  // one block of an answer
	sentFailure                 // an answer that is only the program's word that a request failed: not sent, but reminders stay below it
	sentReminder                // a reminder for the user's turn
	sentSeparateReminder        // such a one that is never put into a tool's result
	sentSystemReminder          // a reminder from the system
	sentQueuedPrompt            // a prompt that the user typed while the agent was at work
)

// contextFacts is what few lines say that decides what the model is sent.
type contextFacts struct {
	model     string           // an attachment: the model that is asked from here on
	preserved preservedSegment // a compaction: what it lets stand
	messages  int              // a request: how many it has
}

// preservedSegment names the messages that a compaction lets stand: by their ids in order
// or, in older versions, by the first and the last of them.
type preservedSegment struct {
	anchor     string // they come after this one, the summary
	messages   []string
	head, tail string
}

// readSentAs reads how the model is sent the line.
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
	case x.boundary:
		x.contextFacts = &contextFacts{preserved: l.compact.preservedMessages()}
	case l.subtype.Is("local_command") && !l.content.IsBlank():
		x.sentAs = sentUserText
	}
}

// reminderSentAs tells how an attachment is sent: as it was rendered when it was.
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
