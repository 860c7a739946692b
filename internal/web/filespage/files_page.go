// Package filespage serves the files of a session, and the edits of a file in all sessions.
package filespage

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/fileedits"
	"sessiontree/internal/session/filehistory"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/fileviews"
	"sessiontree/web/components"
)

// Handlers serve the pages about files. Viewers of shares have no access to them.
type Handlers struct {
	Library *store.Library
	Catalog *catalog.Catalog
	Loader  *load.Loader
	Clock   func() time.Time
	// ProjectDirs are the directories whose files may be read.
	ProjectDirs []filehistory.ProjectDir
	// FindSession returns the session of a request.
	FindSession func(r *http.Request) (load.SessionView, error)
	// PageModel returns what all pages have in common.
	PageModel func(r *http.Request, title string) components.Page
	// Render writes a component as a response.
	Render func(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error
}

// maxTries limits how often a session is read again that was reloaded meanwhile.
const maxTries = 3

// ShowSessionFiles serves the files of a session.
func (h *Handlers) ShowSessionFiles(w http.ResponseWriter, r *http.Request) error {
	sess, err := h.FindSession(r)
	if err != nil {
		return err
	}
	var m components.FilesModel
	for range maxTries {
		if m, err = h.readSessionFiles(r.Context(), sess, h.PageModel(r, ""), fileviews.ParseParams(r.URL.Query())); !errors.Is(err, session.ErrStale) {
			break
		}
	}
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return h.Render(w, r, http.StatusOK, components.FilesPage(m))
}

// readSessionFiles returns session.ErrStale if the session was reloaded meanwhile.
func (h *Handlers) readSessionFiles(ctx context.Context, sess load.SessionView, page components.Page, p fileviews.Params) (m components.FilesModel, err error) {
	var files *fileviews.SessionFiles
	var epoch uint64
	sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		epoch = rev.Epoch
		var s view.Scene
		if s, err = sess.NewScene(h.Loader.Config, t, rev, view.Params{}, h.Clock()); err == nil {
			files = fileviews.ListSessionFiles(s, p)
		}
	})
	if err != nil {
		return m, err
	}
	edits, err := fileedits.Read(ctx, sess.Session, epoch, files.EditCalls(), filediff.Edits{Home: h.Loader.Config.Home})
	if err != nil {
		return m, err
	}
	sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		if rev.Epoch != epoch {
			err = session.ErrStale
			return
		}
		var s view.Scene
		if s, err = sess.NewScene(h.Loader.Config, t, rev, view.Params{}, h.Clock()); err == nil {
			m = files.Model(s, page, h.Loader.Renderer, edits)
		}
	})
	return m, err
}

// ShowFile serves the edits of a file in all sessions, and which of them wrote its lines. For a
// query that matches several files, it serves these.
func (h *Handlers) ShowFile(w http.ResponseWriter, r *http.Request) error {
	p, err := fileviews.ParseHistoryParams(r.URL.Query())
	if err != nil {
		return err
	}
	page := h.PageModel(r, "Files")
	page.Live = "" // nothing on the page follows files
	w.Header().Set("Cache-Control", "no-store")
	config := h.Loader.Config
	if !h.Catalog.Progress().Complete {
		m := fileviews.CandidatesModel(config, page, p, nil)
		m.Reading = "Reading the list of sessions"
		w.Header().Set("Refresh", "1")
		return h.Render(w, r, http.StatusOK, components.FileHistoryPage(m))
	}
	found := h.Catalog.FindChangedFiles(config.Home, p.Path)
	file, ok := fileviews.PickFile(found, p)
	if !ok {
		if len(found) == 0 {
			p.Near, found = true, h.Catalog.SearchChangedFiles(config.Home, p.Path)
		}
		return h.Render(w, r, http.StatusOK, components.FileHistoryPage(fileviews.CandidatesModel(config, page, p, found)))
	}
	reader := filehistory.Reader{Library: h.Library, Catalog: h.Catalog, Home: config.Home}
	history, err := reader.Read(r.Context(), file)
	if err != nil {
		return err
	}
	var text fileviews.Contents
	text.Text, text.Err = filehistory.ReadProjectFile(h.ProjectDirs, file.Path)
	if text.Lines = filediff.SplitLines(text.Text); text.Err == nil {
		if text.Owners, err = history.LineOwners(r.Context(), text.Lines); err != nil {
			return err
		}
	}
	return h.Render(w, r, http.StatusOK, components.FileHistoryPage(fileviews.HistoryModel(config, page, p, file, history, text, h.Loader.Renderer)))
}
