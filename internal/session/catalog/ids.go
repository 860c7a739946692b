package catalog

// idBits and idProbes make one id in 2,000 seem known that is not: it costs a
// reading of its file, no more.
const (
	idBits   = 16
	idProbes = 8
)

// idFilter remembers the ids of a session's entries: an id recorded again changes
// more than sums. It may take an id for known that is not, never the other way.
type idFilter struct {
	Bits []uint64
	Left int // ids that it takes before it tells too little
}

// newIDFilter makes room for n ids and as many more as a session grows by before
// it is read anew anyway.
func newIDFilter(n int) idFilter {
	room := n + n/2 + 64
	return idFilter{Bits: make([]uint64, (room*idBits+63)/64), Left: room}
}

func (f *idFilter) add(id string) {
	f.Left--
	f.each(id, func(word *uint64, bit uint64) bool {
		*word |= bit
		return true
	})
}

func (f *idFilter) has(id string) bool {
	return f.Left <= 0 || f.each(id, func(word *uint64, bit uint64) bool { return *word&bit != 0 })
}

// each calls fn with the bits of an id until it answers false.
func (f *idFilter) each(id string, fn func(word *uint64, bit uint64) bool) bool {
	h := hash(id)
	at, step := uint64(uint32(h)), h>>32|1
	for range idProbes {
		i := at % uint64(len(f.Bits)*64)
		if !fn(&f.Bits[i/64], 1<<(i%64)) {
			return false
		}
		at += step
	}
	return true
}
