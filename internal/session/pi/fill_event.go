package pi

import (
	"bytes"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// fillEvent makes bookkeeping of oh-my-pi that is shown by its type and one text.
func (l *line) fillEvent(e *session.Entry, text jsonl.Value) {
	e.Kind = session.KindEvent
	l.pack.packRow(&e.Name, text, maxPreview)
}

func (l *line) fillSessionInit(e *session.Entry) {
	if l.agent.IsString() {
		l.fillEvent(e, l.agent)
		return
	}
	l.fillEvent(e, l.task)
}

// fillServiceTier shows which provider has which tier: "anthropic priority".
func (l *line) fillServiceTier(e *session.Entry) {
	e.Kind = session.KindEvent
	if l.tier.Kind() != '{' {
		e.Name = "none"
		if l.tier.IsString() {
			l.fillEvent(e, l.tier)
		}
		return
	}
	from := len(l.pack.buf)
	c := jsonl.NewCursor(l.tier.Raw)
	for ok := c.EnterObject(); ok; ok = c.More() {
		if len(l.pack.buf) > from {
			l.pack.buf = append(l.pack.buf, ", "...)
		}
		l.pack.buf = append(append(l.pack.buf, bytes.ToValidUTF8(c.Key(), []byte("\uFFFD"))...), ' ')
		l.pack.buf = jsonl.AppendText(l.pack.buf, c.Value(), maxPreview)
	}
	l.pack.packSince(&e.Name, from)
}

// fillModelUsage is a request beside the conversation: what it was for, by which
// model.
func (l *line) fillModelUsage(e *session.Entry) {
	e.Kind, e.Details.Cost = session.KindEvent, l.cost
	l.pack.packText(&e.Details.Provider, l.provider, maxName)
	from := len(l.pack.buf)
	l.pack.buf = jsonl.AppendText(l.pack.buf, l.purpose, maxPreview)
	if len(l.pack.buf) > from && l.model.IsString() {
		l.pack.buf = append(l.pack.buf, ", "...)
	}
	l.pack.buf = jsonl.AppendText(l.pack.buf, l.model, maxName)
	l.pack.packSince(&e.Name, from)
}

// fillInjectedRules lists the rules that were injected.
func (l *line) fillInjectedRules(e *session.Entry) {
	e.Kind = session.KindEvent
	from := len(l.pack.buf)
	c := jsonl.NewCursor(l.rules.Raw)
	for ok := c.EnterArray(); ok; ok = c.More() {
		if len(l.pack.buf) > from {
			l.pack.buf = append(l.pack.buf, ", "...)
		}
		l.pack.buf = jsonl.AppendText(l.pack.buf, c.Value(), maxPreview)
	}
	l.pack.packSince(&e.Name, from)
}
