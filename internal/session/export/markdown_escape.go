package export

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"sessiontree/internal/session/rowtext"
)

// markdownParser parses GitHub Flavored Markdown, which most sites accept. Tables
// matter: the end of a cell decides what is code and what is HTML.
var markdownParser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// neutralizeHTML returns Markdown without HTML and without open code at its end. It keeps
// the content of code unchanged.
func neutralizeHTML(md string) string {
	src := []byte(strings.ToValidUTF8(removeControls(md), "\uFFFD"))
	for range 8 { // escaping may turn text that was hidden by HTML into HTML
		marks := findHTMLTags(src)
		if len(marks) == 0 {
			return closeCode(string(src))
		}
		src = escapeTags(src, marks)
	}
	return closeCode(strings.ReplaceAll(string(src), "<", "&lt;"))
}

// findHTMLTags returns the positions of each "<" that begins or is part of HTML.
func findHTMLTags(src []byte) (marks []int) {
	add := func(s text.Segment) {
		for i := s.Start; i < s.Stop; i++ {
			if src[i] == '<' {
				marks = append(marks, i)
			}
		}
	}
	_ = ast.Walk(markdownParser.Parse(text.NewReader(src)), func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if !in {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				add(n.Segments.At(i))
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				add(n.Lines().At(i))
			}
			if n.HasClosure() {
				add(n.ClosureLine)
			}
		}
		return ast.WalkContinue, nil
	})
	slices.Sort(marks)
	return slices.Compact(marks)
}

func escapeTags(src []byte, marks []int) []byte {
	out, from := make([]byte, 0, len(src)+3*len(marks)), 0
	for _, at := range marks {
		out = append(append(out, src[from:at]...), "&lt;"...)
		from = at + 1
	}
	return append(out, src[from:]...)
}

// probeHeading is appended to test whether the code before it is closed.
const probeHeading = "\n\n# end\n"

// closeCode closes code that is open at the end.
func closeCode(md string) string {
	if isCodeClosed(md) {
		return md
	}
	for _, c := range []byte("`~") {
		if fenced := strings.TrimRight(md, "\n") + "\n" + strings.Repeat(string(c), max(3, longestRun(md, c))); isCodeClosed(fenced) && len(findHTMLTags([]byte(fenced))) == 0 {
			return fenced
		}
	}
	return codeFence("", md)
}

// isCodeClosed reports whether a heading after the text is parsed as a heading.
func isCodeClosed(md string) bool {
	src := []byte(md + probeHeading)
	last, ok := markdownParser.Parse(text.NewReader(src)).LastChild().(*ast.Heading)
	return ok && last.Level == 1 && last.Lines().Len() > 0 && last.Lines().At(0).Start >= len(md)
}

// longestRun returns the length of the longest run of c.
func longestRun(s string, c byte) (most int) {
	n := 0
	for i := range len(s) {
		if n++; s[i] != c {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// codeFence puts a text into a code fence that is longer than any in the text.
func codeFence(lang, s string) string {
	s = removeControls(s)
	fence := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	return fence + lang + "\n" + strings.TrimSuffix(s, "\n") + "\n" + fence + "\n"
}

// markdownSpecial matches characters with a meaning within a line of Markdown.
var markdownSpecial = regexp.MustCompile("[\\\\`*_{}\\[\\]<>()#+!|~&@-]")

// escapeInline returns a text on one line with all Markdown escaped.
func escapeInline(s string) string {
	return markdownSpecial.ReplaceAllString(singleLine(s), `\$0`)
}

// escapeHTMLLine returns a text on one line with all HTML escaped.
func escapeHTMLLine(s string) string { return html.EscapeString(singleLine(s)) }

func singleLine(s string) string { return rowtext.OneLine(removeControls(s)) }

// terminalEscapes matches escape sequences of terminals.
var terminalEscapes = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\x1b\\]|\u009d)[^\x07\x1b\u009c]*(?:\x07|\x1b\\\\|\u009c)?|\x1b[@-Z\\\\-_]")

// removeControls removes control characters and terminal escapes and normalizes line
// ends.
func removeControls(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	s = strings.ReplaceAll(terminalEscapes.ReplaceAllString(s, ""), "\r\n", "\n")
	return string(bytes.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case isControl(r):
			return -1
		}
		return r
	}, []byte(s)))
}

func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0
}
