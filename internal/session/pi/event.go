package pi

import (
	"bytes"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// event makes bookkeeping of oh-my-pi that is shown by its type and one text.
func (l *line) event(e *session.Entry, text jsonl.Value) {
	e.Kind = session.KindEvent
	l.pack.row(&e.Name, text, maxPreview)
}

func (l *line) sessionInit(e *session.Entry) {
	if l.agent.IsString() {
		l.event(e, l.agent)
		return
	}
	l.event(e, l.task)
}

// serviceTier shows which provider has which tier: "anthropic priority".
func (l *line) serviceTier(e *session.Entry) {
	e.Kind = session.KindEvent
	if l.tier.Kind() != '{' {
		e.Name = "none"
		if l.tier.IsString() {
			l.event(e, l.tier)
		}
		return
	}
	from := len(l.pack.buf)
	c := jsonl.Open(l.tier.Raw)
	for ok := c.Enter(); ok; ok = c.More() {
		if len(l.pack.buf) > from {
			l.pack.buf = append(l.pack.buf, ", "...)
		}
		l.pack.buf = append(append(l.pack.buf, bytes.ToValidUTF8(c.Key(), []byte("\uFFFD"))...), ' ')
		l.pack.buf = jsonl.AppendText(l.pack.buf, c.Value(), maxPreview)
	}
	l.pack.keep(&e.Name, from)
}

// modelUsage is a request beside the conversation: what it was for, by which
// model.
func (l *line) modelUsage(e *session.Entry) {
	e.Kind, e.Cost = session.KindEvent, l.cost
	l.pack.text(&e.Provider, l.provider, maxWord)
	from := len(l.pack.buf)
	l.pack.buf = jsonl.AppendText(l.pack.buf, l.purpose, maxPreview)
	if len(l.pack.buf) > from && l.model.IsString() {
		l.pack.buf = append(l.pack.buf, ", "...)
	}
	l.pack.buf = jsonl.AppendText(l.pack.buf, l.model, maxWord)
	l.pack.keep(&e.Name, from)
}

// injection lists the rules that were injected.
func (l *line) injection(e *session.Entry) {
	e.Kind = session.KindEvent
	from := len(l.pack.buf)
	c := jsonl.Open(l.rules.Raw)
	for ok := c.Elements(); ok; ok = c.More() {
		if len(l.pack.buf) > from {
			l.pack.buf = append(l.pack.buf, ", "...)
		}
		l.pack.buf = jsonl.AppendText(l.pack.buf, c.Value(), maxPreview)
	}
	l.pack.keep(&e.Name, from)
}
