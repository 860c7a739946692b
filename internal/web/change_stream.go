package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/a-h/templ"

	"sessiontree/web/components"
)

// told is a line of an answer that comes while something is done: how far it is,
// or at the end what came of it.
type told struct {
	Progress string `json:"progress,omitempty"`
	Status   int    `json:"status,omitempty"`
	HTML     string `json:"html,omitempty"`
	Text     string `json:"text,omitempty"`
}

// teller writes lines to somebody who waits for them.
type teller struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	over bool
}

func (t *teller) say(line told) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return
	}
	t.over = line.Status != 0
	_ = json.NewEncoder(t.w).Encode(line) // the reader may have left
	_ = http.NewResponseController(t.w).Flush()
}

// stream does what a form asks for and tells how far it is. A reader who leaves
// ends it.
func (c *changing) stream(w http.ResponseWriter, a action) error {
	w.Header().Set("Content-Type", "application/x-ndjson")
	t := &teller{w: w}
	t.say(told{Progress: "Asking the summarizer…"})
	c.progress = func(text string) { t.say(told{Progress: text}) }
	done, err := a.do(c)
	if err == nil {
		return t.end(c, http.StatusOK, components.ChangeDone(done))
	}
	if errors.Is(err, context.Canceled) && c.ctx.Err() != nil {
		return nil
	}
	p := problemOf(err)
	alert, ok := alertOf(err, a.name)
	if !ok {
		if p.err == nil {
			c.s.log.Error("request failed", "path", c.r.URL.Path, "err", err)
		}
		t.say(told{Status: p.status, Text: p.title + ". " + p.text})
		return nil
	}
	c.alert = &alert
	m, err := a.ask(c)
	if err != nil {
		t.say(told{Status: p.status, Text: alert.Strong + " " + alert.Text})
		return nil
	}
	return t.end(c, p.status, drawn(m, true))
}

func (t *teller) end(c *changing, status int, what templ.Component) error {
	var b bytes.Buffer
	if err := what.Render(c.ctx, &b); err != nil {
		return err
	}
	t.say(told{Status: status, HTML: b.String()})
	return nil
}
