package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxFormBytes limits the size of a form.
const maxFormBytes = 1 << 20

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
	cherryPickAction, mergeAction, repairAction, endLineAction,
}

// addChangeRoutes adds the routes that change sessions. Responses to GET are compressed;
// those to POST may be streamed and are not.
func (s *Server) addChangeRoutes(r chi.Router, zip func(http.Handler) http.Handler) {
	r.Group(func(r chi.Router) {
		r.Use(zip)
		for _, a := range changeActions {
			r.Get("/sessions/{key}/"+a.name, s.handleErrors(s.showChangeDialog(a)))
		}
		r.Get("/sessions/{key}/branches", s.handleErrors(s.showBranches))
		r.Get("/sessions/{key}/actions", s.handleErrors(s.showEntryActions))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.requireWritable)
		for _, a := range changeActions {
			r.Post("/sessions/{key}/"+a.name, s.handleErrors(s.submitChange(a)))
		}
	})
}

// requireWritable refuses every change in read-only mode and limits the body of other
// requests.
func (s *Server) requireWritable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.readOnly {
			s.writeError(w, r, fmt.Errorf("%w: %s", session.ErrReadOnly, "the explorer was started with --read-only"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
		next.ServeHTTP(w, r)
	})
}

// showChangeDialog returns the handler for the dialog of an action. It responds with a
// page, or with the form alone for part=dialog.
func (s *Server) showChangeDialog(a changeAction) errorHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		sess, err := s.openSession(r)
		if err != nil {
			return err
		}
		c := &changeRequest{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
		return c.renderDialog(w, a, http.StatusOK)
	}
}

// submitChange returns the handler for the form of an action. It responds with a toast for
// the script or a redirect for others. If nothing was written, it responds with the dialog
// again.
func (s *Server) submitChange(a changeAction) errorHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return s.withChangeForm(w, r, func(c *changeRequest) error {
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
func (s *Server) withChangeForm(w http.ResponseWriter, r *http.Request, do func(c *changeRequest) error) error {
	if err := r.ParseForm(); err != nil {
		return formError(err)
	}
	sess, err := s.openSession(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	w.Header().Set("Cache-Control", cacheNever)
	return do(&changeRequest{s: s, r: r, ctx: ctx, sess: sess, form: r.PostForm, submitted: true})
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
