package qrcode

import (
	"fmt"
	"strings"
	"testing"

	"rsc.io/qr"
)

// The path covers exactly the dark units of the code.
func TestNewModel(t *testing.T) {
	const link = "http://192.0.2.10:7778/share/IE9QA3IWBfdFoFXcqGP4Cw"
	m := NewModel(link)
	want, err := qr.Encode(link, qr.M)
	if err != nil || m == nil || m.Size != want.Size+2*quietZone {
		t.Fatalf("%v, %+v", err, m)
	}
	dark := map[[2]int]bool{}
	for part := range strings.SplitSeq(strings.TrimSuffix(m.Path, "z"), "z") {
		var x, y, w, back int
		if n, err := fmt.Sscanf(part, "M%d %dh%dv1h-%d", &x, &y, &w, &back); n != 4 || err != nil || w != back {
			t.Fatalf("%q: %v", part, err)
		}
		for i := range w {
			dark[[2]int{x + i, y}] = true
		}
	}
	for y := range m.Size {
		for x := range m.Size {
			if dark[[2]int{x, y}] != want.Black(x-quietZone, y-quietZone) {
				t.Fatalf("the unit at %d, %d is wrong", x, y)
			}
		}
	}
	if NewModel(strings.Repeat("x", 5000)) != nil {
		t.Error("a link that is too long has a code")
	}
}
