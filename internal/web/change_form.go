package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/dialog"
	"sessiontree/web/components"
)

// changeRequest is a request to change a session.
type changeRequest struct {
	h         *dialogHandlers
	r         *http.Request
	ctx       context.Context // ends with the request and with the server
	sess      *store.Session
	form      url.Values
	submitted bool // the form was submitted
	alert     *components.Alert
	progress  func(string)
}

// requestedPart returns the part of a page that the script asks for, "" for the whole page.
func (c *changeRequest) requestedPart() string { return c.r.URL.Query().Get("part") }

// renderDialog renders the dialog of an action.
func (c *changeRequest) renderDialog(w http.ResponseWriter, a changeAction, status int) error {
	m, err := a.dialog(c)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	return c.h.renderComponent(w, c.r, status, dialogComponent(m, c.requestedPart() != ""))
}

// renderDone reports the result of a change.
func (c *changeRequest) renderDone(w http.ResponseWriter, m components.ChangeResultModel) error {
	if c.requestedPart() != "" {
		return c.h.renderComponent(w, c.r, http.StatusOK, components.ChangeResult(m))
	}
	to := m.Go
	if to == "" {
		to = "/sessions/" + c.sess.Key() // the key may have changed
		if c.entryID() != "" {
			to += "?entry=" + url.QueryEscape(c.entryID())
		}
	}
	http.Redirect(w, c.r, to, http.StatusSeeOther)
	return nil
}

// renderRefusal renders the dialog again, with the submitted values and the reason why
// nothing was written. It returns errors that the user cannot fix in the dialog.
func (c *changeRequest) renderRefusal(w http.ResponseWriter, a changeAction, err error) error {
	alert, ok := alertForError(err, a.name)
	if !ok || c.requestedPart() == "" && !wantsHTML(c.r) {
		return err
	}
	c.alert = &alert
	return c.renderDialog(w, a, problemForError(err).status)
}

// renderLinePreview renders the lines that the form would append.
func (c *changeRequest) renderLinePreview(w http.ResponseWriter, a changeAction) error {
	if a.previewLines == nil {
		return fmt.Errorf("%w: %s has no lines to show", session.ErrInvalid, a.name)
	}
	lines, err := a.previewLines(c)
	if err != nil {
		return err
	}
	var m components.LinesModel
	c.withChangeView(func(v dialog.ChangeView) { m = v.LinePreview(a.name, lines) })
	return c.h.renderComponent(w, c.r, http.StatusOK, components.ChangeLines(&m))
}

// withChangeView calls fn with the session as dialogs show it. The tree is locked during
// the call.
func (c *changeRequest) withChangeView(fn func(v dialog.ChangeView)) {
	v := dialog.ChangeView{
		Config: c.h.loader.Config,
		Page:   c.h.pageModel(c.r, ""), Key: c.sess.Key(), File: c.sess.Path(), Can: c.sess.Capabilities(), Live: c.sess.IsLive(), OnHub: c.h.onHub, Alert: c.alert, Redact: c.h.redactText,
		Owned: c.h.catalog.Ledger().Ownership(c.sess.Path()),
	}
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		v.Tree = t
		fn(v)
	})
}

// buildDialog calls build with the session and returns its dialog.
func (c *changeRequest) buildDialog(build func(v dialog.ChangeView) components.Dialog) (m components.Dialog) {
	c.withChangeView(func(v dialog.ChangeView) { m = build(v) })
	return m
}

// entryID returns the entry that the form names. It is "" if the form names none, or the
// place before the first entry.
func (c *changeRequest) entryID() string {
	if id := c.form.Get("entry"); id != view.BeforeFirstEntry {
		return id
	}
	return ""
}

// requireEntry returns the entry that the form names, or an error if it is not in the
// session.
func (c *changeRequest) requireEntry() (id string, err error) {
	id = c.entryID()
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		if t.FindID(id) == session.NoPos {
			err = fmt.Errorf("%w: %q", view.ErrNoEntry, id)
		}
	})
	return id, err
}

// seenState returns the leaf and the label that the user saw, from the form.
func (c *changeRequest) seenState() (seen store.Precondition) {
	if c.form.Has("seen-leaf") {
		seen.HasLeaf, seen.Leaf = true, c.form.Get("seen-leaf")
		if seen.Leaf == view.BeforeFirstEntry {
			seen.Leaf = ""
		}
	}
	if c.form.Has("seen-label") {
		seen.HasLabel, seen.Label = true, c.form.Get("seen-label")
	}
	return seen
}

// submittedField returns a field of a submitted form, or nil if the form was not submitted.
func (c *changeRequest) submittedField(field string) *string {
	if !c.submitted {
		return nil
	}
	v := c.formText(field)
	return &v
}

// formText returns a field with LF line endings. Browsers submit CRLF.
func (c *changeRequest) formText(field string) string {
	return strings.TrimSpace(strings.ReplaceAll(c.form.Get(field), "\r\n", "\n"))
}
