package view

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"sessiontree/internal/session/rowtext"
)

func TestEscapeInvisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\ttext\nand lines", "plain\ttext\nand lines"},
		{"\u202Egnp.exe", "[U+202E]gnp.exe"},
		{"a\u2066b\u2069", "a[U+2066]b[U+2069]"},
		{"nul\x00 esc\x1b del\x7f", "nul␀ esc␛ del␡"},
		{"c1\u0085 line\u2028", "c1[U+0085] line[U+2028]"},
		{"tag\U000E0041", "tag[U+E0041]"},
		{"שלום", "שלום"},
	} {
		if got := EscapeInvisible(c.in); got != c.want {
			t.Errorf("visible(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCutRunes(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"short", 10, "short"}, {"exactly", 7, "exactly"}, {"some words here", 6, "some w…"}, {"cut at blank", 4, "cut…"}, {"äöüß", 2, "äö…"}, {"äöüß", 4, "äöüß"},
	} {
		if got := rowtext.Cut(c.in, c.n); got != c.want {
			t.Errorf("rowtext.Cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestCutBytes(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
		cut  bool
	}{
		{"abc", 3, "abc", false},
		{"para one\n\npara two", 12, "para one\n", true},
		{"line one\nline two", 12, "line one\n", true},
		{"a\nbbbbbbbbbbbbbbbb", 8, "a\nbbbbbb", true},
		{"ääää", 5, "ää", true},
		{"日本語", 4, "日", true},
	} {
		if got, cut := CutBytes(c.in, c.n); got != c.want || cut != c.cut {
			t.Errorf("cutBytes(%q, %d) = %q, %v, want %q, %v", c.in, c.n, got, cut, c.want, c.cut)
		}
	}
}

// A truncated text is a prefix, within the limit and valid UTF-8.
func TestCutBytes_prefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "n")
		got, cut := CutBytes(s, n)
		if !strings.HasPrefix(s, got) || len(got) > max(n, 0) && cut || cut != (len(got) < len(s)) || !utf8.ValidString(got) {
			t.Errorf("cutBytes(%q, %d) = %q, %v", s, n, got, cut)
		}
	})
}

func TestCutLines(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
		left int
	}{
		{"", 3, "", 0}, {"a\nb\n", 2, "a\nb", 0}, {"a\nb\nc", 2, "a\nb", 1}, {"a\nb\nc\nd\n\n", 1, "a", 3}, {"a", 1, "a", 0},
	} {
		if got, left := CutLines(c.in, c.n); got != c.want || left != c.left {
			t.Errorf("cutLines(%q, %d) = %q, %d, want %q, %d", c.in, c.n, got, left, c.want, c.left)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct{ path, cwd, home, want string }{
		{"/home/dev/proj/a/b.go", "/home/dev/proj", "/home/dev", "a/b.go"},
		{"/home/dev/other/b.go", "/home/dev/proj", "/home/dev", "~/other/b.go"},
		{"/home/device/b.go", "/home/dev/proj", "/home/dev", "/home/device/b.go"},
		{"/etc/hosts", "/", "/", "/etc/hosts"},
		{"rel/b.go", "/home/dev/proj", "/home/dev", "rel/b.go"},
		{"/home/dev", "", "/home/dev", "~"},
	} {
		if got := ShortPath(c.path, c.cwd, c.home); got != c.want {
			t.Errorf("nearPath(%q, %q, %q) = %q, want %q", c.path, c.cwd, c.home, got, c.want)
		}
	}
	for in, want := range map[string]string{"/a/b": "b", `C:\x\y`: "y", "": "", "/": "/"} {
		if got := LastPathElement(in); got != want {
			t.Errorf("project(%q) = %q, want %q", in, got, want)
		}
	}
}
