package catalog

import (
	"fmt"
	"testing"
)

// A filter contains every id that was added to it. Ids that are added to a copy are not
// added to the original, which others may be reading.
func TestIDFilter_copies(t *testing.T) {
	const n = 3*maxRecentIDs + 1
	id := func(i int) string { return fmt.Sprintf("entry-%d", i) }
	filter := newIDFilter(2 * n)
	copies := []idFilter{filter}
	for i := range n {
		filter.addID(id(i))
		copies = append(copies, filter)
	}
	for added, f := range copies {
		wrong := 0
		for i := range n {
			switch known := f.mayContain(id(i)); {
			case i < added && !known:
				t.Fatalf("a filter does not contain id %d of %d", i, added)
			case i >= added && known:
				wrong++
			}
		}
		if wrong > n/100 {
			t.Errorf("a filter of %d ids takes %d of %d others for known", added, wrong, n-added)
		}
	}
}
