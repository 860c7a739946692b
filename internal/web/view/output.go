package view

import (
	"strings"

	"github.com/buildkite/terminal-to-html/v3"

	"sessiontree/web/components"
)

// How much of a text a page shows; the rest is fetched.
const (
	maxText     = 8 << 10 // prose, JSON, file contents
	outputLines = 13      // what fits the box of an output
	diffLines   = 24
	maxLine     = 2 << 10 // of one output or diff line
	maxWhole    = 2 << 20 // "show all" of one block: more is for the recorded line
	maxBlocks   = 100     // of one entry
	maxRest     = 1000    // blocks of one entry that are fetched at once
)

// limits is how much of an entry is shown.
type limits struct {
	text, lines, diff int
	blocks            int
	colours           int // bytes of code that may be coloured
}

var (
	pageLimits  = limits{maxText, outputLines, diffLines, maxBlocks, pageHighlight}
	wholeLimits = limits{maxWhole, maxWhole, maxWhole, maxWhole, maxHighlight}
	// readerLimits are of pages that stand by themselves.
	readerLimits = limits{maxWhole, maxWhole, maxWhole, maxWhole, pageHighlight}
)

// output is what a tool or a command printed. Terminal colours become classes.
func (m *markdown) output(s string, l limits) components.BlockModel {
	s = strings.TrimRight(s, " \t\r\n")
	head, left := cutLines(s, l.lines)
	head, cut := cutBytes(head, min(l.text, maxWhole))
	out := components.BlockModel{Kind: "out", Cut: cut || left > 0}
	switch {
	case left > 0:
		out.Left = "Show " + plural(left, "more line", "more lines")
	case cut:
		out.Left = "Show all, " + fileSize(int64(len(s)))
	}
	if strings.ContainsAny(head, "\x1b\b") || bareReturn(head) {
		out.HTML = m.terminal(head)
	} else {
		out.Text = visible(strings.ReplaceAll(head, "\r\n", "\n"))
	}
	return out
}

// bareReturn reports whether a line overwrites itself, as progress bars do.
func bareReturn(s string) bool {
	for i := strings.IndexByte(s, '\r'); i >= 0; {
		if i+1 < len(s) && s[i+1] != '\n' {
			return true
		}
		next := strings.IndexByte(s[i+1:], '\r')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// terminal plays s on a screen and answers sanitised HTML with classes. Only
// spans survive: no links, no images, whatever the escape sequences ask for.
func (m *markdown) terminal(s string) string {
	k := keyOf("terminal", s)
	if out, ok := m.cache.get(k); ok {
		return out
	}
	lines := strings.Count(s, "\n") + 1
	screen, err := terminal.NewScreen(terminal.WithSize(1000, lines+1), terminal.WithMaxSize(1000, 0))
	if err != nil { // the size is positive
		panic(err)
	}
	screen.Timestamps = false
	screen.Write([]byte(visibleInput(s)))
	out := strings.ReplaceAll(screen.AsHTML(), "&nbsp;\n", "\n")
	out = strings.TrimRight(m.term.Sanitize(out), "\n")
	m.cache.put(k, out)
	return out
}

// visibleInput is visible for text on its way to a terminal, which needs its
// control characters.
func visibleInput(s string) string {
	if strings.IndexFunc(s, hidesOnScreen) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidesOnScreen(r) {
			b.WriteString(visible(string(r)))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func hidesOnScreen(r rune) bool { return r >= 0x7f && hides(r) }
