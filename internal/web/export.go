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
	"sessiontree/internal/web/onepage"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// lookFor is how long a part is looked through before its dialog is shown.
const lookFor = 2 * time.Second

// exporting answers a part of a session as a file; with ask=1 the dialog before it,
// and without as= the menu of what there is.
func (s *Server) exporting(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.session(r)
	if err != nil {
		return err
	}
	c := &changing{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	if c.entry() != "" {
		if _, err := c.known(); err != nil {
			return err
		}
	}
	w.Header().Set("Cache-Control", keepNot)
	switch {
	case !c.form.Has("as"):
		return c.exportMenu(w)
	case c.form.Has("ask"):
		return c.exportDialog(w)
	}
	return c.exportFile(w)
}

// exportParts are the parts that can be exported about an entry.
var exportParts = []struct {
	scope export.Scope
	title string
}{{export.Path, "This path"}, {export.Subtree, "From this entry on, with the path to it"}, {export.Tree, "Whole tree"}}

func (c *changing) exportMenu(w http.ResponseWriter) error {
	var m components.ExportMenu
	c.look(func(v view.Change) {
		var parts []view.Exported
		for _, p := range exportParts {
			n, err := export.Part{Entry: c.entry(), Scope: p.scope}.Count(v.Tree)
			if p.scope == export.Subtree && len(parts) > 0 && parts[0].Entries == n {
				continue // nothing goes on from here: it is the path
			}
			if err == nil && n > 0 {
				parts = append(parts, view.Exported{Scope: string(p.scope), Title: p.title, Entries: n})
			}
		}
		m = c.s.builder.ExportMenu(v, c.entry(), parts)
	})
	return c.drawExport(w, components.ExportMenuPanel(m), components.ExportMenuPage(m))
}

func (c *changing) drawExport(w http.ResponseWriter, panel, page templ.Component) error {
	if c.part() != "" {
		return c.s.render(w, c.r, http.StatusOK, panel)
	}
	return c.s.render(w, c.r, http.StatusOK, page)
}

// exportOptions reads what is asked for. Everything is replaced unless the address
// says otherwise.
func (c *changing) exportOptions() export.Options {
	o := export.Options{
		Part: export.Part{Entry: c.entry(), Scope: export.Scope(c.form.Get("scope")), Bare: c.form.Get("bare") == "1"},
		As:   export.Kind(c.form.Get("as")), Redactor: c.s.redactor, Classes: map[string]bool{},
	}
	o.Page = onepage.Painter(onepage.Options{View: c.s.builder.Config()})
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
	kept(o.Classes, c.form)
	if c.form.Has("chosen") {
		o.Without = without(c.form["hold"])
	}
	return o
}

// without is what is left out of a part that holds some kinds only.
func without(hold []string) export.Without {
	lacks := func(kind string) bool { return !slices.Contains(hold, kind) }
	return export.Without{Output: lacks(view.HoldOutput), Thinking: lacks(view.HoldThinking), Images: lacks(view.HoldImages)}
}

// kept notes the values that a form offered to replace, and that are to stay.
func kept(which map[string]bool, form url.Values) {
	for _, mark := range form["offered"][:min(len(form["offered"]), view.MostFound)] {
		if redact.IsMark(mark) && !slices.Contains(form["value"], mark) {
			which[mark] = false
		}
	}
}

// exportDialog lists what was found before anything is written.
func (c *changing) exportDialog(w http.ResponseWriter) error {
	o := c.exportOptions()
	part := view.Exported{Scope: string(o.Part.Scope), As: string(o.As)}
	for _, p := range exportParts {
		if p.scope == o.Part.Scope {
			part.Title = p.title
		}
	}
	job, err := export.Prepare(c.ctx, c.sess, o)
	switch {
	case errors.Is(err, session.ErrInvalid) && part.Title != "":
		part.Refused = sentence(err)
	case err != nil:
		return err
	default:
		part.Left = job.Left()
	}
	found, err := c.secrets(o, part.Refused == "")
	if err != nil {
		return err
	}
	var m components.ExportModel
	c.look(func(v view.Change) {
		part.Kept, err = o.Part.Positions(v.Tree)
		m = c.s.builder.Export(v, c.entry(), part, o, found)
	})
	if err != nil {
		return err
	}
	return c.drawExport(w, components.ExportForm(m), components.ExportPage(m))
}

// secrets looks for what should not be told, for as long as a reader waits.
func (c *changing) secrets(o export.Options, wanted bool) (export.Findings, error) {
	if !wanted || c.s.redactor == nil {
		return export.Findings{}, nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, lookFor)
	defer cancel()
	return o.Look(ctx, c.sess)
}

// exportFile answers the file.
func (c *changing) exportFile(w http.ResponseWriter) error {
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	defer context.AfterFunc(c.s.ctx, cancel)()
	job, err := export.Prepare(ctx, c.sess, c.exportOptions())
	if err != nil {
		return err
	}
	return c.s.send(ctx, fileOf(w, job), c.r, job)
}

// send answers an export as it is made. What goes wrong on the way breaks
// the answer off, so that no half file is taken for a whole one.
func (s *Server) send(ctx context.Context, d *download, r *http.Request, job *export.Job) error {
	out := bufio.NewWriterSize(d, 64<<10)
	_, err := job.Write(ctx, out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil && d.begun {
		if r.Context().Err() == nil {
			s.log.Error("export", "path", safePath(r), "err", err)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}

// exportTypes are the content types of exported files.
var exportTypes = map[export.Kind]string{
	export.JSONL: "application/x-ndjson", export.Markdown: "text/markdown; charset=utf-8", export.HTML: "text/html; charset=utf-8",
}

// download sets the headers of an export when its first bytes come.
type download struct {
	w      http.ResponseWriter
	header http.Header
	begun  bool
}

// fileOf is a download that browsers keep as a file.
func fileOf(w http.ResponseWriter, job *export.Job) *download {
	h := http.Header{}
	h.Set("Content-Type", exportTypes[export.Kind(strings.TrimPrefix(path.Ext(job.Name()), "."))])
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": job.Name()}))
	return &download{w: w, header: h}
}

func (d *download) Write(b []byte) (int, error) {
	if !d.begun {
		d.begun = true
		maps.Copy(d.w.Header(), d.header)
	}
	return d.w.Write(b)
}
