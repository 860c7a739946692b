package terminal

import (
	"bytes"
	"testing"
)

// Progress is one line, which is cleared whatever the result.
func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		done []int
		want string
	}{
		{[]int{500, 1000}, "\r500 of 1000\r1000 of 1000\r\x1b[K"},
		{[]int{500}, "\r500 of 1000\r\x1b[K"},
		{nil, ""},
	} {
		var output bytes.Buffer
		w := ProgressLine{w: &output}
		for _, n := range c.done {
			w.showProgress(n, 1000)
		}
		if w.Clear(); output.String() != c.want {
			t.Errorf("%v: %q, want %q", c.done, output.String(), c.want)
		}
	}
}
