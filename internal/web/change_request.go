package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/web/view/dialog"
	"sessiontree/web/components"
)

// maxFormBytes limits the size of a form.
const maxFormBytes = 1 << 20

// dialogHandlers serve the dialogs that change and export sessions, and their forms.
type dialogHandlers struct {
	*responder
	*sessionSource
	hooks    *hook.Runner
	redactor export.Redactor
	readOnly bool // refuses every change
	// restore writes the deleted files of the session whose file is at a path again.
	restore func(ctx context.Context, path string) error
}

// changeAction is one way to change a session: its dialog and what the dialog's form does.
type changeAction struct {
	name string
	// dialog returns the dialog, filled in from the form.
	dialog func(c *changeRequest) (components.Dialog, error)
	apply  func(c *changeRequest) (components.ChangeResultModel, error)
	// previewLines returns the lines that would be appended. It is nil for dialogs whose
	// lines do not depend on the form.
	previewLines func(c *changeRequest) ([]session.Line, error)
}

// changeActions lists all actions. The name of each is the last part of its address.
var changeActions = []changeAction{
	labelAction, branchAction, popAction, switchAction, forkAction, renameAction, migrateAction,
	cherryPickAction, mergeAction, repairAction, endLineAction, restoreAction,
}

// requireWritable refuses every change in read-only mode and limits the body of other
// requests.
func (h *dialogHandlers) requireWritable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.readOnly {
			h.writeError(w, r, fmt.Errorf("%w: %s", session.ErrReadOnly, "the explorer was started with --read-only"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
		next.ServeHTTP(w, r)
	})
}

// showChangeDialog returns the handler for the dialog of an action. It responds with a
// page, or with the form alone for part=dialog.
func (h *dialogHandlers) showChangeDialog(a changeAction) errorHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		sess, err := h.openSession(r)
		if err != nil {
			return err
		}
		c := &changeRequest{h: h, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
		return c.renderDialog(w, a, http.StatusOK)
	}
}

// submitChange returns the handler for the form of an action. It responds with a toast for
// the script or a redirect for others. If nothing was written, it responds with the dialog
// again.
func (h *dialogHandlers) submitChange(a changeAction) errorHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return h.withChangeForm(w, r, func(c *changeRequest) error {
			switch c.requestedPart() {
			case "lines":
				return c.renderLinePreview(w, a)
			case "stream":
				return c.streamChange(w, a)
			}
			done, err := a.apply(c)
			if err != nil {
				return c.renderRefusal(w, a, err)
			}
			return c.renderDone(w, done)
		})
	}
}

// withChangeForm calls do with the submitted form. The request's context also ends when the
// server closes.
func (h *dialogHandlers) withChangeForm(w http.ResponseWriter, r *http.Request, do func(c *changeRequest) error) error {
	if err := r.ParseForm(); err != nil {
		return formError(err)
	}
	sess, err := h.openSession(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	w.Header().Set("Cache-Control", cacheNever)
	return do(&changeRequest{h: h, r: r, ctx: ctx, sess: sess, form: r.PostForm, submitted: true})
}

// formError converts an error of parsing a form.
func formError(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return errTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errTooSlow
	}
	return fmt.Errorf("%w: the form cannot be read", session.ErrInvalid)
}

// showEntryActions lists the actions for an entry.
func (h *dialogHandlers) showEntryActions(w http.ResponseWriter, r *http.Request) error {
	sess, err := h.openSession(r)
	if err != nil {
		return err
	}
	c := &changeRequest{h: h, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	id, err := c.requireEntry()
	if err != nil {
		return err
	}
	var m components.ActionsModel
	c.withChangeView(func(v dialog.ChangeView) {
		v.HasRequest = sess.HasRequest(v.Tree, v.Tree.FindID(id))
		m = v.EntryActions(id)
	})
	w.Header().Set("Cache-Control", cacheNever)
	if c.requestedPart() != "" {
		return h.renderComponent(w, r, http.StatusOK, components.ActionsMenu(m))
	}
	return h.renderComponent(w, r, http.StatusOK, components.ActionsPage(m))
}
