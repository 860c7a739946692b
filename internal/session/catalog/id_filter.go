package catalog

import "slices"

// bitsPerID and probesPerID give one false positive in 2,000 ids. It only costs a
// reading of the file.
const (
	bitsPerID   = 16
	probesPerID = 8
)

// idFilter is a Bloom filter of the ids of a session's entries: a repeated id changes
// more than sums. It may report an unknown id as known, never the reverse.
type idFilter struct {
	Bits []uint64
	Room int // number of further ids before the filter is too full
	// Recent are the hashes of the last ids that were added. Bits of a large session is too
	// large to be copied for every append.
	Recent []uint64
}

// maxRecentIDs is how many ids are added to a filter before its bits are copied.
const maxRecentIDs = 256

// newIDFilter returns a filter with room for n ids and for as many more as a session
// grows by before it is usually read again.
func newIDFilter(n int) idFilter {
	room := n + n/2 + 64
	return idFilter{Bits: make([]uint64, (room*bitsPerID+63)/64), Room: room}
}

// addID adds an id. The filters that f was copied from stay as they are.
func (f *idFilter) addID(id string) {
	if len(f.Recent) == maxRecentIDs {
		f.Bits = slices.Clone(f.Bits)
		for _, hash := range f.Recent {
			f.setBits(hash)
		}
		f.Recent = nil
	}
	f.Room--
	f.Recent = append(slices.Clip(f.Recent), hashEntryID(id))
}

func (f *idFilter) mayContain(id string) bool {
	hash := hashEntryID(id)
	return f.Room <= 0 || slices.Contains(f.Recent, hash) ||
		f.eachBit(hash, func(word *uint64, bit uint64) bool { return *word&bit != 0 })
}

// setBits sets the bits of the hash of an id.
func (f *idFilter) setBits(hash uint64) {
	f.eachBit(hash, func(word *uint64, bit uint64) bool {
		*word |= bit
		return true
	})
}

// eachBit calls fn with the bits of the hash of an id until it returns false.
func (f *idFilter) eachBit(hash uint64, fn func(word *uint64, bit uint64) bool) bool {
	at, step := uint64(uint32(hash)), hash>>32|1
	for range probesPerID {
		i := at % uint64(len(f.Bits)*64)
		if !fn(&f.Bits[i/64], 1<<(i%64)) {
			return false
		}
		at += step
	}
	return true
}
