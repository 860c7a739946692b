package catalog

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
}

// newIDFilter returns a filter with room for n ids and for as many more as a session
// grows by before it is usually read again.
func newIDFilter(n int) idFilter {
	room := n + n/2 + 64
	return idFilter{Bits: make([]uint64, (room*bitsPerID+63)/64), Room: room}
}

func (f *idFilter) addID(id string) {
	f.Room--
	f.eachBit(id, func(word *uint64, bit uint64) bool {
		*word |= bit
		return true
	})
}

func (f *idFilter) mayContain(id string) bool {
	return f.Room <= 0 || f.eachBit(id, func(word *uint64, bit uint64) bool { return *word&bit != 0 })
}

// eachBit calls fn with the bits of an id until it returns false.
func (f *idFilter) eachBit(id string, fn func(word *uint64, bit uint64) bool) bool {
	h := hashEntryID(id)
	at, step := uint64(uint32(h)), h>>32|1
	for range probesPerID {
		i := at % uint64(len(f.Bits)*64)
		if !fn(&f.Bits[i/64], 1<<(i%64)) {
			return false
		}
		at += step
	}
	return true
}
