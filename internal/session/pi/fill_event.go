package pi

import (
	"bytes"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// fillEvent fills a metadata entry of oh-my-pi, which is shown by its type and one text.
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

// fillServiceTier shows the tier of each provider: "anthropic priority".
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

// fillModelUsage fills a request outside the conversation with its purpose and model.
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

// fillInjectedRules fills an entry with the names of the injected rules.
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
