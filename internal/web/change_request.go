package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxFormBytes is how many bytes a form may have.
const maxFormBytes = 1 << 20

// changeAction is one way to change a session: a dialog that asks, and the deed.
type changeAction struct {
	name string
	// dialog makes the dialog, with what the form holds already.
	dialog func(c *changeRequest) (components.Dialog, error)
	apply  func(c *changeRequest) (components.ChangeResultModel, error)
	// previewLines are what would be appended; nil where the dialog shows none that change
	// with its form.
	previewLines func(c *changeRequest) ([]session.Line, error)
}

// changeActions are all of them, each at its own address below a session.
var changeActions = []changeAction{
	labelAction, branchAction, popAction, switchAction, forkAction, renameAction, migrateAction,
	cherryPickAction, mergeAction, repairAction, endLineAction,
}

// addChangeRoutes are the routes that change sessions. Those that only ask go through
// compression; the others answer as they go.
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

// requireWritable refuses every change when the explorer only reads, and bounds what is
// read of the others.
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

// changeRequest is a request to change a session.
type changeRequest struct {
	s         *Server
	r         *http.Request
	ctx       context.Context // ends with the request and with the server
	sess      *store.Session
	form      url.Values
	submitted bool // the form was sent: what it holds is what the reader typed
	alert     *components.Alert
	progress  func(string)
}

// showChangeDialog answers the dialog of an action: a page, or with part=dialog the form
// alone.
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

// submitChange does what a form asks for. What comes of it is a toast for script and a
// way back for others; when nothing was written, the dialog once more.
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

// withChangeForm hands on what a form says of a session. It ends with the server.
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

// formError words an error of reading a form.
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

// requestedPart says which part of a page script wants, "" is the whole.
func (c *changeRequest) requestedPart() string { return c.r.URL.Query().Get("part") }

// renderDialog draws the dialog of an action.
func (c *changeRequest) renderDialog(w http.ResponseWriter, a changeAction, status int) error {
	m, err := a.dialog(c)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	return c.s.renderComponent(w, c.r, status, dialogComponent(m, c.requestedPart() != ""))
}

// renderDone answers what came of a change.
func (c *changeRequest) renderDone(w http.ResponseWriter, m components.ChangeResultModel) error {
	if c.requestedPart() != "" {
		return c.s.renderComponent(w, c.r, http.StatusOK, components.ChangeResult(m))
	}
	to := m.Go
	if to == "" {
		to = "/sessions/" + c.sess.Key() // it may be another one by now
		if c.entryID() != "" {
			to += "?entry=" + url.QueryEscape(c.entryID())
		}
	}
	http.Redirect(w, c.r, to, http.StatusSeeOther)
	return nil
}

// renderRefusal shows the dialog once more with what was typed, and why nothing was
// written. What the dialog cannot mend is an error like any other.
func (c *changeRequest) renderRefusal(w http.ResponseWriter, a changeAction, err error) error {
	alert, ok := alertForError(err, a.name)
	if !ok || c.requestedPart() == "" && !wantsHTML(c.r) {
		return err
	}
	c.alert = &alert
	return c.renderDialog(w, a, problemForError(err).status)
}

// renderLinePreview answers the lines that the form would append.
func (c *changeRequest) renderLinePreview(w http.ResponseWriter, a changeAction) error {
	if a.previewLines == nil {
		return fmt.Errorf("%w: %s has no lines to show", session.ErrInvalid, a.name)
	}
	lines, err := a.previewLines(c)
	if err != nil {
		return err
	}
	var m components.LinesModel
	c.withChangeView(func(v view.ChangeView) { m = c.s.builder.LinePreview(v, a.name, lines) })
	return c.s.renderComponent(w, c.r, http.StatusOK, components.ChangeLines(&m))
}

// withChangeView calls fn with the session as dialogs see it, its tree locked.
func (c *changeRequest) withChangeView(fn func(v view.ChangeView)) {
	v := view.ChangeView{
		Page: c.s.pageModel(c.r, ""), Key: c.sess.Key(), File: c.sess.Path(), Can: c.sess.Capabilities(), Live: c.sess.IsLive(), Alert: c.alert, Redact: c.s.redactText,
	}
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		v.Tree = t
		fn(v)
	})
}

// buildDialog makes a dialog about the session.
func (c *changeRequest) buildDialog(build func(v view.ChangeView) components.Dialog) (m components.Dialog) {
	c.withChangeView(func(v view.ChangeView) { m = build(v) })
	return m
}

// beforeFirstEntry stands in forms for the place before the first entry.
const beforeFirstEntry = "none"

// entryID is the id that the form names, "" when it names none, or the place before
// the first entry.
func (c *changeRequest) entryID() string {
	if id := c.form.Get("entry"); id != beforeFirstEntry {
		return id
	}
	return ""
}

// requireEntry wants the form to name an entry of the session.
func (c *changeRequest) requireEntry() (id string, err error) {
	id = c.entryID()
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		if t.FindID(id) == session.NoPos {
			err = fmt.Errorf("%w: %q", view.ErrNoEntry, id)
		}
	})
	return id, err
}

// seenState is what the reader looked at, as the form tells it.
func (c *changeRequest) seenState() (seen store.Precondition) {
	if c.form.Has("seen-leaf") {
		seen.HasLeaf, seen.Leaf = true, c.form.Get("seen-leaf")
		if seen.Leaf == beforeFirstEntry {
			seen.Leaf = ""
		}
	}
	if c.form.Has("seen-label") {
		seen.HasLabel, seen.Label = true, c.form.Get("seen-label")
	}
	return seen
}

// submittedField is a field of a form that was sent, nil when none was.
func (c *changeRequest) submittedField(field string) *string {
	if !c.submitted {
		return nil
	}
	v := c.formText(field)
	return &v
}

// formText is a field with the line ends that forms change put back.
func (c *changeRequest) formText(field string) string {
	return strings.TrimSpace(strings.ReplaceAll(c.form.Get(field), "\r\n", "\n"))
}
