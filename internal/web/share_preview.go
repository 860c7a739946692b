package web

import (
	"context"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/onepage"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
	"sessiontree/web/static"
)

// sharePreview shows what readers would see. It is made as the snapshot would be, and
// nothing of it stays.
func (c *changing) sharePreview(w http.ResponseWriter) error {
	a, err := shareAsk(c.form)
	if err != nil {
		return err
	}
	part, known, err := c.sharing(&a)
	if err == nil && len(known.Parts) == 0 {
		err = errNothing
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	defer context.AfterFunc(c.s.ctx, cancel)()
	o := c.shareOptions(a, part)
	if !a.Names {
		c.sess.Read(func(t *session.Tree, _ store.Rev) { o.HideNames(export.NamesOf(t)) })
	}
	o.As, o.Page = export.HTML, onepage.Painter(onepage.Options{View: c.s.builder.Config(), Reader: c.previewed(a, len(known.Kept)), Now: c.s.now})
	job, err := export.Prepare(ctx, c.sess, o)
	if err != nil {
		return err
	}
	h := http.Header{}
	h.Set("Content-Type", exportTypes[export.HTML])
	h.Set("Cache-Control", keepNot)
	h.Set("Content-Security-Policy", static.PagePolicy()+"; frame-ancestors 'none'") // it brings its script and style along
	return c.s.send(ctx, &download{w: w, header: h}, c.r, job)
}

// previewed is what would stand above the path.
func (c *changing) previewed(a view.ShareAsk, entries int) *components.ReaderModel {
	sh := share.Share{Title: a.Name, Note: a.Note, By: a.By, Created: c.s.now(), Entries: entries}
	if k := keep(a); k > 0 {
		sh.Expires = sh.Created.Add(k)
	}
	var cwd, format string
	c.sess.Read(func(t *session.Tree, _ store.Rev) { sh.Of, cwd, format = t.Len(), t.Header().Cwd, t.Header().Format })
	if !a.Names {
		cwd = ""
	}
	return c.s.builder.Reader(&sh, "", view.ProjectOf(c.s.mask(cwd)), format, sh.Created)
}
