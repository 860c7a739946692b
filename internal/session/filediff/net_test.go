package filediff

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	diff := func(s string) Edit { return Edit{Lines: Parse(s)} }
	for _, c := range []struct {
		name  string
		edits []Edit
		want  string
	}{
		{"one", []Edit{diff(" 1 a\n-2 b\n+2 c\n 3 d")}, " 1 1 a|- 2 0 b|+ 0 2 c| 3 3 d"},
		{"an added line is removed again", []Edit{diff(" 1 a\n+2 x\n 2 b"), diff(" 1 a\n-2 x\n 3 b")}, ""},
		{"an added line is changed", []Edit{diff(" 1 a\n+2 x\n 2 b"), diff(" 1 a\n-2 x\n+2 y\n 3 b")}, " 1 1 a|+ 0 2 y| 2 3 b"},
		{"the second is above", []Edit{diff("-20 t\n+20 T"), diff("+1 new"), diff(" 20 s\n-21 T\n+21 U")}, "+ 0 1 new|@ 0 0 …| 19 20 s|- 20 0 t|+ 0 21 U"},
		{"a new file is edited", []Edit{{Content: "a\nb\n"}, diff(" 1 a\n-2 b\n+2 c")}, "+ 0 1 a|+ 0 2 c"},
		{"no numbers", []Edit{diff("+1 a"), {Lines: DiffTexts([]TextEdit{{OldText: "x", NewText: "y"}})}}, "+ 0 1 a|@ 0 0 …|- 0 0 x|+ 0 0 y"},
		{"only no numbers", []Edit{{Lines: DiffTexts([]TextEdit{{OldText: "x", NewText: "y"}})}}, "- 0 0 x|+ 0 0 y"},
		{"a replaced file", []Edit{diff("-1 a\n+1 b"), {Content: "c"}}, "+ 0 1 c"},
		{"none", nil, ""},
	} {
		var got []string
		for _, l := range Join(c.edits).Lines {
			numbers := " "
			if l.Sign != ' ' {
				numbers = string(rune(l.Sign)) + " "
			}
			got = append(got, numbers+strconv.Itoa(l.Old)+" "+strconv.Itoa(l.New)+" "+l.Text)
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A net diff describes the difference between the file before all edits and after them.
func TestJoin_isTheDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", "c", "d", ""})
		first := rapid.SliceOfN(line, 0, 30).Draw(rt, "first")
		now, edits, sum := first, []Edit(nil), 0
		for range rapid.IntRange(1, 5).Draw(rt, "edits") {
			at := rapid.IntRange(0, len(now)).Draw(rt, "at")
			cut := rapid.IntRange(0, min(5, len(now)-at)).Draw(rt, "cut")
			next := slices.Concat(now[:at], rapid.SliceOfN(line, 0, 4).Draw(rt, "new"), now[at+cut:])
			if d := udiff.Unified("a", "b", joinLines(now), joinLines(next)); d != "" {
				edits = append(edits, Edit{Lines: Parse(d)})
				added, _ := CountChanges(edits[len(edits)-1].Lines)
				sum += added
			}
			now = next
		}
		net := Join(edits)
		if net.Added-net.Removed != len(now)-len(first) || net.Added > sum {
			rt.Errorf("+%d -%d between %q and %q", net.Added, net.Removed, first, now)
		}
		if got := applyNet(first, net.Lines); !cmp.Equal(got, now) && len(now)+len(got) > 0 {
			rt.Errorf("%q, want %q\n%v", got, now, net.Lines)
		}
	})
}

func joinLines(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// applyNet applies a diff to a text.
func applyNet(text []string, diff []Line) (out []string) {
	at := 0
	for _, l := range diff {
		switch l.Sign {
		case '+':
			for len(out) < l.New-1 {
				out, at = append(out, text[at]), at+1
			}
			out = append(out, l.Text)
		case '-':
			for at < l.Old-1 {
				out, at = append(out, text[at]), at+1
			}
			if text[at] != l.Text {
				return nil
			}
			at++
		}
	}
	return append(out, text[at:]...)
}
