package catalog

// bitsPerID and probesPerID make one id in 2,000 seem known that is not: it costs a
// reading of its file, no more.
const (
	bitsPerID   = 16
	probesPerID = 8
)

// idFilter remembers the ids of a session's entries: an id recorded again changes
// more than sums. It may take an id for known that is not, never the other way.
type idFilter struct {
	Bits []uint64
	Room int // ids that it takes before it tells too little
}

// newIDFilter makes room for n ids and as many more as a session grows by before
// it is read anew anyway.
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

// eachBit calls fn with the bits of an id until it answers false.
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
