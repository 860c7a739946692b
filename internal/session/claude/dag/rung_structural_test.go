package dag

import "testing"

func TestRung_structural(t *testing.T) {
	drawings(t,
		drawing{"a hook beside the answer", "u U\na A\nh<u T @9", "s: u h a", "u:1"},
		drawing{"nothing but hooks, by time", "u U\na A\nh T @9\ni<a T @5", "s: u a i h", "a:1"},
		drawing{"what is below a hook is folded", "u U\nh T\ni T\nj T\na<u A", "s: u h a; [i j]", "u:1"},
		drawing{"a chain of hooks of any length", "u U\n" + chain("h", "u", "T", 30) + "a<u A", "s: u h1 a; [h10 h11 h12 h13 h14 h15 h16 h17 h18 h19 h2 h20 h21 h22 h23 h24 h25 h26 h27 h28 h29 h3 h30 h4 h5 h6 h7 h8 h9]", "u:1"},
		drawing{"set aside before a rewind", "u U\na<u A\nb<u A\nh<u T @9", "s: u h; s@a: a; s@b: b", "u:7"},
		drawing{"a hook that carries conversation is none", "u U\nh T\nv U\nb<u A", "s: u b h v", "u:4"},
	)
}
