package web

import (
	"net/http"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/qrcode"
	"sessiontree/internal/web/view/dialog"
	"sessiontree/web/components"
)

// shareHandlers serve the dialog that creates shares, and their list.
type shareHandlers struct {
	*dialogHandlers
	shares    *share.Shares
	shareBase string // start of links; "" uses the address that the browser requested
	servesTLS bool
}

// shareRequest is a request to share a part of a session.
type shareRequest struct {
	*changeRequest
	shares *shareHandlers
}

// showShareForm serves the dialog that creates a share, or the preview.
func (h *shareHandlers) showShareForm(w http.ResponseWriter, r *http.Request) error {
	sess, err := h.openSession(r)
	if err != nil {
		return err
	}
	c := &shareRequest{&changeRequest{h: h.dialogHandlers, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}, h}
	if c.form.Has("preview") {
		return c.sendSharePreview(w)
	}
	return c.renderShareForm(w, http.StatusOK)
}

// renderShareForm renders the dialog, filled in from the form.
func (c *shareRequest) renderShareForm(w http.ResponseWriter, status int) error {
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
	c.withChangeView(func(v dialog.ChangeView) { m = v.ShareDialog(a, sh) })
	w.Header().Set("Cache-Control", cacheNever)
	if c.requestedPart() != "" {
		return c.h.renderComponent(w, c.r, status, components.ShareForm(m))
	}
	return c.h.renderComponent(w, c.r, status, components.SharePage(m))
}

// setShareTitle sets the default title unless the user chose one. The session's name does
// not count as chosen if names are hidden: the form filled it in while they were shown.
func (c *shareRequest) setShareTitle(a *dialog.ShareForm, positions []session.Pos) {
	name := ""
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) { name = t.Header().Name })
	if !c.form.Has("name") || !a.ShowNames && name != "" && a.Name == dialog.CutTitle(c.h.redactText(name)) {
		a.Name = c.defaultShareTitle(positions, a.ShowNames)
	}
}

// defaultShareTitle returns the redacted session name if names are shown, otherwise the
// redacted first prompt.
func (c *shareRequest) defaultShareTitle(positions []session.Pos, names bool) string {
	var name string
	prompt := session.NoPos
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) { name, prompt = dialog.ShareTitle(t, positions, names) })
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
	return dialog.CutTitle(c.h.redactText(name))
}

// redactText replaces all sensitive values.
func (h *dialogHandlers) redactText(text string) string {
	if h.redactor == nil {
		return text
	}
	all := map[string]bool{}
	for _, class := range export.Classes() {
		all[class] = true
	}
	text, _ = h.redactor.RedactText(text, all)
	return text
}

// submitShare creates a share and shows its link.
func (h *shareHandlers) submitShare(w http.ResponseWriter, r *http.Request) error {
	return h.withChangeForm(w, r, func(change *changeRequest) error {
		c := &shareRequest{change, h}
		m, err := c.createShare()
		if err != nil {
			return c.renderShareRefusal(w, err)
		}
		if c.requestedPart() != "" {
			return h.renderComponent(w, r, http.StatusOK, components.CreatedSharePanel(m))
		}
		return h.renderComponent(w, r, http.StatusOK, components.CreatedSharePage(m))
	})
}

// createShare creates a share.
func (c *shareRequest) createShare() (m components.CreatedShareModel, err error) {
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
	token, made, err := c.shares.shares.Create(c.ctx, share.Request{
		Session: c.sess, Title: a.Name, Note: a.Note, SharedBy: a.SharedBy, Lifetime: linkLifetime(a), Live: a.Live, ShowNames: a.ShowNames,
		Options: c.shareExportOptions(a, part),
	})
	if err != nil {
		return m, err
	}
	c.shares.follower.CheckShares()
	base, local := c.shares.shareLinkBase(c.r)
	sh := dialog.CreatedShare{Entry: a.Entry, Title: made.Title, Link: base + "/share/" + token, Expires: made.Expires, Live: made.Live, Local: local, Redacted: countRedacted(made), Now: c.h.now()}
	if !local {
		sh.QRCode = qrcode.NewModel(sh.Link)
	}
	c.withChangeView(func(v dialog.ChangeView) { m = v.CreatedShareModel(sh) })
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
func (c *shareRequest) renderShareRefusal(w http.ResponseWriter, err error) error {
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
