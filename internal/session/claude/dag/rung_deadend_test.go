package dag

import "testing"

func TestRung_deadEnd(t *testing.T) {
	drawings(t,
		drawing{"the result went on", "u U\na A call=1\nd A\nr<a U result=1\nb A", "s: u a d r b", "a:3"},
		drawing{"a deeper dead end is folded", "u U\na A\nd A\ne A\nf A\nr<a U\nb A", "s: u a d r b; [e f]", "a:3"},
		drawing{"twenty below are dead", "a A\nd A\n" + chain("x", "d", "S", 20) + "r<a U\nb A", "s: a d r b; [x1 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x2 x20 x3 x4 x5 x6 x7 x8 x9]", "a:3"},
		drawing{"twenty-one are alive", "a A\nd A\nx1 S\nx2 S\n" + chain("y", "x2", "S", 19) + "r<a U\nb A", "s: a; s@d: d x1 x2 y1 y2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 y14 y15 y16 y17 y18 y19; s@r: r b", "a:7"},
		drawing{"agents hang on what is lifted from below", "u U\na A call=1\nd A task=2\nq U result=2 agent=x\nr<a U result=1\nb A", "s: u a d q r b", "a:3"},
		drawing{"not with two that went on", "u U\na A\nd A\nr<a U\nb A\nq<a U\nc A", "s: u a; s@d: d; s@q: q c; s@r: r b", "a:7"},
	)
}
