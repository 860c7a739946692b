package path

import (
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxComparedBytes limits the text of an edit that is compared. A larger edit has no diff.
const maxComparedBytes = 256 << 10

// fillDiff fills in the diff of an edit: the recorded one, or one computed from the call's
// arguments.
func (tb *toolBuilder) fillDiff(m *components.ToolModel, cl *toolCall, res int, of string, r *highlightBudget) {
	lines := tb.recordedDiff(res, of)
	if len(lines) == 0 && !m.Err {
		lines = diffEdits(cl.args.listEdits())
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
	tb.highlightDiff(shown, languageName(cl.args.filePath()), r)
	if file := cl.args.filePath(); file != "" {
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
			return parseDiff(b.Text)
		}
	}
	return nil
}

// diffEdits compares the texts of an edit's arguments. Their place in the file is not
// known, so the lines have no numbers.
func diffEdits(edits []textEdit) []components.DiffLine {
	var out []components.DiffLine
	for i, e := range edits {
		if len(e.oldText())+len(e.newText()) > maxComparedBytes {
			return nil
		}
		if len(edits) > 1 {
			out = append(out, components.DiffLine{Class: "hunk", Text: "edit " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(edits))})
		}
		for _, l := range parseDiff(udiff.Unified("", "", withLineEnd(e.oldText()), withLineEnd(e.newText()))) {
			l.Old, l.New = "", ""
			out = append(out, l)
		}
	}
	return out
}

func withLineEnd(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// parseDiff parses lines that begin with a sign. Line numbers are part of the lines ("+ 12
// text", as pi writes them) or come from "@@" headers.
func parseDiff(text string) []components.DiffLine {
	p := diffParser{}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		p.parseDiffLine(strings.TrimSuffix(line, "\r"))
	}
	return p.out
}

type diffParser struct {
	out     []components.DiffLine
	unified bool
	old     int // number of the next old line
	shift   int // new number minus old number
}

func (p *diffParser) parseDiffLine(s string) {
	switch {
	case strings.HasPrefix(s, "@@"):
		if p.parseHunkHeader(s) && len(p.out) > 0 {
			p.out = append(p.out, components.DiffLine{Class: "hunk", Text: "…"})
		}
	case !p.unified && (strings.HasPrefix(s, "--- ") || strings.HasPrefix(s, "+++ ")) && len(p.out) < 2 && !startsWithNumber(s[1:]):
		// The names of the files.
	case strings.HasPrefix(s, `\ `):
		// "No newline at end of file".
	case s == "":
		p.addSignedLine(' ', "")
	default:
		p.addSignedLine(s[0], s[1:])
	}
}

// parseHunkHeader parses "@@ -424,7 +424,9 @@".
func (p *diffParser) parseHunkHeader(s string) bool {
	f := strings.Fields(s)
	if len(f) < 3 || !strings.HasPrefix(f[1], "-") || !strings.HasPrefix(f[2], "+") {
		return false
	}
	p.unified = true
	p.old = leadingInt(f[1][1:])
	p.shift = leadingInt(f[2][1:]) - p.old
	return true
}

func leadingInt(s string) int {
	s, _, _ = strings.Cut(s, ",")
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func startsWithNumber(s string) bool {
	s = strings.TrimLeft(s, " ")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func (p *diffParser) addSignedLine(sign byte, rest string) {
	if !p.unified {
		trimmed := strings.TrimLeft(rest, " ")
		if sign == ' ' && strings.TrimSpace(rest) == "..." {
			p.out = append(p.out, components.DiffLine{Class: "hunk", Text: "…"})
			return
		}
		num, text, _ := strings.Cut(trimmed, " ")
		n, err := strconv.Atoi(num)
		if err != nil {
			p.addNumberedLine(sign, 0, rest)
			return
		}
		p.addNumberedLine(sign, n, text)
		return
	}
	n := p.old
	if sign == '+' {
		n += p.shift
	}
	p.addNumberedLine(sign, n, rest)
	if sign != '+' {
		p.old++
	}
}

// addNumberedLine adds a line; n is its number on its own side, 0 = unknown.
func (p *diffParser) addNumberedLine(sign byte, n int, text string) {
	if len(text) > maxLineBytes {
		text, _ = view.CutBytes(text, maxLineBytes)
		text += " …"
	}
	l := components.DiffLine{Text: view.EscapeInvisible(text), Sign: string(sign)}
	num := func(n int) string {
		if n <= 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	switch sign {
	case '+':
		l.Class, l.New = "added", num(n)
		p.shift++
	case '-':
		l.Class, l.Old = "removed", num(n)
		p.shift--
	case ' ':
		l.Old = num(n)
		if n > 0 {
			l.New = num(n + p.shift)
		}
	default:
		l.Sign, l.Text = "", view.EscapeInvisible(string(sign)+text)
	}
	p.out = append(p.out, l)
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
