package dag

import "testing"

func TestRung_rewind(t *testing.T) {
	drawings(t,
		drawing{"two prompts on one answer", "u U\na A\nv U\nb A\nw<a U\nc A", "s: u a; s@v: v b; s@w: w c", "a:7"},
		drawing{"a branch of a branch", "u U\na A\nv U\nb A\nx U\ny<b U\nw<a U", "s: u a; s@v: v b; s@v@x: x; s@v@y: y; s@w: w", "a:7 b:7"},
		drawing{"branches are told apart by more of their ids", "u U\nsame-beginning-1<u U\nsame-beginning-2<u U", "s: u; s@same-beginning-1: same-beginning-1; s@same-beginning-2: same-beginning-2", "u:7"},
		drawing{"several roots are one line by time", "b< U @2\na< U @1\nc< U @3", "s: a b c", ""},
		drawing{"an entry that names itself is a root", "a<a U\nb A", "s: a b", ""},
		drawing{"a ring is cut", "a<b U\nb<a A", "s: a b", ""},
	)
}
