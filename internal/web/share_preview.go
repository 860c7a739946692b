package web

import (
	"context"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/htmlexport"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
	"sessiontree/web/static"
)

// sendSharePreview sends the page that viewers would see. It is built like the snapshot but
// not stored.
func (c *changeRequest) sendSharePreview(w http.ResponseWriter) error {
	a, err := parseShareForm(c.form)
	if err != nil {
		return err
	}
	part, known, err := c.previewShare(&a)
	if err == nil && len(known.Parts) == 0 {
		err = errNothingToShare
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	defer context.AfterFunc(c.s.ctx, cancel)()
	o := c.shareExportOptions(a, part)
	if !a.ShowNames {
		c.sess.ReadTree(func(t *session.Tree, _ store.Revision) { o.HideNames(export.FindNames(t)) })
	}
	o.Kind, o.RenderHTML = export.HTML, htmlexport.NewRenderer(htmlexport.Options{View: c.s.loader.Config, Header: c.sharePreviewHeader(a, len(known.Positions)), Now: c.s.now})
	job, err := export.Prepare(ctx, c.sess, o)
	if err != nil {
		return err
	}
	h := http.Header{}
	h.Set("Content-Type", exportMediaTypes[export.HTML])
	h.Set("Cache-Control", cacheNever)
	h.Set("Content-Security-Policy", static.PagePolicy()+"; frame-ancestors 'none'") // the page contains its script and style
	return c.s.streamExport(ctx, &exportDownload{w: w, header: h}, c.r, job)
}

// sharePreviewHeader returns the header of the previewed page.
func (c *changeRequest) sharePreviewHeader(a view.ShareForm, entries int) *components.SnapshotHeader {
	sh := share.Share{Title: a.Name, Note: a.Note, SharedBy: a.SharedBy, Created: c.s.now(), Entries: entries}
	if k := linkLifetime(a); k > 0 {
		sh.Expires = sh.Created.Add(k)
	}
	var cwd, format string
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		sh.SessionEntries, cwd, format = t.Len(), t.Header().Cwd, t.Header().Format
	})
	if !a.ShowNames {
		cwd = ""
	}
	return view.ShareHeader(c.s.loader.Config, &sh, "", view.ProjectNameOfDir(c.s.redactText(cwd)), format, sh.Created)
}
