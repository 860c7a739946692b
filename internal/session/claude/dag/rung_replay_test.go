package dag

import "testing"

func TestRung_replay(t *testing.T) {
	drawings(t,
		drawing{"one turn three times", "u U\ny S\nr<y U @5\nq<y U @5\np<y U @5", "s: u y r; [p q]", "y:6"},
		drawing{"what is below the copies is folded", "u U\ny S\nr<y U @5\na A @6\nq<y U @5\nb A @6", "s: u y r a; [b q]", "y:6"},
		drawing{"not at different times", "u U\ny S\nr<y U @5\na A\nq<y U @6\nb A", "s: u y; s@q: q b; s@r: r a", "y:7"},
	)
}
