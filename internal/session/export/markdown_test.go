package export

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

func TestNeutralizeHTML(t *testing.T) {
	for in, want := range map[string]string{
		"plain *text* & `<b>`":                        "plain *text* & `<b>`",
		"a <b>bold</b> <script>x":                     "a &lt;b>bold&lt;/b> <script>x",
		"<script>alert(1)</script>":                   "&lt;script>alert(1)&lt;/script>",
		"```html\n<b>\n```":                           "```html\n<b>\n```",
		"```html\n<b>":                                "```html\n<b>\n```",
		"~~~~\n<b>\n```":                              "~~~~\n<b>\n```\n~~~~",
		"one ` two\nthree ` <b> ` four":               "one ` two\nthree ` &lt;b> ` four",
		"<!-- open\n\nstill open":                     "&lt;!-- open\n\nstill open",
		"</details>\n\nafter":                         "&lt;/details>\n\nafter",
		"1 < 2, a<b, <https://a.test/>":               "1 < 2, a<b, <https://a.test/>",
		"\x1b[31mred\x1b[0m\r\nnext\x00":              "red\nnext",
		"\u009b31mred\u009d52;c;eA==\u009c\u0085\x7f": "red",
	} {
		if in == "a <b>bold</b> <script>x" {
			want = "a &lt;b>bold&lt;/b> &lt;script>x" // cut off, but still a tag
		}
		if got := neutralizeHTML(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// FuzzNeutralizeHTML checks that the result contains no HTML and no open code.
func FuzzNeutralizeHTML(f *testing.F) {
	for _, s := range []string{"<div>\n```\n<script>\n\n```\n<b>\n", "| `<b> | ` |\n|-|-|\n| `<i> | ` |", "> ```\n> <b>\n", "- a\n\n      <b>\n", "[x]: <b\n", "``` `\n<b>", "<![CDATA[\n`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := neutralizeHTML(s)
		if n := countHTML(out + probeHeading); n != 0 {
			t.Errorf("%q became %q, with %d pieces of HTML", s, out, n)
		}
		if !isCodeClosed(out) {
			t.Errorf("%q became %q, which does not end", s, out)
		}
	})
}

func countHTML(md string) (n int) {
	p := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	_ = ast.Walk(p.Parse(text.NewReader([]byte(md))), func(x ast.Node, in bool) (ast.WalkStatus, error) {
		if k := x.Kind(); in && (k == ast.KindRawHTML || k == ast.KindHTMLBlock) {
			n++
		}
		return ast.WalkContinue, nil
	})
	return n
}

func TestCodeFence(t *testing.T) {
	for in, want := range map[string]string{
		"a\n":       "```\na\n```\n",
		"a ``` b":   "````\na ``` b\n````\n",
		"`````\rx":  "``````\n`````\nx\n``````\n",
		"":          "```\n\n```\n",
		"\x1b[1mb":  "```\nb\n```\n",
		"<b>&amp;<": "```\n<b>&amp;<\n```\n",
	} {
		if got := codeFence("", in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestOmitMiddle(t *testing.T) {
	long := strings.Repeat("line\n", 100)
	if got := strings.Count(omitMiddle(long), "\n") + 1; got != maxOutputLines+1 {
		t.Errorf("%d lines", got)
	}
	if got := omitMiddle(strings.Repeat("é", maxOutputBytes)); len(got) > maxOutputBytes+60 || !strings.Contains(got, "bytes left out") {
		t.Errorf("%d bytes", len(got))
	}
	if got := omitMiddle("a\nb"); got != "a\nb" {
		t.Errorf("%q", got)
	}
}
