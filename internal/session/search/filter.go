package search

// A filter has one bit for every byte of its text, so that it is read much faster. A
// text of less than minFilteredText has none.
const (
	textBytesPerFilterByte = 8
	minFilteredText        = 512
	sequenceLength         = 4
)

// FilterSize returns the number of bytes of the filter of a text of a length.
func FilterSize(length int) int {
	if length < minFilteredText {
		return 0
	}
	return length / textBytesPerFilterByte
}

// NewFilter returns a filter of a text for MayMatchFilter: a Bloom filter of all sequences of
// sequenceLength bytes of the case folded text. It is nil for a short text. A long text has most
// sequences of three letters, and so has a word.
func NewFilter(text []byte) []byte {
	size := FilterSize(len(text))
	if size == 0 {
		return nil
	}
	filter := make([]byte, size)
	folded := FoldCase(string(text))
	for i := range len(folded) - sequenceLength + 1 {
		at, bit := filterBit(filter, folded[i:])
		filter[at] |= bit
	}
	return filter
}

// MayMatchFilter reports whether the text of a filter may contain all words.
func (q *Words) MayMatchFilter(filter []byte) bool {
	if len(filter) == 0 {
		return true
	}
	for _, w := range q.words {
		for i := range len(w) - sequenceLength + 1 {
			if at, bit := filterBit(filter, w[i:]); filter[at]&bit == 0 {
				return false
			}
		}
	}
	return true
}

// filterBit returns the byte of a filter and the bit in it that the first sequenceLength bytes of
// a text set.
func filterBit(filter []byte, text string) (at int, bit byte) {
	const golden = 0x9e3779b1 // 2^32 divided by the golden ratio spreads similar values
	hash := (uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24) * golden
	i := int(uint64(hash) * uint64(len(filter)*8) >> 32)
	return i / 8, 1 << (i % 8)
}
