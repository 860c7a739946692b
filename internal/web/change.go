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

// maxForm is how many bytes a form may have.
const maxForm = 1 << 20

// action is one way to change a session: a dialog that asks, and the deed.
type action struct {
	name string
	// ask makes the dialog, with what the form holds already.
	ask func(c *changing) (components.Dialog, error)
	do  func(c *changing) (components.DoneModel, error)
	// lines are what would be appended; nil where the dialog shows none that change
	// with its form.
	lines func(c *changing) ([]session.Line, error)
}

// actions are all of them, each at its own address below a session.
var actions = []action{
	labelAction, branchAction, popAction, switchAction, forkAction, renameAction, migrateAction,
	pickAction, mergeAction, repairAction, endLineAction,
}

// changes are the routes that change sessions. Those that only ask go through
// compression; the others answer as they go.
func (s *Server) changes(r chi.Router, zip func(http.Handler) http.Handler) {
	r.Group(func(r chi.Router) {
		r.Use(zip)
		for _, a := range actions {
			r.Get("/sessions/{key}/"+a.name, s.serve(s.asked(a)))
		}
		r.Get("/sessions/{key}/branches", s.serve(s.branches))
		r.Get("/sessions/{key}/actions", s.serve(s.entryActions))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.writable)
		for _, a := range actions {
			r.Post("/sessions/{key}/"+a.name, s.serve(s.posted(a)))
		}
	})
}

// writable refuses every change when the explorer only reads, and bounds what is
// read of the others.
func (s *Server) writable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.readOnly {
			s.fail(w, r, fmt.Errorf("%w: %s", session.ErrReadOnly, "the explorer was started with --read-only"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		next.ServeHTTP(w, r)
	})
}

// changing is a request to change a session.
type changing struct {
	s        *Server
	r        *http.Request
	ctx      context.Context // ends with the request and with the server
	sess     *store.Session
	form     url.Values
	again    bool // the form was sent: what it holds is what the reader typed
	alert    *components.Alert
	progress func(string)
}

// asked answers the dialog of an action: a page, or with part=dialog the form
// alone.
func (s *Server) asked(a action) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		sess, err := s.session(r)
		if err != nil {
			return err
		}
		c := &changing{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
		return c.answer(w, a, http.StatusOK)
	}
}

// posted does what a form asks for. What comes of it is a toast for script and a
// way back for others; when nothing was written, the dialog once more.
func (s *Server) posted(a action) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return s.withForm(w, r, func(c *changing) error {
			switch c.part() {
			case "lines":
				return c.preview(w, a)
			case "stream":
				return c.stream(w, a)
			}
			done, err := a.do(c)
			if err != nil {
				return c.refused(w, a, err)
			}
			return c.done(w, done)
		})
	}
}

// withForm hands on what a form says of a session. It ends with the server.
func (s *Server) withForm(w http.ResponseWriter, r *http.Request, do func(c *changing) error) error {
	if err := r.ParseForm(); err != nil {
		return badForm(err)
	}
	sess, err := s.session(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	w.Header().Set("Cache-Control", keepNot)
	return do(&changing{s: s, r: r, ctx: ctx, sess: sess, form: r.PostForm, again: true})
}

// badForm words an error of reading a form.
func badForm(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return errTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errTooSlow
	}
	return fmt.Errorf("%w: the form cannot be read", session.ErrInvalid)
}

// part says which part of a page script wants, "" is the whole.
func (c *changing) part() string { return c.r.URL.Query().Get("part") }

// answer draws the dialog of an action.
func (c *changing) answer(w http.ResponseWriter, a action, status int) error {
	m, err := a.ask(c)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", keepNot)
	return c.s.render(w, c.r, status, drawn(m, c.part() != ""))
}

// done answers what came of a change.
func (c *changing) done(w http.ResponseWriter, m components.DoneModel) error {
	if c.part() != "" {
		return c.s.render(w, c.r, http.StatusOK, components.ChangeDone(m))
	}
	to := m.Go
	if to == "" {
		to = "/sessions/" + c.sess.Key() // it may be another one by now
		if c.entry() != "" {
			to += "?entry=" + url.QueryEscape(c.entry())
		}
	}
	http.Redirect(w, c.r, to, http.StatusSeeOther)
	return nil
}

// refused shows the dialog once more with what was typed, and why nothing was
// written. What the dialog cannot mend is an error like any other.
func (c *changing) refused(w http.ResponseWriter, a action, err error) error {
	alert, ok := alertOf(err, a.name)
	if !ok || c.part() == "" && !wantsPage(c.r) {
		return err
	}
	c.alert = &alert
	return c.answer(w, a, problemOf(err).status)
}

// preview answers the lines that the form would append.
func (c *changing) preview(w http.ResponseWriter, a action) error {
	if a.lines == nil {
		return fmt.Errorf("%w: %s has no lines to show", session.ErrInvalid, a.name)
	}
	lines, err := a.lines(c)
	if err != nil {
		return err
	}
	var m components.LinesModel
	c.look(func(v view.Change) { m = c.s.builder.Lines(v, a.name, lines) })
	return c.s.render(w, c.r, http.StatusOK, components.ChangeLines(&m))
}

// look calls fn with the session as dialogs see it, its tree locked.
func (c *changing) look(fn func(v view.Change)) {
	v := view.Change{
		Page: c.s.page(c.r, ""), Key: c.sess.Key(), File: c.sess.Path(), Can: c.sess.Abilities(), Live: c.sess.Live(), Alert: c.alert, Mask: c.s.mask,
	}
	c.sess.Read(func(t *session.Tree, _ store.Rev) {
		v.Tree = t
		fn(v)
	})
}

// draw makes a dialog about the session.
func (c *changing) draw(build func(v view.Change) components.Dialog) (m components.Dialog) {
	c.look(func(v view.Change) { m = build(v) })
	return m
}

// none stands in forms for the place before the first entry.
const none = "none"

// entry is the id that the form names, "" when it names none, or the place before
// the first entry.
func (c *changing) entry() string {
	if id := c.form.Get("entry"); id != none {
		return id
	}
	return ""
}

// known wants the form to name an entry of the session.
func (c *changing) known() (id string, err error) {
	id = c.entry()
	c.sess.Read(func(t *session.Tree, _ store.Rev) {
		if t.Find(id) == session.NoPos {
			err = fmt.Errorf("%w: %q", view.ErrNoEntry, id)
		}
	})
	return id, err
}

// seen is what the reader looked at, as the form tells it.
func (c *changing) seen() (seen store.Seen) {
	if c.form.Has("seen-leaf") {
		seen.HasLeaf, seen.Leaf = true, c.form.Get("seen-leaf")
		if seen.Leaf == none {
			seen.Leaf = ""
		}
	}
	if c.form.Has("seen-label") {
		seen.HasLabel, seen.Label = true, c.form.Get("seen-label")
	}
	return seen
}

// typed is a field of a form that was sent, nil when none was.
func (c *changing) typed(field string) *string {
	if !c.again {
		return nil
	}
	v := c.text(field)
	return &v
}

// text is a field with the line ends that forms change put back.
func (c *changing) text(field string) string {
	return strings.TrimSpace(strings.ReplaceAll(c.form.Get(field), "\r\n", "\n"))
}
