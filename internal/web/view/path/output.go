package path

import (
	"strings"

	"github.com/buildkite/terminal-to-html/v3"

	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// Limits of what a page shows. The rest is requested separately.
const (
	maxBlockBytes      = 8 << 10 // prose, JSON, file contents
	maxOutputLines     = 13      // lines that fit the box of an output
	maxDiffLines       = 24
	maxLineBytes       = 2 << 10 // of one line of output or diff
	maxWholeBlockBytes = 2 << 20 // of an expanded block; beyond it there is only the raw line
	maxEntryBlocks     = 100     // blocks of one entry
	maxRemainingBlocks = 1000    // blocks of one entry per request
)

// itemLimits limits how much of an entry is shown.
type itemLimits struct {
	text, lines, diff int
	blocks            int
	highlight         int // bytes of code to highlight
}

var (
	pageLimits  = itemLimits{maxBlockBytes, maxOutputLines, maxDiffLines, maxEntryBlocks, pageHighlightBytes}
	wholeLimits = itemLimits{maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, maxHighlightBytes}
	// standaloneLimits apply to HTML exports.
	standaloneLimits = itemLimits{maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, maxWholeBlockBytes, pageHighlightBytes}
)

// outputBlock returns the output of a tool or a command, with terminal colors as classes.
func (m *Renderer) outputBlock(s string, l itemLimits) components.BlockModel {
	s = strings.TrimRight(s, " \t\r\n")
	head, left := view.CutLines(s, l.lines)
	head, cut := view.CutBytes(head, min(l.text, maxWholeBlockBytes))
	out := components.BlockModel{Kind: "out", Cut: cut || left > 0}
	switch {
	case left > 0:
		out.Left = "Show " + components.Pluralize(left, "more line", "more lines")
	case cut:
		out.Left = "Show all, " + view.FormatFileSize(int64(len(s)))
	}
	if strings.ContainsAny(head, "\x1b\b") || hasBareReturn(head) {
		out.HTML = m.renderTerminal(head)
	} else {
		out.Text = view.EscapeInvisible(strings.ReplaceAll(head, "\r\n", "\n"))
	}
	return out
}

// hasBareReturn reports whether a carriage return overwrites part of a line, as in progress
// bars.
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

// renderTerminal interprets terminal escapes and returns sanitized HTML with classes. Only
// spans remain: no links or images.
func (m *Renderer) renderTerminal(s string) string {
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

// escapeForTerminal is EscapeInvisible for terminal output. It keeps control characters,
// which the terminal interprets.
func escapeForTerminal(s string) string {
	if strings.IndexFunc(s, isInvisibleNonASCII) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isInvisibleNonASCII(r) {
			b.WriteString(view.EscapeInvisible(string(r)))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isInvisibleNonASCII(r rune) bool { return r >= 0x7f && view.IsInvisible(r) }

// entryLimits returns how much of an entry a page of the path shows.
func entryLimits(a view.Audience) itemLimits {
	if a.Standalone {
		return standaloneLimits
	}
	return pageLimits
}
