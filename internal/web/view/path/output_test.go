package path

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/filediff"
	"sessiontree/web/components"
)

func TestOutput(t *testing.T) {
	m := NewRenderer()
	for _, c := range []struct {
		name, in string
		want     components.BlockModel
	}{
		{"plain", "a <b>\r\nc\n\n", components.BlockModel{Text: "a <b>\nc"}},
		{"colours", "\x1b[1;31mbad\x1b[0m & <i>", components.BlockModel{HTML: `<span class="term-fg31 term-fg1">bad</span> &amp; &lt;i&gt;`}},
		{"256 colours", "\x1b[38;5;208mx\x1b[0m", components.BlockModel{HTML: `<span class="term-fgx208">x</span>`}},
		{"empty lines stay", "\x1b[32ma\x1b[0m\n\nb", components.BlockModel{HTML: "<span class=\"term-fg32\">a</span>\n\nb"}},
		{"a progress bar", "10%\r50%\r100%\ndone", components.BlockModel{HTML: "100%\ndone"}},
		{"a link is text", "\x1b]8;;http://x.example\x07text\x1b]8;;\x07", components.BlockModel{HTML: "text"}},
		{"an image is nothing", "a\x1b]1338;url=http://x.example/p.png;alt=p\x07b", components.BlockModel{HTML: "a\n\nb"}},
		{"hidden characters", "a\u202Eb", components.BlockModel{Text: "a[U+202E]b"}},
		{"hidden characters in colour", "\x1b[31ma\u202Eb\x1b[0m", components.BlockModel{HTML: `<span class="term-fg31">a[U+202E]b</span>`}},
		{"many lines", strings.Repeat("x\n", 20), components.BlockModel{Text: strings.TrimSpace(strings.Repeat("x\n", 13)), Cut: true, Left: "Show 7 more lines"}},
		{"a long line", strings.Repeat("y", 9000), components.BlockModel{Text: strings.Repeat("y", 8192), Cut: true, Left: "Show all, 9 KB"}},
	} {
		c.want.Kind = "out"
		if diff := cmp.Diff(c.want, m.outputBlock(c.in, pageLimits)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestParseDiff(t *testing.T) {
	line := func(class, old, now, sign, text string) components.DiffLine {
		return components.DiffLine{Class: class, Old: old, New: now, Sign: sign, Text: text}
	}
	for _, c := range []struct {
		name, in string
		want     []components.DiffLine
	}{
		{"numbered", "  9 ctx\n-10 old\n+10 new\n+11 more\n 11 end\n    ...\n 40 far", []components.DiffLine{
			line("", "9", "9", " ", "ctx"), line("removed", "10", "", "-", "old"), line("added", "", "10", "+", "new"), line("added", "", "11", "+", "more"),
			line("", "11", "12", " ", "end"), line("hunk", "", "", "", "…"), line("", "40", "41", " ", "far"),
		}},
		{"indentation and empty lines stay", "+1 \ttabbed\n+2   blanks\n+3 \n 3", []components.DiffLine{
			line("added", "", "1", "+", "\ttabbed"), line("added", "", "2", "+", "  blanks"), line("added", "", "3", "+", ""), line("", "3", "6", " ", ""),
		}},
		{"unified", "--- a\n+++ b\n@@ -5,2 +7,3 @@ func\n ctx\n-old\n+new\n+two\n@@ -20 +23 @@\n end\n\\ No newline at end of file\n", []components.DiffLine{
			line("", "5", "7", " ", "ctx"), line("removed", "6", "", "-", "old"), line("added", "", "8", "+", "new"), line("added", "", "9", "+", "two"),
			line("hunk", "", "", "", "…"), line("", "20", "23", " ", "end"),
		}},
		{"neither", "some text\n+added", []components.DiffLine{line("", "", "", "", "some text"), line("added", "", "", "+", "added")}},
		{"hidden characters", "+1 a\u202Eb", []components.DiffLine{line("added", "", "1", "+", "a[U+202E]b")}},
	} {
		if diff := cmp.Diff(c.want, diffLines(filediff.Parse(c.in))); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestCutDiffLines(t *testing.T) {
	lines := diffLines(filediff.Parse(" 1 a\n+2 b\n+3 c\n-4 d\n 5 e"))
	for _, c := range []struct{ n, shown, left int }{{5, 5, 0}, {4, 4, 0}, {2, 2, 2}, {1, 1, 3}} {
		shown, left := cutDiffLines(lines, c.n)
		if len(shown) != c.shown || left != c.left {
			t.Errorf("cutDiff(%d) shows %d and leaves %d, want %d and %d", c.n, len(shown), left, c.shown, c.left)
		}
	}
}
