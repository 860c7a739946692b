// Package fileviews builds the models of the pages about files: those of a session, and the edits
// of one file in all sessions.
package fileviews

import (
	"cmp"
	"net/url"
	"path"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/fileedits"
	"sessiontree/internal/web/view"
	renderer "sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// Limits of what the page of a session lists.
const (
	maxFiles     = 1000
	maxBranches  = 8   // marks of a file, tabs, and branches in the legend
	maxEdits     = 100 // of a branch, on the page
	maxDiffLines = 600
	maxEditLines = 4000 // of all edits
	maxReadEdits = 2000 // of a session; above that, lines are counted as they are recorded
)

// Params are the parameters of the page of a session.
type Params struct {
	File   string // "" = the first
	Branch string // id of the first entry of a branch, "" = the first that names the file
	All    bool   // also files that were only read
	Each   bool   // each edit instead of the net diff
}

// ParseParams parses the parameters of the page of a session.
func ParseParams(q url.Values) Params {
	return Params{File: q.Get("file"), Branch: q.Get("branch"), All: q.Get("show") == "all", Each: q.Get("view") == "edits"}
}

// SessionFiles are the files of a session before their edits are read. They stay valid until the
// session is reloaded.
type SessionFiles struct {
	params   Params
	branches []branchlist.Branch
	files    []fileedits.File
	changed  int
	shown    int // index of the shown file, -1 = none
	branch   int // index of the shown one of its uses
}

// ListSessionFiles finds the files of a session.
func ListSessionFiles(s view.Scene, p Params) *SessionFiles {
	f := &SessionFiles{params: p, shown: -1}
	var branchOf []int32
	f.branches, branchOf = branchlist.AssignEntries(s.Tree, nil)
	f.files = fileedits.List(s.Tree, s.Config.Home, branchOf)
	for i := range f.files {
		slices.SortStableFunc(f.files[i].Uses, compareUses)
		if f.files[i].Changes() {
			f.changed++
		}
	}
	slices.SortStableFunc(f.files, func(a, b fileedits.File) int {
		return cmp.Or(cmp.Compare(path.Dir(a.Path), path.Dir(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	f.pickFile(s.Tree)
	return f
}

// pickFile finds the file and the branch that the parameters name.
func (f *SessionFiles) pickFile(t *session.Tree) {
	for i := range f.files {
		file := &f.files[i]
		if file.Path == f.params.File || f.params.File == "" && f.shown < 0 && (file.Changes() || f.changed == 0 && f.params.All) {
			f.shown = i
		}
	}
	if f.shown < 0 {
		return
	}
	for i, u := range f.files[f.shown].Uses {
		if head := f.branches[u.Branch].Head; f.params.Branch != "" && head != session.NoPos && t.At(head).ID == f.params.Branch {
			f.branch = i
		}
	}
}

// EditCalls returns the calls whose edits the model needs: those of all files or, if they are too
// many, of the shown file.
func (f *SessionFiles) EditCalls() (calls []filediff.Call) {
	for i := range f.files {
		for _, u := range f.files[i].Uses {
			calls = append(calls, u.Edits...)
		}
	}
	if len(calls) <= maxReadEdits {
		return calls
	}
	calls = nil
	if f.shown >= 0 {
		for _, u := range f.files[f.shown].Uses {
			calls = append(calls, u.Edits[max(0, len(u.Edits)-maxReadEdits):]...)
		}
	}
	return calls
}

// builder builds the model of the page of a session.
type builder struct {
	view.Scene
	*SessionFiles
	render  *renderer.Renderer
	edits   *filediff.Edits
	numbers view.EntryNumbers
	lines   int // of diffs on the page so far
}

// Model returns the model of the page of a session.
func (f *SessionFiles) Model(s view.Scene, about components.Page, r *renderer.Renderer, edits *filediff.Edits) components.FilesModel {
	b := &builder{Scene: s, SessionFiles: f, render: r, edits: edits, numbers: view.EntryNumbers{Tree: s.Tree}}
	name := view.SessionName(s.Tree)
	m := components.FilesModel{Page: about, Base: s.Base(), Project: view.ProjectName(s.Tree), Back: components.Link{Text: name, Href: s.Base()}}
	m.Page.Title, m.Page.Live = "Files, "+name, ""
	all := f.params
	all.All = true
	changed := f.params
	changed.All = false
	m.Shown = []components.Chip{
		{Text: "Changed", Count: f.changed, On: !f.params.All, Href: b.href(changed)},
		{Text: "All", Count: len(f.files), On: f.params.All, Href: b.href(all)},
	}
	b.addFiles(&m)
	if f.shown >= 0 {
		d := b.details(&f.files[f.shown])
		m.File = &d
	}
	return m
}

func (b *builder) href(p Params) string {
	q := url.Values{}
	for name, value := range map[string]string{"file": p.File, "branch": p.Branch} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if p.All {
		q.Set("show", "all")
	}
	if p.Each {
		q.Set("view", "edits")
	}
	if len(q) == 0 {
		return b.Base() + "/files"
	}
	return b.Base() + "/files?" + q.Encode()
}

// addFiles adds the list of files and its legend.
func (b *builder) addFiles(m *components.FilesModel) {
	listed, rest := 0, 0
	legend := map[int]bool{}
	for i := range b.files {
		file := &b.files[i]
		if !b.params.All && !file.Changes() && i != b.shown {
			continue
		}
		if listed++; listed > maxFiles {
			rest++
			continue
		}
		dir := b.shortPath(path.Dir(file.Path))
		if n := len(m.Dirs); n == 0 || m.Dirs[n-1].Name != dir {
			m.Dirs = append(m.Dirs, components.FileDir{Name: dir})
		}
		d := &m.Dirs[len(m.Dirs)-1]
		d.Files = append(d.Files, b.fileRow(file, i == b.shown))
		for _, u := range file.Uses {
			if !legend[u.Branch] && len(m.Branches) < maxBranches {
				legend[u.Branch] = true
				m.Branches = append(m.Branches, b.branchModel(u.Branch))
			}
		}
	}
	if rest > 0 {
		m.Rest = "And " + components.Pluralize(rest, "more file", "more files") + "."
	}
}

func (b *builder) shortPath(file string) string {
	short := view.ShortPath(file, b.Tree.Header().Cwd, b.Config.Home)
	if short == "" || file == b.Tree.Header().Cwd {
		return "."
	}
	return view.OneLine(short)
}

func (b *builder) fileRow(f *fileedits.File, on bool) components.FileRow {
	row := components.FileRow{Name: view.OneLine(path.Base(f.Path)), Kind: "read", On: on, Href: b.href(Params{File: f.Path, All: b.params.All, Each: b.params.Each})}
	net := b.netChange(&f.Uses[0])
	row.Changed, row.Unknown = components.LineCounts{Added: net.Added, Removed: net.Removed}, net.Unknown
	switch {
	case net.New:
		row.Kind = "new"
	case f.Changes():
		row.Kind = "changed"
	}
	for i := range f.Uses {
		row.Failed += len(f.Uses[i].Failed)
		if i < maxBranches {
			row.Branches = append(row.Branches, b.branchModel(f.Uses[i].Branch))
		}
	}
	return row
}

// netChange returns what a branch changed in a file. If its edits were not read, only the recorded
// numbers of lines are known.
func (b *builder) netChange(u *fileedits.Use) filediff.File {
	if files := filediff.JoinFiles(b.Tree, u.Edits, b.edits); len(files) > 0 {
		return files[0]
	}
	return filediff.File{Net: filediff.Net{Added: u.Added, Removed: u.Removed, Unknown: u.Added+u.Removed == 0}}
}

func (b *builder) branchModel(branch int) components.FileBranch {
	switch at := &b.branches[branch]; {
	case at.Kind == branchlist.Current:
		return components.FileBranch{Class: "path", Name: "Current path"}
	case at.Kind == branchlist.SubAgent:
		return components.FileBranch{Class: "agent", Name: "Sub-agent " + view.OneLine(b.Tree.ThreadTitle(at.Head))}
	default:
		return components.FileBranch{Class: "branch", Name: view.BranchTitle(b.Tree, at.Head)}
	}
}

// compareUses orders uses: changes first, then by branch.
func compareUses(a, b fileedits.Use) int {
	switch {
	case a.IsChange() == b.IsChange():
		return cmp.Compare(a.Branch, b.Branch)
	case a.IsChange():
		return -1
	}
	return 1
}
