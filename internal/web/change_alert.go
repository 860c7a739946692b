package web

import (
	"errors"
	"strings"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// alertForError returns the alert for a refused change. It reports false for errors that
// the dialog cannot handle.
func alertForError(err error, action string) (components.Alert, bool) {
	a := components.Alert{Kind: "warn", Text: errorSentence(err)}
	var late *store.Refusal
	if !errors.As(err, &late) || !late.Written {
		a.Text += " Nothing was written."
	}
	switch {
	case errors.Is(err, session.ErrConflict):
		a.Strong, a.Resubmit = "File changed on disk.", resubmitTexts[action]
	case errors.Is(err, hook.ErrCancelled):
		a.Strong = "A hook refused the change."
	case errors.Is(err, hook.ErrNoSummarizer), errors.Is(err, hook.ErrFailed):
		a.Kind, a.Strong = "error", "No summary was written."
	case errors.Is(err, session.ErrInvalid), errors.Is(err, session.ErrExists), errors.Is(err, session.ErrReadOnly):
		a.Kind, a.Strong = "error", "This cannot be done."
	default:
		return a, false
	}
	return a, true
}

// resubmitTexts maps an action to the text of the button that submits the form again after
// a conflict.
var resubmitTexts = map[string]string{
	"label": "Reload and keep label", "branch": "Reload and keep text", "pop": "Reload and keep text", "rename": "Reload and keep name",
}

// errorSentence returns an error as a sentence, with a capital letter and a full stop.
func errorSentence(err error) string {
	text := err.Error()
	for _, kind := range []error{session.ErrInvalid, session.ErrConflict, session.ErrReadOnly, session.ErrExists, hook.ErrFailed} {
		text = strings.TrimPrefix(text, kind.Error()+": ")
	}
	if text == "" {
		return ""
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// dialogComponent returns the component of a dialog: the form alone for the script, or a
// page.
func dialogComponent(m components.Dialog, alone bool) templ.Component {
	switch {
	case m.Action == "label" && alone:
		return components.LabelForm(m)
	case m.Action == "label":
		return components.LabelPage(m)
	case alone:
		return components.ChangeForm(m)
	}
	return components.ChangePage(m)
}
