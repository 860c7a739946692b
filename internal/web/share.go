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

// addShareRoutes adds the routes to create, list and revoke shares. The shares themselves
// are served by shareRoutes.
func (s *Server) addShareRoutes(r chi.Router, zip func(http.Handler) http.Handler) {
	if s.shares == nil {
		off := s.handleErrors(func(http.ResponseWriter, *http.Request) error { return errNoShares })
		r.Handle("/sessions/{key}/shares", off)
		r.Handle("/shares", off)
		return
	}
	r.Group(func(r chi.Router) {
		r.Use(zip)
		r.Get("/sessions/{key}/shares", s.handleErrors(s.showShareForm))
		r.Get("/shares", s.handleErrors(s.showShares))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.requireWritable)
		r.Post("/sessions/{key}/shares", s.handleErrors(s.submitShare))
		r.Post("/shares/{id}/revoke", s.handleErrors(s.endShare(s.shares.Revoke, "The link is revoked.")))
		r.Post("/shares/{id}/forget", s.handleErrors(s.endShare(s.shares.Forget, "The link is off the list.")))
	})
}

// showShareForm serves the dialog that creates a share, or the preview.
func (s *Server) showShareForm(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.openSession(r)
	if err != nil {
		return err
	}
	c := &changeRequest{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	if c.form.Has("preview") {
		return c.sendSharePreview(w)
	}
	return c.renderShareForm(w, http.StatusOK)
}

// renderShareForm renders the dialog, filled in from the form.
func (c *changeRequest) renderShareForm(w http.ResponseWriter, status int) error {
	a, err := parseShareForm(c.form)
	if err != nil {
		return err
	}
	part, sh, err := c.chooseSharePart(&a)
	if err != nil {
		return err
	}
	c.setShareTitle(&a, sh.Positions)
	if sh.Findings, err = c.findSecrets(c.shareExportOptions(a, part), sh.Refused == ""); err != nil {
		return err
	}
	var m components.ShareModel
	c.withChangeView(func(v view.ChangeView) { m = v.ShareDialog(a, sh) })
	w.Header().Set("Cache-Control", cacheNever)
	if c.requestedPart() != "" {
		return c.s.renderComponent(w, c.r, status, components.ShareForm(m))
	}
	return c.s.renderComponent(w, c.r, status, components.SharePage(m))
}

// setShareTitle sets the default title unless the user chose one. The session's name does
// not count as chosen if names are hidden: the form filled it in while they were shown.
func (c *changeRequest) setShareTitle(a *view.ShareForm, positions []session.Pos) {
	name := ""
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) { name = t.Header().Name })
	if !c.form.Has("name") || !a.ShowNames && name != "" && a.Name == view.CutTitle(c.s.redactText(name)) {
		a.Name = c.defaultShareTitle(positions, a.ShowNames)
	}
}

// defaultShareTitle returns the redacted session name if names are shown, otherwise the
// redacted first prompt.
func (c *changeRequest) defaultShareTitle(positions []session.Pos, names bool) string {
	var name string
	prompt := session.NoPos
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) { name, prompt = view.ShareTitle(t, positions, names) })
	if prompt != session.NoPos {
		body, err := c.sess.ReadBody(c.ctx, prompt)
		if err != nil {
			return "" // the snapshot derives its own title
		}
		for _, b := range body.Blocks {
			if b.Kind == session.BlockText {
				name += b.Text + " "
			}
		}
	}
	return view.CutTitle(c.s.redactText(name))
}

// redactText replaces all sensitive values.
func (s *Server) redactText(text string) string {
	if s.redactor == nil {
		return text
	}
	all := map[string]bool{}
	for _, class := range export.Classes() {
		all[class] = true
	}
	text, _ = s.redactor.RedactText(text, all)
	return text
}

// submitShare creates a share and shows its link.
func (s *Server) submitShare(w http.ResponseWriter, r *http.Request) error {
	return s.withChangeForm(w, r, func(c *changeRequest) error {
		m, err := c.createShare()
		if err != nil {
			return c.renderShareRefusal(w, err)
		}
		if c.requestedPart() != "" {
			return s.renderComponent(w, r, http.StatusOK, components.CreatedSharePanel(m))
		}
		return s.renderComponent(w, r, http.StatusOK, components.CreatedSharePage(m))
	})
}

// createShare creates a share.
func (c *changeRequest) createShare() (m components.CreatedShareModel, err error) {
	a, err := parseShareForm(c.form)
	if err != nil {
		return m, err
	}
	part, known, err := c.previewShare(&a)
	c.setShareTitle(&a, known.Positions)
	if err == nil && len(known.Parts) == 0 {
		err = errNothingToShare
	}
	if err != nil {
		return m, err
	}
	token, made, err := c.s.shares.Create(c.ctx, share.Request{
		Session: c.sess, Title: a.Name, Note: a.Note, SharedBy: a.SharedBy, Lifetime: linkLifetime(a), Live: a.Live, ShowNames: a.ShowNames,
		Options: c.shareExportOptions(a, part),
	})
	if err != nil {
		return m, err
	}
	c.s.shareUpdater.checkShares()
	base, local := c.s.shareLinkBase(c.r)
	sh := view.CreatedShare{Entry: a.Entry, Title: made.Title, Link: base + "/share/" + token, Expires: made.Expires, Live: made.Live, Local: local, Redacted: countRedacted(made), Now: c.s.now()}
	if !local {
		sh.QRCode = newQRCode(sh.Link)
	}
	c.withChangeView(func(v view.ChangeView) { m = v.CreatedShareModel(sh) })
	return m, nil
}

// countRedacted returns how many values were redacted in a share.
func countRedacted(sh share.Share) (n int) {
	for _, c := range sh.Redacted {
		n += c.Count
	}
	return n
}

// renderShareRefusal renders the dialog again, with the submitted values and the reason why
// nothing was shared.
func (c *changeRequest) renderShareRefusal(w http.ResponseWriter, err error) error {
	alert, ok := alertForError(err, "shares")
	if !ok || c.requestedPart() == "" && !wantsHTML(c.r) {
		return err
	}
	alert.Text = strings.Replace(alert.Text, "Nothing was written.", "Nothing was shared.", 1)
	c.alert = &alert
	if c.renderShareForm(w, problemForError(err).status) != nil { // the form names a part that does not exist
		return err
	}
	return nil
}
