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
)

// reader reads Markdown as the places do that it is pasted into: where a cell of a
// table ends decides what is code and what is HTML.
var reader = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// harmless answers Markdown that holds no HTML and leaves nothing open behind it.
// What stands in code stays as it is.
func harmless(md string) string {
	src := []byte(strings.ToValidUTF8(printable(md), "\uFFFD"))
	for range 8 { // what was hidden in HTML may be HTML once that is none
		marks := tags(src)
		if len(marks) == 0 {
			return closed(string(src))
		}
		src = escaped(src, marks)
	}
	return closed(strings.ReplaceAll(string(src), "<", "&lt;"))
}

// tags lists where a "<" begins or is part of HTML.
func tags(src []byte) (marks []int) {
	add := func(s text.Segment) {
		for i := s.Start; i < s.Stop; i++ {
			if src[i] == '<' {
				marks = append(marks, i)
			}
		}
	}
	_ = ast.Walk(reader.Parse(text.NewReader(src)), func(n ast.Node, in bool) (ast.WalkStatus, error) {
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

func escaped(src []byte, marks []int) []byte {
	out, from := make([]byte, 0, len(src)+3*len(marks)), 0
	for _, at := range marks {
		out = append(append(out, src[from:at]...), "&lt;"...)
		from = at + 1
	}
	return append(out, src[from:]...)
}

// after is a heading that shows whether what stands before it has ended.
const after = "\n\n# end\n"

// closed ends code that was left open.
func closed(md string) string {
	if ended(md) {
		return md
	}
	for _, c := range []byte("`~") {
		if fenced := strings.TrimRight(md, "\n") + "\n" + strings.Repeat(string(c), max(3, longest(md, c))); ended(fenced) && len(tags([]byte(fenced))) == 0 {
			return fenced
		}
	}
	return code("", md)
}

// ended reports whether a heading after the text is one.
func ended(md string) bool {
	src := []byte(md + after)
	last, ok := reader.Parse(text.NewReader(src)).LastChild().(*ast.Heading)
	return ok && last.Level == 1 && last.Lines().Len() > 0 && last.Lines().At(0).Start >= len(md)
}

// longest is the length of the longest run of c.
func longest(s string, c byte) (most int) {
	n := 0
	for i := range len(s) {
		if n++; s[i] != c {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// code is a text in a fence that nothing in it ends.
func code(lang, s string) string {
	s = printable(s)
	fence := strings.Repeat("`", max(3, longest(s, '`')+1))
	return fence + lang + "\n" + strings.TrimSuffix(s, "\n") + "\n" + fence + "\n"
}

// special is what means something to Markdown within a line.
var special = regexp.MustCompile("[\\\\`*_{}\\[\\]<>()#+!|~&@-]")

// plain is a text on one line in which nothing means anything.
func plain(s string) string {
	return special.ReplaceAllString(oneLine(s), `\$0`)
}

// tag is a text on one line within an HTML element.
func tag(s string) string { return html.EscapeString(oneLine(s)) }

func oneLine(s string) string { return strings.Join(strings.Fields(printable(s)), " ") }

// colours are the escape sequences of terminals.
var colours = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\x1b\\]|\u009d)[^\x07\x1b\u009c]*(?:\x07|\x1b\\\\|\u009c)?|\x1b[@-Z\\\\-_]")

// printable leaves out what is no text.
func printable(s string) string {
	if !strings.ContainsFunc(s, unprintable) {
		return s
	}
	s = strings.ReplaceAll(colours.ReplaceAllString(s, ""), "\r\n", "\n")
	return string(bytes.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case unprintable(r):
			return -1
		}
		return r
	}, []byte(s)))
}

func unprintable(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0
}
