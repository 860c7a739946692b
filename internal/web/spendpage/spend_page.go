// Package spendpage serves the page about what requests cost.
package spendpage

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/spend/report"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/spend"
	"sessiontree/web/components"
)

// Handlers serve what requests cost.
type Handlers struct {
	Catalog *catalog.Catalog
	View    view.Config
	Clock   func() time.Time
	// PageModel returns what all pages have in common.
	PageModel func(r *http.Request, title string) components.Page
	// Render writes a component as a response.
	Render func(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error
}

// ShowPage serves the page.
func (h *Handlers) ShowPage(w http.ResponseWriter, r *http.Request) error {
	p, err := spend.ParseParams(r.URL.Query())
	if err != nil {
		return err
	}
	now, sessions, progress := h.Clock(), h.Catalog.Sessions(), h.Catalog.Progress()
	page := h.PageModel(r, "Spend")
	page.Live = "" // nothing on the page follows files
	w.Header().Set("Cache-Control", "no-store")
	if !progress.Complete {
		m := spend.PageModel(h.View, page, sessions, nil, p, now)
		m.Reading = readingText(progress)
		w.Header().Set("Refresh", "1")
		return h.Render(w, r, http.StatusOK, components.SpendPage(m))
	}
	found, models, err := h.buildReport(p, sessions, now)
	if err != nil {
		return err
	}
	m := spend.PageModel(h.View, page, sessions, models, p, now)
	spend.AddReport(&m, h.View, found, p, now)
	return h.Render(w, r, http.StatusOK, components.SpendPage(m))
}

// buildReport returns the report of the page, and all models that have requests in it.
func (h *Handlers) buildReport(p spend.Params, sessions []catalog.Summary, now time.Time) (*report.Report, []string, error) {
	f, err := p.Filter(h.View, now)
	if err != nil {
		return nil, nil, err
	}
	found := report.Build(h.Catalog.Ledger(), sessions, f)
	var models []string
	for i := range found.Models {
		models = append(models, found.Models[i].Name)
	}
	slices.Sort(models)
	return found, models, nil
}

// readingText returns the progress of the reading of all sessions.
func readingText(p catalog.Progress) string {
	return fmt.Sprintf("Reading %s, %s of %s", components.Pluralize(p.Files, "session", "sessions"), view.FormatFileSize(p.BytesScanned+p.BytesFromCache), view.FormatFileSize(p.BytesPresent))
}

// ServeCSV serves the report as a file.
func (h *Handlers) ServeCSV(w http.ResponseWriter, r *http.Request) error {
	p, err := spend.ParseParams(r.URL.Query())
	if err != nil {
		return err
	}
	found, _, err := h.buildReport(p, h.Catalog.Sessions(), h.Clock())
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := found.WriteCSV(&b); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="spend.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b.Bytes()) // the client may be gone
	return nil
}
