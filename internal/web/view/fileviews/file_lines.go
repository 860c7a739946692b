package fileviews

import (
	"strings"

	"sessiontree/internal/session/blame"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/web/view/index"
	renderer "sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// addLines adds the lines of the file with the edits that wrote them.
func (b *historyBuilder) addLines(f *components.FileHistory, text Contents) {
	if text.Err != nil {
		f.NoLines = contentError(text.Err)
		return
	}
	lines := text.Lines
	if len(lines) == 0 {
		f.NoLines = "The file is empty."
		return
	}
	owners := text.Owners.Owners
	from := min(b.params.From, len(lines)-1)
	end := min(from+maxHistoryLines, len(lines))
	code := make([]filediff.Line, 0, end-from)
	for i, text := range lines[from:end] {
		code = append(code, filediff.Line{Sign: ' ', New: from + i + 1, Text: text})
	}
	shown, _ := b.render.DiffModel(code, b.file.Path, len(code))
	for i := range shown {
		owner := owners[from+i]
		l := components.BlameLine{Number: shown[i].New, Text: shown[i].Text, HTML: shown[i].HTML, IsFirst: i == 0 || owner != owners[from+i-1]}
		if owner != blame.Outside {
			e := &b.history.Edits[owner]
			pick := b.params
			pick.Edit, pick.Hide = editID(e), b.params.Hide && !e.OffPath
			l.Hue, l.On, l.Name, l.Time, l.Pick = b.hues[e.Session.Key], owner == b.picked, index.SummaryTitle(e.Session), b.config.MillisModel(e.Time), pick.href()+"#L"+l.Number
		}
		f.Lines = append(f.Lines, l)
	}
	f.LineCount, f.LinesPage = len(lines), maxHistoryLines
	if from > 0 {
		p := b.params
		p.From = max(from-maxHistoryLines, 0)
		f.Earlier = &components.Link{Text: "Lines before " + components.FormatCount(from+1), Href: p.href()}
	}
	if end < len(lines) {
		p := b.params
		p.From = end
		f.Later = &components.Link{Text: "Lines after " + components.FormatCount(end), Href: p.href()}
	}
}

// contentError says why the lines of a file are not shown.
func contentError(err error) string {
	_, text, found := strings.Cut(err.Error(), ": ")
	if !found {
		text = err.Error()
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// editLines returns the diff of an edit: all lines of one that replaced the file.
func editLines(e *filediff.Edit) []filediff.Line {
	if e.Lines != nil {
		return e.Lines
	}
	var lines []filediff.Line
	for i, text := range filediff.SplitLines(e.Content) {
		lines = append(lines, filediff.Line{Sign: '+', New: i + 1, Text: text})
	}
	return lines
}

// diffModel returns the first n lines of a diff as they are shown.
func diffModel(r *renderer.Renderer, lines []filediff.Line, file string, n int) (m components.ToolModel) {
	var left int
	m.Diff, left = r.DiffModel(lines, file, n)
	if left > 0 {
		m.DiffLeft = components.Pluralize(left, "more changed line", "more changed lines")
	}
	return m
}
