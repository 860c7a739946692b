package claude

import "sessiontree/internal/session"

// sentAs says how the model is sent a line.
type sentAs uint8

const (
	notSent     sentAs = iota
	sentSaid           // a text in the user's name
	sentResult         // what tools returned
	sentAnswer         // one block of an answer
	sentFailure        // an answer that is only the program's word that a request failed: not sent, but reminders stay below it
	sentUser           // a reminder for the user's turn
	sentBeside         // such a one that is never put into a tool's result
	sentSystem         // a reminder from the system
	sentQueued         // a prompt that the user typed while the agent was at work
)

// contextFacts is what few lines say that decides what the model is sent.
type contextFacts struct {
	model     string    // an attachment: the model that is asked from here on
	preserved preserved // a compaction: what it lets stand
	messages  int       // a request: how many it has
}

// preserved names the messages that a compaction lets stand: by their ids in order
// or, in older versions, by the first and the last of them.
type preserved struct {
	anchor     string // they come after this one, the summary
	messages   []string
	head, tail string
}

// context reads how the model is sent the line.
func (l *line) context(e *session.Entry, x *facts) {
	switch {
	case !x.hasID || l.unsent && !l.summarized:
	case l.typ.Is("attachment"):
		x.sent = l.reminder()
		if model := l.attachment.model.Text(); model != "" {
			x.contextFacts = &contextFacts{model: model}
		}
	case l.typ.Is("assistant"):
		x.sent = sentAnswer
		if l.apiError {
			x.sent = sentFailure
		}
	case l.typ.Is("user"):
		x.sent = l.message.sentByUser()
	case x.boundary:
		x.contextFacts = &contextFacts{preserved: l.compact.stand()}
	case l.subtype.Is("local_command") && !l.content.Blank():
		x.sent = sentSaid
	}
}

// reminder tells how an attachment is sent: as it was rendered when it was.
func (l *line) reminder() sentAs {
	switch {
	case !l.rendered:
		return notSent
	case l.attachment.byHand:
		return sentQueued
	case l.renderedRole.Is("system"):
		return sentSystem
	case l.beside:
		return sentBeside
	}
	return sentUser
}

func (m *message) sentByUser() sentAs {
	if m.has("tool_result") {
		return sentResult
	}
	if m.spoken() {
		return sentSaid
	}
	for i := range m.blocks {
		if !m.blocks[i].typ.Is("text") {
			return sentSaid
		}
	}
	return notSent
}

func (m *compact) stand() preserved {
	p := preserved{anchor: m.anchor.Text(), head: m.head.Text(), tail: m.tail.Text()}
	for _, v := range m.messages {
		p.messages = append(p.messages, v.Text())
	}
	return p
}
