package catalog

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spill"
)

// bitsPerID and probesPerID give one false positive in 2,000 ids. It only costs a
// reading of the file.
const (
	bitsPerID   = 16
	probesPerID = 8
)

// idFilter is a Bloom filter of the ids of a session's entries: a repeated id changes
// more than sums. It may report an unknown id as known, never the reverse.
type idFilter struct {
	Bits  []byte      // nil while they are in a file
	Moved spill.Bytes // the bits in a file
	Room  int         // number of further ids before the filter is too full
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
	return idFilter{Bits: make([]byte, (room*bitsPerID+7)/8), Room: room}
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
	f.Recent = append(slices.Clip(f.Recent), session.HashParts(id))
}

func (f *idFilter) mayContain(id string) bool {
	hash := session.HashParts(id)
	return f.Room <= 0 || slices.Contains(f.Recent, hash) ||
		f.eachBit(hash, func(b *byte, bit byte) bool { return *b&bit != 0 })
}

// setBits sets the bits of the hash of an id.
func (f *idFilter) setBits(hash uint64) {
	f.eachBit(hash, func(b *byte, bit byte) bool {
		*b |= bit
		return true
	})
}

// eachBit calls fn with the bits of the hash of an id until it returns false.
func (f *idFilter) eachBit(hash uint64, fn func(b *byte, bit byte) bool) bool {
	at, step := uint64(uint32(hash)), hash>>32|1
	for range probesPerID {
		i := at % uint64(len(f.Bits)*8)
		if !fn(&f.Bits[i/8], 1<<(i%8)) {
			return false
		}
		at += step
	}
	return true
}

// moveTo returns f with its bits in a file, if they are in memory and large enough. What f was
// stays as it is.
func (f idFilter) moveTo(s spill.Store) (idFilter, error) {
	err := spill.Move(s, &f.Bits, &f.Moved)
	return f, err
}

// isInMemory reports whether f has bits that can be moved to a file.
func (f *idFilter) isInMemory() bool { return len(f.Bits) >= spill.MinSize }

// inMemory returns f with its bits in memory.
func (f idFilter) inMemory() (idFilter, error) {
	err := spill.Load(&f.Bits, &f.Moved)
	return f, err
}
