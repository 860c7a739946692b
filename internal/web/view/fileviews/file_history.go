package fileviews

import (
	"cmp"
	"net/url"
	"path"
	"strconv"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/blame"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/filehistory"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	renderer "sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// Limits of the page of a file.
const (
	maxCandidates   = 100
	maxRecentFiles  = 50
	maxHistoryRows  = 300
	maxHistoryLines = 3000 // of the file, on one page
	maxHues         = 6
)

// HistoryParams are the parameters of the page of a file.
type HistoryParams struct {
	Path string // or the end of one
	Edit string // the picked edit
	Hide bool   // hides abandoned branches
	From int    // index of the first line
	Near bool   // no path is Path or ends with it: the candidates only contain it
}

// ParseHistoryParams parses the parameters of the page of a file.
func ParseHistoryParams(q url.Values) (p HistoryParams, err error) {
	p = HistoryParams{Path: q.Get("path"), Edit: q.Get("edit"), Hide: q.Get("hide") == "abandoned"}
	p.From, err = view.ParseCount(q, "from", 0)
	return p, err
}

func (p HistoryParams) href() string {
	q := url.Values{"path": {p.Path}}
	if p.Edit != "" {
		q.Set("edit", p.Edit)
	}
	if p.Hide {
		q.Set("hide", "abandoned")
	}
	if p.From > 0 {
		q.Set("from", strconv.Itoa(p.From))
	}
	return "/files?" + q.Encode()
}

// PickFile returns the file that a query names: the only one it matches, or the one with that path.
func PickFile(found []catalog.ChangedFile, p HistoryParams) (catalog.ChangedFile, bool) {
	for _, f := range found {
		if len(found) == 1 || f.Path == p.Path {
			return f, true
		}
	}
	return catalog.ChangedFile{}, false
}

// CandidatesModel returns the page with the files that a query matches.
func CandidatesModel(c view.Config, about components.Page, p HistoryParams, found []catalog.ChangedFile) components.FileHistoryModel {
	m := components.FileHistoryModel{Page: about, Query: p.Path, Project: "Sessions"}
	m.Near = p.Near && len(found) > 0
	most := maxCandidates
	if p.Path == "" {
		most = maxRecentFiles
	}
	for i, f := range found {
		if i == most {
			m.Rest = "And " + components.Pluralize(len(found)-i, "more file", "more files") + ". Type more of the path."
			break
		}
		dir, name := path.Split(view.HomePath(f.Path, c.Home))
		m.Found = append(m.Found, components.FileCandidate{
			Dir: view.OneLine(dir), Name: view.OneLine(name), Href: view.FileHistoryURL(f.Path), Sessions: components.Pluralize(len(f.Sessions), "session", "sessions"),
		})
	}
	return m
}

// Contents is a file as it is on disk.
type Contents struct {
	Text   string
	Err    error        // why it is not shown
	Lines  []string     // of Text
	Owners blame.Result // of Lines
}

// historyBuilder builds the page of a file.
type historyBuilder struct {
	config  view.Config
	params  HistoryParams
	history *filehistory.History
	render  *renderer.Renderer
	file    catalog.ChangedFile
	hues    map[string]string // by key of the session
	picked  int               // index of the edit, -1 = none
}

// HistoryModel returns the page of a file.
func HistoryModel(c view.Config, about components.Page, p HistoryParams, file catalog.ChangedFile, h *filehistory.History, text Contents, r *renderer.Renderer) components.FileHistoryModel {
	b := &historyBuilder{config: c, params: p, history: h, render: r, file: file, hues: map[string]string{}, picked: -1}
	b.params.Path = file.Path
	m := components.FileHistoryModel{Page: about, Query: p.Path, Project: "Sessions"}
	cwd := ""
	if len(file.Sessions) > 0 {
		cwd = file.Sessions[0].Cwd
		m.Project = cmp.Or(view.ProjectNameOfDir(cwd), m.Project)
	}
	f := components.FileHistory{Path: file.Path}
	dir, name := path.Split(view.ShortPath(file.Path, cwd, c.Home))
	f.Dir, f.Name = view.OneLine(dir), view.OneLine(name)
	m.Page.Title = "History of " + f.Name
	f.Count = components.Pluralize(len(h.Edits), "edit", "edits") + " in " + components.Pluralize(h.Sessions, "session", "sessions")
	for i := range h.Edits {
		if key := h.Edits[i].Session.Key; b.hues[key] == "" {
			b.hues[key] = strconv.Itoa(len(b.hues)%maxHues + 1)
		}
		if editID(&h.Edits[i]) == p.Edit && p.Edit != "" {
			b.picked = i
		}
	}
	b.addRows(&f)
	b.addNotes(&f, text)
	b.addLines(&f, text)
	m.File = &f
	return m
}

// editID identifies an edit in the history of a file.
func editID(e *filehistory.Edit) string { return e.Session.Key + " " + e.Entry + " " + e.Call }

// addRows adds the edits by day.
func (b *historyBuilder) addRows(f *components.FileHistory) {
	hidden, listed := 0, 0
	for i := range b.history.Edits {
		e := &b.history.Edits[i]
		if e.OffPath {
			hidden++
			if b.params.Hide {
				continue
			}
		}
		if listed++; listed > maxHistoryRows {
			continue
		}
		row := b.rowModel(e, i == b.picked)
		if row.On {
			picked := row
			diff := diffModel(b.render, editLines(&e.Edit), b.file.Path, maxDiffLines)
			picked.Diff = &diff
			f.Picked = &picked
		}
		day := "Time not recorded"
		if e.Time != session.NoTime {
			day = b.config.InZone(time.UnixMilli(e.Time)).Format("2 January 2006")
		}
		if n := len(f.Days); n == 0 || f.Days[n-1].Name != day {
			f.Days = append(f.Days, components.FileHistoryDay{Name: day})
		}
		f.Days[len(f.Days)-1].Rows = append(f.Days[len(f.Days)-1].Rows, row)
	}
	if hidden > 0 {
		p := b.params
		p.Hide = !p.Hide
		f.Hide = &components.Chip{Text: "Hide abandoned branches", On: b.params.Hide, Href: p.href()}
	}
	if n := listed - maxHistoryRows; n > 0 {
		f.Notes = append(f.Notes, "And "+components.Pluralize(n, "older edit", "older edits")+".")
	}
}

func (b *historyBuilder) rowModel(e *filehistory.Edit, on bool) components.FileHistoryRow {
	lines := editLines(&e.Edit)
	added, removed := filediff.CountChanges(lines)
	pick := b.params
	pick.Edit = editID(e)
	row := components.FileHistoryRow{
		Hue: b.hues[e.Session.Key], Name: index.SummaryTitle(e.Session), Format: e.Session.Format, Glyph: b.config.GlyphOfFormat(e.Session.Format), Agent: b.config.TitleOfFormat(e.Session.Format),
		Prompt: view.OneLine(e.Prompt), Changed: components.LineCounts{Added: added, Removed: removed}, Unknown: e.IsUnknown(), Time: b.config.MillisModel(e.Time),
		Pick: pick.href(), Href: view.Params{}.WithEntry(e.Entry, e.Leaf).Href(view.SessionURL(e.Session.Key)), On: on,
	}
	if e.Kind != branchlist.Current {
		row.Branch, row.Kind = view.OneLine(e.Branch), "sub-agent"
		if e.OffPath {
			row.Kind = "abandoned branch"
		}
	}
	for _, c := range e.Copies {
		row.Copies = append(row.Copies, components.Link{Text: index.SummaryTitle(c.Session), Href: view.Params{}.WithEntry(c.Entry, "").Href(view.SessionURL(c.Session.Key))})
	}
	return row
}

// addNotes says what is not listed.
func (b *historyBuilder) addNotes(f *components.FileHistory, text Contents) {
	h := b.history
	if h.Left > 0 {
		f.Notes = append(f.Notes, components.Pluralize(h.Left, "older session is", "older sessions are")+" not read.")
	}
	if h.Failed > 0 {
		f.Notes = append(f.Notes, components.Pluralize(h.Failed, "session", "sessions")+" could not be read.")
	}
	if n := h.LeftOver + text.Owners.NotCompared; n > 0 {
		f.Notes = append(f.Notes, components.Pluralize(n, "edit is", "edits are")+" not compared with the lines: there are too many.")
	}
}
