package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// sharing are the routes by which links are made, listed and ended; what they lead
// to is in readers.
func (s *Server) sharing(r chi.Router, zip func(http.Handler) http.Handler) {
	if s.shares == nil {
		off := s.serve(func(http.ResponseWriter, *http.Request) error { return errNoShares })
		r.Handle("/sessions/{key}/shares", off)
		r.Handle("/shares", off)
		return
	}
	r.Group(func(r chi.Router) {
		r.Use(zip)
		r.Get("/sessions/{key}/shares", s.serve(s.shareAsked))
		r.Get("/shares", s.serve(s.shareList))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.writable)
		r.Post("/sessions/{key}/shares", s.serve(s.sharePosted))
		r.Post("/shares/{id}/revoke", s.serve(s.shareEnded(s.shares.Revoke, "The link is revoked.")))
		r.Post("/shares/{id}/forget", s.serve(s.shareEnded(s.shares.Forget, "The link is off the list.")))
	})
}

// shareAsked answers the dialog. Nothing is made before its form is sent.
func (s *Server) shareAsked(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.session(r)
	if err != nil {
		return err
	}
	c := &changing{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	if c.form.Has("preview") {
		return c.sharePreview(w)
	}
	return c.shareDialog(w, http.StatusOK)
}

// shareDialog draws the dialog with what its form holds.
func (c *changing) shareDialog(w http.ResponseWriter, status int) error {
	a, err := shareAsk(c.form)
	if err != nil {
		return err
	}
	part, sh, err := c.choose(&a)
	if err != nil {
		return err
	}
	c.nameShare(&a, sh.Kept)
	if sh.Found, err = c.secrets(c.shareOptions(a, part), sh.Refused == ""); err != nil {
		return err
	}
	var m components.ShareModel
	c.look(func(v view.Change) { m = c.s.builder.Share(v, a, sh) })
	w.Header().Set("Cache-Control", keepNot)
	if c.part() != "" {
		return c.s.render(w, c.r, status, components.ShareForm(m))
	}
	return c.s.render(w, c.r, status, components.SharePage(m))
}

// nameShare sets the title where nobody chose one. The session's name is none that
// somebody chose: the form had it while names were shown.
func (c *changing) nameShare(a *view.ShareAsk, kept []session.Pos) {
	name := ""
	c.sess.Read(func(t *session.Tree, _ store.Rev) { name = t.Header().Name })
	if !c.form.Has("name") || !a.Names && name != "" && a.Name == view.CutTitle(c.s.mask(name)) {
		a.Name = c.sharedName(kept, a.Names)
	}
}

// sharedName returns what a reader's page is called unless somebody says otherwise:
// the session's name, if names are shown, or the first prompt, both redacted.
func (c *changing) sharedName(kept []session.Pos, names bool) string {
	var name string
	prompt := session.NoPos
	c.sess.Read(func(t *session.Tree, _ store.Rev) { name, prompt = view.ShareTitle(t, kept, names) })
	if prompt != session.NoPos {
		body, err := c.sess.Body(c.ctx, prompt)
		if err != nil {
			return "" // the snapshot names itself
		}
		for _, b := range body.Blocks {
			if b.Kind == session.BlockText {
				name += b.Text + " "
			}
		}
	}
	return view.CutTitle(c.s.mask(name))
}

// mask replaces all that should not be told.
func (s *Server) mask(text string) string {
	if s.redactor == nil {
		return text
	}
	all := map[string]bool{}
	for _, class := range export.Classes() {
		all[class] = true
	}
	text, _ = s.redactor.Replace(text, all)
	return text
}

// sharePosted makes a link and shows it.
func (s *Server) sharePosted(w http.ResponseWriter, r *http.Request) error {
	return s.withForm(w, r, func(c *changing) error {
		m, err := c.share()
		if err != nil {
			return c.notShared(w, err)
		}
		if c.part() != "" {
			return s.render(w, r, http.StatusOK, components.SharedPanel(m))
		}
		return s.render(w, r, http.StatusOK, components.SharedPage(m))
	})
}

// share makes a link.
func (c *changing) share() (m components.SharedModel, err error) {
	a, err := shareAsk(c.form)
	if err != nil {
		return m, err
	}
	part, known, err := c.sharing(&a)
	c.nameShare(&a, known.Kept)
	if err == nil && len(known.Parts) == 0 {
		err = errNothing
	}
	if err != nil {
		return m, err
	}
	token, made, err := c.s.shares.Create(c.ctx, share.Request{
		Session: c.sess, Title: a.Name, Note: a.Note, By: a.By, Keep: keep(a), Live: a.Live, Names: a.Names,
		Options: c.shareOptions(a, part),
	})
	if err != nil {
		return m, err
	}
	c.s.keeper.changed()
	base, local := c.s.linkBase(c.r)
	sh := view.Shared{Entry: a.Entry, Title: made.Title, Link: base + "/share/" + token, Expires: made.Expires, Live: made.Live, Local: local, Values: values(made), Now: c.s.now()}
	if !local {
		sh.Code = code(sh.Link)
	}
	c.look(func(v view.Change) { m = c.s.builder.Shared(v, sh) })
	return m, nil
}

// values counts what was replaced in a share.
func values(sh share.Share) (n int) {
	for _, c := range sh.Redacted {
		n += c.Count
	}
	return n
}

// notShared shows the dialog once more with what was typed, and why there is no
// link.
func (c *changing) notShared(w http.ResponseWriter, err error) error {
	alert, ok := alertOf(err, "shares")
	if !ok || c.part() == "" && !wantsPage(c.r) {
		return err
	}
	alert.Text = strings.Replace(alert.Text, "Nothing was written.", "Nothing was shared.", 1)
	c.alert = &alert
	if c.shareDialog(w, problemOf(err).status) != nil { // what is asked for makes no dialog
		return err
	}
	return nil
}
