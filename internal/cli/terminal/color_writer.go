package terminal

import (
	"bufio"
	"io"
	"os"
	"strings"
)

// Escape sequences for terminal colors and attributes.
const (
	resetColor = "\x1b[0m"
	Bold       = "\x1b[1m"
	Dim        = "\x1b[2m"
	Red        = "\x1b[31m"
	Green      = "\x1b[32m"
	Yellow     = "\x1b[33m"
	Blue       = "\x1b[34m"
	Cyan       = "\x1b[36m"
)

// ColorWriter writes to a terminal, in color where supported. Colors are the only control
// characters that it writes.
type ColorWriter struct {
	*bufio.Writer
	useColor bool
	width    int // in columns, 0 if unlimited
	column   int // of the next text
}

// NewColorWriter returns a writer to w that uses colors if w is a terminal that has them.
func NewColorWriter(w io.Writer) *ColorWriter {
	width := 0
	f, terminal := FindTerminal(w)
	if terminal {
		width = terminalWidth(f)
	}
	colour := terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if s, ok := w.(*SanitizingWriter); ok {
		w = s.out // WriteColored replaces control characters itself and keeps the colors
	}
	return &ColorWriter{Writer: bufio.NewWriter(w), useColor: colour, width: width}
}

// WriteColored writes text in a color, "" for the terminal's default.
func (w *ColorWriter) WriteColored(colour, text string) {
	text = string(replaceControls([]byte(text)))
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		w.column = DisplayWidth(text[i+1:])
	} else {
		w.column += DisplayWidth(text)
	}
	if w.useColor && colour != "" && text != "" {
		text = colour + text + resetColor
	}
	_, _ = w.WriteString(text) // Flush returns the error
}

// fitLine truncates a text to the rest of the line and leaves room for the columns after
// it.
func (w *ColorWriter) fitLine(text string, after int) string {
	const least = 12 // a shorter text is unreadable
	if w.width == 0 {
		return text
	}
	return truncateToWidth(text, max(least, w.width-w.column-after))
}

// WriteIndented writes a text with indented lines.
func (w *ColorWriter) WriteIndented(text string) {
	for line := range strings.Lines(text) {
		w.WriteColored("", "  "+CleanLine(strings.TrimRight(line, "\r\n"))+"\n")
	}
}
