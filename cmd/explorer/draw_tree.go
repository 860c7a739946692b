package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// Escape sequences for terminal colors and attributes.
const (
	resetColor = "\x1b[0m"
	bold       = "\x1b[1m"
	dim        = "\x1b[2m"
	red        = "\x1b[31m"
	green      = "\x1b[32m"
	yellow     = "\x1b[33m"
	blue       = "\x1b[34m"
	cyan       = "\x1b[36m"
)

// colorWriter writes to a terminal, in color where supported. Colors are the only control
// characters that it writes.
type colorWriter struct {
	*bufio.Writer
	useColor bool
	width    int // in columns, 0 if unlimited
	column   int // of the next text
}

func newColorWriter(w io.Writer) *colorWriter {
	width := 0
	f, terminal := findTerminal(w)
	if terminal {
		width = terminalWidth(f)
	}
	colour := terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if s, ok := w.(*sanitizingWriter); ok {
		w = s.out // writeColored replaces control characters itself and keeps the colors
	}
	return &colorWriter{Writer: bufio.NewWriter(w), useColor: colour, width: width}
}

// writeColored writes text in a color, "" for the terminal's default.
func (p *colorWriter) writeColored(colour, text string) {
	text = string(replaceControls([]byte(text)))
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		p.column = displayWidth(text[i+1:])
	} else {
		p.column += displayWidth(text)
	}
	if p.useColor && colour != "" && text != "" {
		text = colour + text + resetColor
	}
	_, _ = p.WriteString(text) // Flush returns the error
}

// drawTree prints the tree, like git log --graph.
func (p *program) drawTree(t *session.Tree, v outline.View, notes []noteJSON) error {
	out := newColorWriter(p.out)
	o := outline.Build(t, v)
	for i, r := range o.Rows.All() {
		if r.RuleAbove {
			out.writeColored("", "\n")
		}
		if v.Layout == outline.LayoutOutline {
			out.writeColored(dim, o.IndentPrefix(i))
		} else {
			drawGraph(out, r, t.At(r.Title))
		}
		drawRow(out, t, r, v.Layout)
	}
	if o.Rows.Len() == 0 {
		out.writeColored("", "No entries with filter "+v.Filter.String()+".\n")
	}
	for _, n := range notes {
		out.writeColored(yellow, fmt.Sprintf("note %s: line %d: %s\n", n.Code, n.Line, cleanLine(n.Text)))
	}
	return out.Flush()
}

func drawGraph(out *colorWriter, r *outline.Row, e *session.Entry) {
	for _, c := range r.GraphCells() {
		if c.Node && r.Kind == outline.RowEntry {
			c.Text = nodeGlyph(e)
		}
		out.writeColored(graphColor(r, c), c.Text)
	}
}

// nodeGlyph returns the symbol for an entry. It distinguishes prompts, answers, summaries
// and everything else.
func nodeGlyph(e *session.Entry) string {
	switch {
	case e.Kind == session.KindUser || e.Kind == session.KindShell:
		return "●"
	case e.Kind == session.KindAssistant || e.Kind == session.KindMessage || e.Kind == session.KindCustomMessage:
		return "○"
	case e.Kind == session.KindCompaction || e.Kind == session.KindBranchSummary:
		return "◆"
	}
	return "·"
}

func graphColor(r *outline.Row, c outline.GraphCell) string {
	switch {
	case c.Node && r.Leaf:
		return green
	case c.Path:
		return blue
	}
	return dim
}

// drawRow writes the text of a row, right of the graph.
func drawRow(out *colorWriter, t *session.Tree, r *outline.Row, layout outline.Layout) {
	e := t.At(r.Title)
	text := cleanLine(terminalRowText(t, r))
	if r.Kind == outline.RowBranch && !r.Open && !r.LeafOnly {
		text += " (" + pluralize(r.Count, "entry", "entries") + ")"
	} else if layout == outline.LayoutOutline && !r.Open {
		text += " (" + pluralize(r.Count, "row", "rows") + " folded)"
	}
	if layout == outline.LayoutSpine {
		out.writeColored("", " ")
	}
	out.writeColored(dim, cleanLine(e.ID)+" ")
	label, leaf := "", ""
	if l, ok := t.Label(r.Title); ok && r.Kind != outline.RowFoldedGroup {
		label = " [" + cleanLine(l.Text) + "]"
	}
	if r.Leaf {
		leaf = " (leaf)"
	}
	out.writeColored(rowColor(e, r), out.fitLine(text, displayWidth(label+leaf)))
	out.writeColored(yellow, label)
	out.writeColored(green, leaf)
	out.writeColored("", "\n")
}

// fitLine truncates a text to the rest of the line and leaves room for the columns after
// it.
func (p *colorWriter) fitLine(text string, after int) string {
	const least = 12 // a shorter text is unreadable
	if p.width == 0 {
		return text
	}
	return truncateToWidth(text, max(least, p.width-p.column-after))
}

func pluralize(n int32, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", more)
}

func rowColor(e *session.Entry, r *outline.Row) string {
	switch {
	case r.Hit:
		return bold
	case r.Kind != outline.RowEntry && r.Kind != outline.RowBranch:
		return dim
	case e.HasFlag(session.FlagError):
		return red
	case e.Kind == session.KindUser:
		return blue
	case e.Kind == session.KindBranchSummary || e.Kind == session.KindCompaction:
		return cyan
	case e.Kind == session.KindAssistant:
		return ""
	}
	return dim
}

// cleanLine makes a text fit into one line: line breaks become spaces, control characters
// become visible.
func cleanLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case isTerminalControl(r):
			return '\ufffd'
		}
		return r
	}, s)
}
