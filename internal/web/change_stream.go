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

// progressLine is one line of a streamed response: progress of the change, or at the end
// its result.
type progressLine struct {
	Progress string `json:"progress,omitempty"`
	Status   int    `json:"status,omitempty"`
	HTML     string `json:"html,omitempty"`
	Text     string `json:"text,omitempty"`
}

// progressWriter writes progressLines to a response until the result is written.
type progressWriter struct {
	mu       sync.Mutex
	w        http.ResponseWriter
	finished bool
}

func (t *progressWriter) writeLine(line progressLine) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.finished {
		return
	}
	t.finished = line.Status != 0
	_ = json.NewEncoder(t.w).Encode(line) // the client may be gone
	_ = http.NewResponseController(t.w).Flush()
}

// streamChange applies a change and streams its progress. It stops when the client
// disconnects.
func (c *changeRequest) streamChange(w http.ResponseWriter, a changeAction) error {
	w.Header().Set("Content-Type", "application/x-ndjson")
	t := &progressWriter{w: w}
	t.writeLine(progressLine{Progress: "Asking the summarizer…"})
	c.progress = func(text string) { t.writeLine(progressLine{Progress: text}) }
	done, err := a.apply(c)
	if err == nil {
		return t.writeOutcome(c, http.StatusOK, components.ChangeResult(done))
	}
	if errors.Is(err, context.Canceled) && c.ctx.Err() != nil {
		return nil
	}
	p := problemForError(err)
	alert, ok := alertForError(err, a.name)
	if !ok {
		if p.err == nil {
			c.h.log.Error("request failed", "path", c.r.URL.Path, "err", err)
		}
		t.writeLine(progressLine{Status: p.status, Text: p.title + ". " + p.text})
		return nil
	}
	c.alert = &alert
	m, err := a.dialog(c)
	if err != nil {
		t.writeLine(progressLine{Status: p.status, Text: alert.Strong + " " + alert.Text})
		return nil
	}
	return t.writeOutcome(c, p.status, dialogComponent(m, true))
}

func (t *progressWriter) writeOutcome(c *changeRequest, status int, what templ.Component) error {
	var b bytes.Buffer
	if err := what.Render(c.ctx, &b); err != nil {
		return err
	}
	t.writeLine(progressLine{Status: status, HTML: b.String()})
	return nil
}
