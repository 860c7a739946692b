// Package keeppage serves the dialog about copies of sessions, and restores their files.
package keeppage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/visit"
	"sessiontree/web/components"
)

// Handlers serve the dialog.
type Handlers struct {
	Keeper   *keep.Keeper // nil if copies cannot be kept
	Library  *store.Library
	Catalog  *catalog.Catalog
	Follower *follow.Follower
	View     view.Config
	Clock    func() time.Time
	ReadOnly bool
	// PageModel returns what all pages have in common.
	PageModel func(r *http.Request, title string) components.Page
	// Render writes a component as a response.
	Render func(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error

	cache stateCache
}

// errNoCopies is returned where copies cannot be kept.
var errNoCopies = fmt.Errorf("%w: copies of sessions cannot be kept here: there is no state directory", session.ErrNotFound)

// maxFormBytes limits the size of the form.
const maxFormBytes = 64 << 10

// ShowDialog serves the dialog as a page, for part=dialog without the page around it, and for
// step=delete the question whether to delete all copies.
func (h *Handlers) ShowDialog(w http.ResponseWriter, r *http.Request) error {
	return h.renderDialog(w, r, http.StatusOK, r.URL.Query().Get("back"), "")
}

// renderDialog renders the dialog with the reason why the last change failed.
func (h *Handlers) renderDialog(w http.ResponseWriter, r *http.Request, status int, back, problem string) error {
	if h.Keeper == nil {
		return errNoCopies
	}
	src, err := h.source(r.Context())
	if err != nil {
		return err
	}
	m := src.Dialog(h.PageModel(r, "Keep sessions"), visit.ListAddress(back))
	m.Problem = problem
	m.AsksDelete = r.URL.Query().Get("step") == "delete" && m.Reason == "" && m.Copies > 0
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Query().Get("part") != "" {
		return h.Render(w, r, status, components.KeepForm(m))
	}
	return h.Render(w, r, status, components.KeepPage(m))
}

// Submit makes the change that the dialog, or the question above the list, requests. It
// redirects to the list.
func (h *Handlers) Submit(w http.ResponseWriter, r *http.Request) error {
	if h.Keeper == nil {
		return errNoCopies
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("%w: the form cannot be read: %w", session.ErrInvalid, err)
	}
	err := h.change(context.WithoutCancel(r.Context()), r)
	h.Changed()
	switch {
	case errors.Is(err, session.ErrInvalid):
		return err
	case err != nil:
		return h.renderDialog(w, r, http.StatusInternalServerError, r.PostForm.Get("back"), view.EscapeInvisible(err.Error())+".")
	}
	http.Redirect(w, r, visit.ListAddress(r.PostForm.Get("back")), http.StatusSeeOther)
	return nil
}

// change makes the change that a form requests.
func (h *Handlers) change(ctx context.Context, r *http.Request) error {
	switch do := r.PostForm.Get("do"); do {
	case "save":
		return h.save(r)
	case "on":
		return h.Keeper.SetOn(true)
	case "not-now":
		return h.Keeper.SetAsked()
	case "pause", "resume":
		return h.Keeper.SetPaused(do == "pause")
	case "delete":
		if _, _, err := h.Keeper.PurgeAll(ctx); err != nil {
			return err
		}
		h.Follower.Rescan(ctx)
		return nil
	default:
		return fmt.Errorf("%w: the dialog has no button %q", session.ErrInvalid, do)
	}
}

// save stores the switch and the limit. It leaves alone what is not changed.
func (h *Handlers) save(r *http.Request) error {
	now, err := h.Keeper.Settings()
	if err != nil {
		return err
	}
	limit, err := strconv.ParseInt(r.PostForm.Get("limit"), 10, 64)
	if err != nil || limit < 1e6 {
		return fmt.Errorf("%w: the limit is a number of bytes", session.ErrInvalid)
	}
	if limit != now.Limit() {
		if err := h.Keeper.SetQuota(limit); err != nil {
			return err
		}
	}
	if on := r.PostForm.Get("on") == "1"; on != now.On {
		return h.Keeper.SetOn(on)
	}
	if now.Asked {
		return nil
	}
	return h.Keeper.SetAsked()
}

// RestoreSession writes the deleted files of a session again. It replaces no file.
func (h *Handlers) RestoreSession(ctx context.Context, path string) error {
	if h.Keeper == nil {
		return errNoCopies
	}
	files, err := h.Keeper.SessionFiles(ctx, path)
	if err != nil {
		return err
	}
	var paths []string
	for _, f := range files {
		if !f.Gone {
			continue
		}
		if err := h.Keeper.RestoreFile(ctx, f.Path, f.Path); err != nil {
			return fmt.Errorf("%s cannot be restored: %w", f.Path, err)
		}
		paths = append(paths, f.Path)
	}
	for _, path := range paths {
		h.Follower.RefreshPath(path)
	}
	h.Catalog.UpdatePaths(ctx, paths...) // so that the list shows it at once
	h.Changed()
	return nil
}
