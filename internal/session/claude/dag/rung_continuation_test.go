package dag

import "testing"

func TestRung_continuation(t *testing.T) {
	drawings(t,
		drawing{"deeper than dead ends are looked for", "u U\na A call=1\n" + chain("c", "a", "A", 24) + "r<a U result=1\nd A", "s: u a c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20 c21 c22 c23 c24 r d", "a:5"},
		drawing{"within a branch", "u U\nv U call=1\na A call=1\n" + chain("c", "a", "A", 24) + "r<a U result=1\nd A\nw<u U\nx A", "s: u; s@v: v a c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20 c21 c22 c23 c24 r d; s@w: w x", "a:5 u:7"},
		drawing{"not for a typed prompt", "u U\na A call=1\n" + chain("c", "a", "A", 24) + "v<a U\nd A", "s: u a; s@c1: c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20 c21 c22 c23 c24; s@v: v d", "a:7"},
		drawing{"not for the result of another call", "u U\na A call=1\n" + chain("c", "a", "A", 24) + "r<a U result=9\nd A", "s: u a; s@c1: c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20 c21 c22 c23 c24; s@r: r d", "a:7"},
	)
}
