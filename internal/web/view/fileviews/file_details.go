package fileviews

import (
	"path"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/fileedits"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// details returns what the shown branch did to a file.
func (b *builder) details(f *fileedits.File) components.FileDetails {
	m := components.FileDetails{Path: f.Path, History: view.FileHistoryURL(f.Path)}
	dir, name := path.Split(view.ShortPath(f.Path, b.Tree.Header().Cwd, b.Config.Home))
	m.Dir, m.Name = view.OneLine(dir), view.OneLine(name)
	use := &f.Uses[b.branch]
	net := b.netChange(use)
	for i := range f.Uses {
		if i == maxBranches && i != b.branch || i > maxBranches {
			continue
		}
		tab := b.fileTab(f, i)
		if tab.On {
			m.Counts = tab
		}
		if f.Uses[i].IsChange() || tab.On {
			m.Tabs = append(m.Tabs, tab)
		}
	}
	b.addViews(&m)
	b.addEdits(&m, f, use)
	m.Facts = usageText(use)
	if len(use.Edits) > 0 && !b.params.Each && len(net.Lines) > 0 {
		diff := b.diffModel(net.Lines, f.Path, maxDiffLines)
		m.Net = &diff
	}
	if b.edits.Left > 0 {
		m.Rest += " The text of " + components.Pluralize(b.edits.Left, "edit is", "edits are") + " not compared: there is too much."
	}
	return m
}

func (b *builder) fileTab(f *fileedits.File, i int) components.FileTab {
	net := b.netChange(&f.Uses[i])
	p := Params{File: f.Path, All: b.params.All, Each: b.params.Each}
	if head := b.branches[f.Uses[i].Branch].Head; head != session.NoPos {
		p.Branch = b.Tree.At(head).ID
	}
	return components.FileTab{
		FileBranch: b.branchModel(f.Uses[i].Branch), Href: b.href(p), On: i == b.branch,
		Changed: components.LineCounts{Added: net.Added, Removed: net.Removed}, Unknown: net.Unknown,
	}
}

func (b *builder) addViews(m *components.FileDetails) {
	net, each := b.params, b.params
	net.File, each.File = m.Path, m.Path
	net.Each, each.Each = false, true
	m.Views = []components.Chip{{Text: "Net", Href: b.href(net), On: !b.params.Each}, {Text: "Each edit", Href: b.href(each), On: b.params.Each}}
}

// usageText says what a branch did to a file, in numbers.
func usageText(u *fileedits.Use) string {
	text := components.Pluralize(len(u.Edits), "edit", "edits")
	if n := len(u.Failed); n > 0 {
		text += ", " + components.FormatCount(n) + " failed"
	}
	if u.Reads > 0 {
		text += ", read " + components.Pluralize(u.Reads, "time", "times")
	}
	return text + " on this branch"
}

// addEdits adds the calls of a branch that edited a file or failed to, in their order.
func (b *builder) addEdits(m *components.FileDetails, f *fileedits.File, u *fileedits.Use) {
	edits, failed := u.Edits, u.Failed
	for len(edits)+len(failed) > 0 {
		if len(m.Edits) == maxEdits {
			m.Rest = "And " + components.Pluralize(len(edits)+len(failed), "more edit", "more edits") + "."
			return
		}
		if len(failed) == 0 || len(edits) > 0 && edits[0].Result < failed[0].Result {
			m.Edits = append(m.Edits, b.editRow(f, &edits[0], u.Branch))
			edits = edits[1:]
			continue
		}
		m.Edits = append(m.Edits, b.editRow(f, &failed[0], u.Branch))
		failed = failed[1:]
	}
}

func (b *builder) editRow(f *fileedits.File, c *filediff.Call, branch int) components.FileEditRow {
	row := components.FileEditRow{
		Time: b.Config.MillisModel(b.Tree.At(c.Result).Time), Text: view.OneLine(rowtext.Cut(b.callText(c), 160)),
		Href: b.entryHref(c.Result, branch), Entry: "entry " + b.numbers.Format(c.Result),
	}
	if c.Failed {
		row.Failed = "failed"
		return row
	}
	_, edit, ok := b.edits.Find(c)
	lines := editLines(&edit)
	added, removed := filediff.CountChanges(lines)
	row.Changed, row.Unknown = components.LineCounts{Added: added, Removed: removed}, !ok || edit.IsUnknown()
	if b.params.Each && len(lines) > 0 && b.lines < maxEditLines {
		diff := b.diffModel(lines, f.Path, min(maxDiffLines, maxEditLines-b.lines))
		row.Diff = &diff
	}
	return row
}

// callText returns what the answer with a call says, else the prompt before it.
func (b *builder) callText(c *filediff.Call) string {
	if b.Tree.At(c.At).HasFlag(session.FlagText) {
		return view.EntryText(b.Tree, c.At)
	}
	for p := c.At; p != session.NoPos; p = b.Tree.Parent(p) {
		if b.Tree.At(p).Kind == session.KindUser {
			return view.EntryText(b.Tree, p)
		}
	}
	return ""
}

// entryHref views an entry on the path to the leaf, or to the newest leaf below it.
func (b *builder) entryHref(p session.Pos, branch int) string {
	leaf := ""
	if b.branches[branch].Kind != branchlist.Current {
		leaf = b.Tree.At(b.Tree.Subtrees().NewestLeaf(p)).ID
	}
	return view.Params{}.WithEntry(b.Tree.At(p).ID, leaf).Href(b.Base())
}

func (b *builder) diffModel(lines []filediff.Line, file string, n int) (m components.ToolModel) {
	m, b.lines = diffModel(b.render, lines, file, n), b.lines+min(n, len(lines))
	return m
}
