package dag

import "testing"

func TestRung_toolResult(t *testing.T) {
	drawings(t,
		drawing{"one result", "u U\na A call=1\nr U result=1\nb<a A", "s: u a r b", "a:2"},
		drawing{"two results", "u U\na A call=1 call=2\nr U result=1\nq<a U result=2\nb<a A", "s: u a r q b", "a:2"},
		drawing{"hooks below a result are folded", "u U\na A call=1\nr U result=1\nh T\nb<a A", "s: u a r b; [h]", "a:2"},
		drawing{"parallel calls", "u U\na A call=1\nb A call=2\nc A call=3\nr<a U result=1\nq<b U result=2\np<c U result=3\nd A", "s: u a r b q c p d", "a:2 b:2"},
		drawing{"a prompt nobody answered", "u U\na A\nv U\nb<a A", "s: u a v b", "a:2"},
		drawing{"a system line goes with the results", "u U\na A call=1\nr U result=1\ny<a S\nb<a A", "s: u a r y b", "a:2"},
		drawing{"not with two answers", "u U\na A\nr U\nb<a A\nc<a A", "s: u a; s@b: b; s@c: c; s@r: r", "a:7"},
	)
}
