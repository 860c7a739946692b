package view

import (
	"strings"

	"github.com/buildkite/terminal-to-html/v3"

	"sessiontree/web/components"
)

// How much of a text a page shows; the rest is fetched.
const (
	maxBlockBytes      = 8 << 10 // prose, JSON, file contents
	maxOutputLines     = 13      // what fits the box of an output
	maxDiffLines       = 24
	maxLineBytes       = 2 << 10 // of one output or diff line
	maxWholeBlockBytes = 2 << 20 // "show all" of one block: more is for the recorded line
	maxEntryBlocks     = 100     // of one entry
	maxRemainingBlocks = 1000    // blocks of one entry that are fetched at once
)

// itemLimits is how much of an entry is shown.
type itemLimits struct {
	text, lines, diff int
	blocks            int
	highlight         int // bytes of code that may be coloured
}

var (
	pageLimits  = itemLimits{maxBlockBytes, maxOutputLines, maxDiffLines, maxEntryBlocks, pageHighlightBytes}
	wholeLimits = itemLimits{maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, maxHighlightBytes}
	// standaloneLimits are of pages that stand by themselves.
	standaloneLimits = itemLimits{maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, pageHighlightBytes}
)

// outputBlock is what a tool or a command printed. Terminal colours become classes.
func (m *markdownRenderer) outputBlock(s string, l itemLimits) components.BlockModel {
	s = strings.TrimRight(s, " \t\r\n")
	head, left := cutLines(s, l.lines)
	head, cut := cutBytes(head, min(l.text, maxWholeBlockBytes))
	out := components.BlockModel{Kind: "out", Cut: cut || left > 0}
	switch {
	case left > 0:
		out.Left = "Show " + pluralize(left, "more line", "more lines")
	case cut:
		out.Left = "Show all, " + formatFileSize(int64(len(s)))
	}
	if strings.ContainsAny(head, "\x1b\b") || hasBareReturn(head) {
		out.HTML = m.renderTerminal(head)
	} else {
		out.Text = escapeInvisible(strings.ReplaceAll(head, "\r\n", "\n"))
	}
	return out
}

// hasBareReturn reports whether a line overwrites itself, as progress bars do.
func hasBareReturn(s string) bool {
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

// renderTerminal plays s on a screen and answers sanitised HTML with classes. Only
// spans survive: no links, no images, whatever the escape sequences ask for.
func (m *markdownRenderer) renderTerminal(s string) string {
	k := newRenderKey("terminal", s)
	if out, ok := m.cache.findRendered(k); ok {
		return out
	}
	lines := strings.Count(s, "\n") + 1
	screen, err := terminal.NewScreen(terminal.WithSize(1000, lines+1), terminal.WithMaxSize(1000, 0))
	if err != nil { // the size is positive
		panic(err)
	}
	screen.Timestamps = false
	screen.Write([]byte(escapeForTerminal(s)))
	out := strings.ReplaceAll(screen.AsHTML(), "&nbsp;\n", "\n")
	out = strings.TrimRight(m.terminalPolicy.Sanitize(out), "\n")
	m.cache.addRendered(k, out)
	return out
}

// escapeForTerminal is visible for text on its way to a terminal, which needs its
// control characters.
func escapeForTerminal(s string) string {
	if strings.IndexFunc(s, isUnsafeOnTerminal) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isUnsafeOnTerminal(r) {
			b.WriteString(escapeInvisible(string(r)))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isUnsafeOnTerminal(r rune) bool { return r >= 0x7f && isInvisible(r) }
