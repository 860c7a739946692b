package path

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// fillDiff fills in the diff of an edit: the recorded one, or one computed from the call's
// arguments.
func (tb *toolBuilder) fillDiff(m *components.ToolModel, cl *toolCall, res int, of string, r *highlightBudget) {
	lines := tb.recordedDiff(res, of)
	if len(lines) == 0 && !m.Err {
		lines = diffLines(filediff.DiffTexts(cl.args.ListEdits()))
	}
	if len(lines) == 0 {
		return
	}
	if m.Added == 0 && m.Removed == 0 {
		m.Added, m.Removed = countChangedLines(lines)
	}
	shown, left := cutDiffLines(lines, tb.blocks.limits.diff)
	if left > 0 {
		m.DiffLeft = "Show " + components.Pluralize(left, "more changed line", "more changed lines")
	}
	tb.highlightDiff(shown, languageName(cl.args.File()), r)
	if file := cl.args.File(); file != "" {
		head := components.DiffLine{Class: "hunk", Text: "@@ " + view.OneLine(view.HomePath(file, tb.page.config.Home))}
		shown = append([]components.DiffLine{head}, shown...)
	}
	m.Diff = shown
}

func (tb *toolBuilder) recordedDiff(res int, of string) []components.DiffLine {
	if res < 0 {
		return nil
	}
	for k := range tb.bodies[res].Blocks {
		if b := &tb.bodies[res].Blocks[k]; b.Kind == session.BlockDiff && b.ID == of {
			return diffLines(filediff.Parse(b.Text))
		}
	}
	return nil
}

// diffLines returns the lines of a diff as they are shown.
func diffLines(lines []filediff.Line) []components.DiffLine {
	out := make([]components.DiffLine, len(lines))
	for i := range lines {
		out[i] = diffLineModel(&lines[i])
	}
	return out
}

func diffLineModel(l *filediff.Line) components.DiffLine {
	if l.Sign == filediff.Gap {
		return components.DiffLine{Class: "hunk", Text: l.Text}
	}
	text := l.Text
	if len(text) > maxLineBytes {
		text, _ = view.CutBytes(text, maxLineBytes)
		text += " …"
	}
	m := components.DiffLine{Text: view.EscapeInvisible(text), Old: filediff.FormatNumber(l.Old), New: filediff.FormatNumber(l.New)}
	if l.Sign != 0 {
		m.Sign, m.Class = string(rune(l.Sign)), map[byte]string{'+': "added", '-': "removed"}[l.Sign]
	}
	return m
}

func countChangedLines(lines []components.DiffLine) (added, removed int) {
	for i := range lines {
		switch lines[i].Class {
		case "added":
			added++
		case "removed":
			removed++
		}
	}
	return added, removed
}

// cutDiffLines cuts a diff after n lines and returns the number of changed lines left out.
func cutDiffLines(lines []components.DiffLine, n int) (shown []components.DiffLine, left int) {
	if len(lines) <= n {
		return lines, 0
	}
	added, removed := countChangedLines(lines[n:])
	if added+removed == 0 {
		return lines[:n], 0
	}
	return lines[:n], added + removed
}

// highlightDiff highlights the lines as one piece of code. Tokens that span lines may lose
// their color at a change.
func (tb *toolBuilder) highlightDiff(lines []components.DiffLine, lang string, r *highlightBudget) {
	var b strings.Builder
	for i := range lines {
		if lines[i].Class != "hunk" {
			b.WriteString(lines[i].Text)
		}
		b.WriteByte('\n')
	}
	s, ok := tb.blocks.renderer.code.highlightCode(b.String(), lang, r)
	if !ok {
		return
	}
	html := strings.Split(s, "\n")
	if len(html) < len(lines) {
		return
	}
	for i := range lines {
		if lines[i].Class != "hunk" {
			lines[i].HTML = html[i]
		}
	}
}
