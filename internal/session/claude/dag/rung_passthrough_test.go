package dag

import "testing"

func TestRung_passthrough(t *testing.T) {
	drawings(t,
		drawing{"below a progress line", "u U\na A\np T\nb A\nr<a U", "s: u a r p b", "a:4"},
		drawing{"beside a system line", "u U\np T\nb A\ny<u S", "s: u y p b", "u:4"},
		drawing{"what is beside it is folded below", "u U\na A\np T\nb A\nr<a U\ny S", "s: u a r p b; [y]", "a:4"},
		drawing{"not with two of them", "u U\np T\nb A\nq<u T\nc A", "s: u; s@p: p b; s@q: q c", "u:7"},
		drawing{"not beside conversation that goes on", "u U\np T\nb A\nv<u U\nc A", "s: u; s@p: p b; s@v: v c", "u:7"},
	)
}
