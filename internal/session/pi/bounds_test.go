package pi_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sessiontree/internal/session/pi"
)

// TestLongIDs checks that long ids are bounded, because pages repeat them in every link.
func TestLongIDs(t *testing.T) {
	t.Parallel()
	scan := func(id, parent string) (string, string) {
		r, err := pi.Format.ScanLine(fmt.Appendf(nil, `{"type":"message","id":%q,"parentId":%q,"message":{"role":"user","content":"x"}}`, id, parent), "")
		if err != nil {
			t.Fatal(err)
		}
		return r.Entry.ID, r.Entry.Parent
	}
	long := strings.Repeat("é", 1<<20)
	a, parent := scan(long+"a", long+"b")
	b, _ := scan(long+"b", "")
	if len(a) > 512 || a == b || parent != b {
		t.Errorf("ids of 2 MB became %q and %q, the parent %q", a, b, parent)
	}
	if id, _ := scan(strings.Repeat("x", 512), ""); id != strings.Repeat("x", 512) {
		t.Errorf("an id of 512 bytes became %q", id)
	}
}

// TestCostsBeyondReason checks that sums of costs stay finite, because JSON has no infinity.
func TestCostsBeyondReason(t *testing.T) {
	t.Parallel()
	for _, cost := range []string{`{"total":1e308}`, `{"total":-1e308}`, `{"total":1e400}`, `{"input":1e308,"output":1e308}`} {
		r, err := pi.Format.ScanLine(fmt.Appendf(nil, `{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[],"usage":{"input":1,"output":1,"cost":%s}}}`, cost), "")
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Entry.Cost(); c != 0 || math.IsNaN(c) {
			t.Errorf("cost %s counts as %v", cost, c)
		}
	}
}
