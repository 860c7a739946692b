package web

import (
	"bufio"
	"context"
	"errors"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/web/htmlexport"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// findingsTimeout limits how long a part is searched for secrets before its dialog is
// shown.
const findingsTimeout = 2 * time.Second

// serveExport serves a part of a session as a file. It serves the dialog for ask=1, and the
// menu of exports without as=.
func (s *Server) serveExport(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.openSession(r)
	if err != nil {
		return err
	}
	c := &changeRequest{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	if c.entryID() != "" {
		if _, err := c.requireEntry(); err != nil {
			return err
		}
	}
	w.Header().Set("Cache-Control", cacheNever)
	switch {
	case !c.form.Has("as"):
		return c.renderExportMenu(w)
	case c.form.Has("ask"):
		return c.renderExportDialog(w)
	}
	return c.sendExportFile(w)
}

// exportScopes lists the scopes that can be exported for an entry.
var exportScopes = []struct {
	scope export.Scope
	title string
}{{export.Path, "This path"}, {export.Subtree, "From this entry on, with the path to it"}, {export.Tree, "Whole tree"}}

// exportTitle returns the title of a part, or "" for an unknown scope.
func exportTitle(part export.Part) string {
	if part.Scope == export.Subtree && part.Bare {
		return "From this entry on"
	}
	for _, p := range exportScopes {
		if p.scope == part.Scope {
			return p.title
		}
	}
	return ""
}

func (c *changeRequest) renderExportMenu(w http.ResponseWriter) error {
	var m components.ExportMenu
	c.withChangeView(func(v view.ChangeView) {
		var parts []view.ExportPart
		for _, p := range exportScopes {
			n, err := export.Part{Entry: c.entryID(), Scope: p.scope}.Count(v.Tree)
			if p.scope == export.Subtree && len(parts) > 0 && parts[0].Entries == n {
				continue // the entry has no descendants, so this part equals the path
			}
			if err == nil && n > 0 {
				parts = append(parts, view.ExportPart{Part: export.Part{Scope: p.scope}, Title: p.title, Entries: n})
			}
		}
		m = v.ExportMenu(c.entryID(), parts)
	})
	return c.renderPanelOrPage(w, components.ExportMenuPanel(m), components.ExportMenuPage(m))
}

func (c *changeRequest) renderPanelOrPage(w http.ResponseWriter, panel, page templ.Component) error {
	if c.requestedPart() != "" {
		return c.s.renderComponent(w, c.r, http.StatusOK, panel)
	}
	return c.s.renderComponent(w, c.r, http.StatusOK, page)
}

// parseExportOptions returns the options in the address. By default all findings are
// redacted.
func (c *changeRequest) parseExportOptions() export.Options {
	o := export.Options{
		Part: export.Part{Entry: c.entryID(), Scope: export.Scope(c.form.Get("scope")), Bare: c.form.Get("bare") == "1", To: c.form.Get("to")},
		Kind: export.Kind(c.form.Get("as")), Redactor: c.s.redactor, Classes: map[string]bool{},
	}
	o.RenderHTML = htmlexport.NewRenderer(htmlexport.Options{View: c.s.loader.Config})
	if o.Part.Scope == "" {
		o.Part.Scope = export.Path
	}
	var asked []string
	for _, v := range c.form["redact"] {
		asked = append(asked, strings.Split(v, ",")...)
	}
	all := len(asked) == 0 && !c.form.Has("chosen") || slices.Contains(asked, "all")
	for _, class := range export.Classes() {
		o.Classes[class] = all || slices.Contains(asked, class)
	}
	excludeKeptValues(o.Classes, c.form)
	if c.form.Has("chosen") {
		o.Omit = omissionsExcept(c.form["hold"])
	}
	return o
}

// omissionsExcept returns what to omit so that only the given kinds remain.
func omissionsExcept(included []string) export.Omissions {
	omits := func(kind string) bool { return !slices.Contains(included, kind) }
	return export.Omissions{Output: omits(view.IncludeOutput), Thinking: omits(view.IncludeThinking), Images: omits(view.IncludeImages)}
}

// excludeKeptValues marks the values that the form offered to redact and the user chose to
// keep.
func excludeKeptValues(which map[string]bool, form url.Values) {
	for _, mark := range form["offered"][:min(len(form["offered"]), view.MaxFindings)] {
		if redact.IsValueID(mark) && !slices.Contains(form["value"], mark) {
			which[mark] = false
		}
	}
}

// renderExportDialog renders the dialog that lists the findings before anything is written.
func (c *changeRequest) renderExportDialog(w http.ResponseWriter) error {
	o := c.parseExportOptions()
	part := view.ExportPart{Part: o.Part, As: string(o.Kind), Title: exportTitle(o.Part)}
	job, err := export.Prepare(c.ctx, c.sess, o)
	switch {
	case errors.Is(err, session.ErrInvalid) && part.Title != "":
		part.Refused = errorSentence(err)
	case err != nil:
		return err
	default:
		part.Omitted = job.Omitted()
	}
	found, err := c.findSecrets(o, part.Refused == "")
	if err != nil {
		return err
	}
	var m components.ExportModel
	c.withChangeView(func(v view.ChangeView) {
		part.Positions, err = o.Part.Positions(v.Tree)
		m = v.ExportDialog(part, o, found)
	})
	if err != nil {
		return err
	}
	return c.renderPanelOrPage(w, components.ExportForm(m), components.ExportPage(m))
}

// findSecrets searches a part for sensitive values, for at most findingsTimeout.
func (c *changeRequest) findSecrets(o export.Options, wanted bool) (export.Findings, error) {
	if !wanted || c.s.redactor == nil {
		return export.Findings{}, nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, findingsTimeout)
	defer cancel()
	return o.FindSensitive(ctx, c.sess)
}

// sendExportFile sends the exported file.
func (c *changeRequest) sendExportFile(w http.ResponseWriter) error {
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	defer context.AfterFunc(c.s.ctx, cancel)()
	job, err := export.Prepare(ctx, c.sess, c.parseExportOptions())
	if err != nil {
		return err
	}
	return c.s.streamExport(ctx, newAttachment(w, job), c.r, job)
}

// streamExport sends an export while it is written. A later error aborts the connection, so
// that a truncated file is not mistaken for a complete one.
func (s *Server) streamExport(ctx context.Context, d *exportDownload, r *http.Request, job *export.Job) error {
	out := bufio.NewWriterSize(d, 64<<10)
	_, err := job.Write(ctx, out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil && d.started {
		if r.Context().Err() == nil {
			s.log.Error("export", "path", loggablePath(r), "err", err)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}

// exportMediaTypes maps the kinds of exported files to their media types.
var exportMediaTypes = map[export.Kind]string{
	export.JSONL: "application/x-ndjson", export.Markdown: "text/markdown; charset=utf-8", export.HTML: "text/html; charset=utf-8",
}

// exportDownload sets the headers of an export when its first bytes are written.
type exportDownload struct {
	w       http.ResponseWriter
	header  http.Header
	started bool
}

// newAttachment returns a download that browsers save as a file.
func newAttachment(w http.ResponseWriter, job *export.Job) *exportDownload {
	h := http.Header{}
	h.Set("Content-Type", exportMediaTypes[export.Kind(strings.TrimPrefix(path.Ext(job.DownloadName()), "."))])
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": job.DownloadName()}))
	return &exportDownload{w: w, header: h}
}

func (d *exportDownload) Write(b []byte) (int, error) {
	if !d.started {
		d.started = true
		maps.Copy(d.w.Header(), d.header)
	}
	return d.w.Write(b)
}
