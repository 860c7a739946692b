package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/htmlexport"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/dialog"
	"sessiontree/web/components"
	"sessiontree/web/static"
)

// chooseSharePart is previewShare that also checks whether the part can be shared. If the
// form names no part, it chooses the first that can.
func (c *shareRequest) chooseSharePart(a *dialog.ShareForm) (part export.Part, sh dialog.SharePreview, err error) {
	chosen := a.Scope != ""
	if part, sh, err = c.previewShare(a); err == nil {
		sh.Refused, err = c.shareRefusal(*a, part, sh)
	}
	if err != nil || sh.Refused == "" || chosen {
		return part, sh, err
	}
	for _, p := range sh.Parts {
		other := *a
		other.Scope = p.Scope
		part, sh, err := c.previewShare(&other)
		if err == nil {
			sh.Refused, err = c.shareRefusal(other, part, sh)
		}
		if err != nil || sh.Refused == "" {
			*a = other
			return part, sh, err
		}
	}
	return part, sh, nil
}

// previewShare returns the part that the form selects and what the dialog shows of it.
func (c *shareRequest) previewShare(a *dialog.ShareForm) (part export.Part, sh dialog.SharePreview, err error) {
	sh.Now = c.h.now()
	_, sh.LocalOnly = c.shares.shareLinkBase(c.r)
	c.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		if a.Entry != "" && t.FindID(a.Entry) == session.NoPos {
			err = fmt.Errorf("%w: %q", view.ErrNoEntry, a.Entry)
			return
		}
		if t.Leaf() == session.NoPos {
			return
		}
		if sh.Parts, err = listShareParts(t, *a); err != nil {
			return
		}
		if a.Scope == "" {
			a.Scope = defaultShareScope(sh.Parts)
		}
		if c.form.Get("of") != a.Scope { // scope of the submitted form, "" the first time
			a.ShowNames = a.Scope == dialog.ShareAll
		}
		if part, err = resolveSharePart(t, *a); err != nil {
			return
		}
		sh.Part = part
		if sh.Positions, err = part.Positions(t); err == nil {
			sh.WithBranches, err = positionsWithBranches(t, *a)
		}
	})
	return part, sh, err
}

// shareRefusal returns why nothing can be shared, or "".
func (c *shareRequest) shareRefusal(a dialog.ShareForm, part export.Part, sh dialog.SharePreview) (string, error) {
	switch {
	case c.h.readOnly:
		return "The explorer was started with --read-only.", nil
	case len(sh.Parts) == 0:
		return errorSentence(errNothingToShare), nil
	}
	_, err := export.Prepare(c.ctx, c.sess, c.shareExportOptions(a, part))
	if errors.Is(err, session.ErrInvalid) {
		return errorSentence(err), nil
	}
	return "", err
}

// errNothingToShare reports a session without entries.
var errNothingToShare = fmt.Errorf("%w: there is nothing to share yet", session.ErrInvalid)

// shareExportOptions returns the export options of the snapshot.
func (c *shareRequest) shareExportOptions(a dialog.ShareForm, part export.Part) export.Options {
	return export.Options{
		Part: part, Kind: export.JSONL, Redactor: c.h.redactor, Classes: a.Redact,
		Omit: omissionsExcept(includedKinds(a.Include)),
	}
}

// positionsWithBranches returns the entries of the part with all branches.
func positionsWithBranches(t *session.Tree, a dialog.ShareForm) ([]session.Pos, error) {
	a.Include = map[string]bool{dialog.IncludeBranches: true}
	p, err := resolveSharePart(t, a)
	if err != nil {
		return nil, err
	}
	return p.Positions(t)
}

// includedKinds returns the kinds that are included.
func includedKinds(include map[string]bool) (all []string) {
	for kind, on := range include {
		if on {
			all = append(all, kind)
		}
	}
	return all
}

// sendSharePreview sends the page that viewers would see. It is built like the snapshot but
// not stored.
func (c *shareRequest) sendSharePreview(w http.ResponseWriter) error {
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
	defer context.AfterFunc(c.h.ctx, cancel)()
	o := c.shareExportOptions(a, part)
	if !a.ShowNames {
		c.sess.ReadTree(func(t *session.Tree, _ store.Revision) { o.HideNames(export.FindNames(t)) })
	}
	o.Kind, o.RenderHTML = export.HTML, htmlexport.NewRenderer(htmlexport.Options{View: c.h.loader.Config, Header: c.sharePreviewHeader(a, len(known.Positions)), Now: c.h.now})
	job, err := export.Prepare(ctx, c.sess, o)
	if err != nil {
		return err
	}
	h := http.Header{}
	h.Set("Content-Type", exportMediaTypes[export.HTML])
	h.Set("Cache-Control", cacheNever)
	h.Set("Content-Security-Policy", static.PagePolicy()+"; frame-ancestors 'none'") // the page contains its script and style
	return c.h.streamExport(ctx, &exportDownload{w: w, header: h}, c.r, job)
}

// sharePreviewHeader returns the header of the previewed page.
func (c *shareRequest) sharePreviewHeader(a dialog.ShareForm, entries int) *components.SnapshotHeader {
	sh := share.Share{Title: a.Name, Note: a.Note, SharedBy: a.SharedBy, Created: c.h.now(), Entries: entries}
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
	return dialog.ShareHeader(c.h.loader.Config, &sh, "", view.ProjectNameOfDir(c.h.redactText(cwd)), format, sh.Created)
}
