package comparison

import (
	"path"
	"strings"

	"sessiontree/internal/session/compare"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// Limits of the files of a comparison.
const (
	maxFiles     = 200
	maxFileEdits = 30 // links to single edits of a file

	maxDiffLines     = 400 // of a side of a file
	maxPageDiffLines = 8000
)

func (b *builder) addFiles(m *components.CompareModel) {
	m.FileCount = len(b.files)
	listed := b.files[:min(len(b.files), maxFiles)]
	for i := range listed {
		m.Files = append(m.Files, b.fileModel(&listed[i]))
	}
	if n := len(b.files) - len(listed); n > 0 {
		m.FileEnd = "And " + components.Pluralize(n, "more file", "more files") + "."
	}
}

func (b *builder) fileModel(f *compare.File) components.CompareFile {
	m := components.CompareFile{Word: fileWord(f), History: view.FileHistoryURL(f.Path)}
	dir, name := path.Split(view.ShortPath(f.Path, b.Tree.Header().Cwd, b.Config.Home))
	m.Dir, m.Name = view.OneLine(dir), view.OneLine(name)
	for i, s := range f.Sides {
		side := components.CompareFileSide{Letter: letter(i)}
		if s != nil {
			side.Touched, side.Unknown, side.Changed = true, s.Unknown, components.LineCounts{Added: s.Added, Removed: s.Removed}
			side.Edits, side.EditCount = b.editLinks(i, s), len(s.Edits)
			if len(f.Sides) == 2 {
				side.Diff = b.diffModel(s)
			}
		}
		m.Sides = append(m.Sides, side)
	}
	return m
}

// diffModel returns the net diff of a file, as long as the page has room for it.
func (b *builder) diffModel(f *filediff.File) (m components.ToolModel) {
	var left int
	m.Diff, left = b.render.DiffModel(f.Lines, f.Path, min(maxDiffLines, maxPageDiffLines-b.diffLines))
	b.diffLines += len(m.Diff)
	if left > 0 {
		m.DiffLeft = components.Pluralize(left, "more changed line", "more changed lines")
	}
	return m
}

// editLinks links to the single edits of a file.
func (b *builder) editLinks(side int, f *filediff.File) (links []components.Link) {
	for i := range f.Edits {
		if i == maxFileEdits {
			break
		}
		added, removed := filediff.CountChanges(f.Edits[i].Lines)
		text := "+" + components.FormatCount(added) + " −" + components.FormatCount(removed)
		if f.Edits[i].IsUnknown() {
			text = "unknown"
		}
		links = append(links, components.Link{Text: text, Href: b.entryHref(side, f.Edits[i].Result)})
	}
	return links
}

// fileWord says which sides changed a file, and whether in the same way.
func fileWord(f *compare.File) string {
	var touched []string
	isNew, identical, unknown, first := true, true, false, -1
	for i, s := range f.Sides {
		if s == nil {
			continue
		}
		if first < 0 {
			first = i
		}
		touched = append(touched, letter(i))
		isNew = isNew && s.New
		identical, unknown = identical && f.IsIdentical(first, i), unknown || f.IsUnknown(i)
	}
	switch all := len(touched) == len(f.Sides); {
	case len(touched) == 1 && isNew:
		return "only " + touched[0] + ", new file"
	case len(touched) == 1:
		return "only " + touched[0]
	case all && len(f.Sides) == 2 && identical:
		return "both, identical"
	case all && len(f.Sides) == 2 && unknown:
		return "both"
	case all && len(f.Sides) == 2:
		return "both, different"
	case identical:
		return "identical in " + strings.Join(touched, " and ")
	case all:
		return "all"
	}
	return ""
}
