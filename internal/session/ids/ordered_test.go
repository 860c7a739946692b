package ids

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
)

// Successive ids sort in their order, also among those of other programs: their time is
// where version 6 has it.
func TestOrderedID(t *testing.T) {
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = newOrderedID()
	}
	if !slices.IsSorted(ids) {
		t.Error("ids made one after the other do not sort")
	}
	id := uuid.MustParse(ids[0])
	if id.Version() != 6 || id.Variant() != uuid.RFC4122 {
		t.Errorf("%s is version %d, variant %d", id, id.Version(), id.Variant())
	}
	// 100 ns since 1582, in the layout of RFC 9562.
	at := uint64(id[0])<<52 | uint64(id[1])<<44 | uint64(id[2])<<36 | uint64(id[3])<<28 | uint64(id[4])<<20 | uint64(id[5])<<12 | uint64(id[6]&0xf)<<8 | uint64(id[7])
	const begin = 0x01b21dd213814000 // 1970
	if off := time.Since(time.Unix(0, int64(at-begin)*100)); off < 0 || off > time.Minute {
		t.Errorf("%s is off by %v", id, off)
	}
}
