package session

// HashParts returns a hash of texts in their order. Unlike those of hash/maphash it is the same in every
// run, because catalogs are stored, and it takes eight bytes at a time.
func HashParts[T ~string | ~[]byte](parts ...T) uint64 {
	h := uint64(hashFactor) // mixing 0 gives 0
	for _, part := range parts {
		h = mixHash(h ^ uint64(len(part)))
		for ; len(part) >= 8; part = part[8:] {
			h = mixHash(h ^ (uint64(part[0]) | uint64(part[1])<<8 | uint64(part[2])<<16 | uint64(part[3])<<24 |
				uint64(part[4])<<32 | uint64(part[5])<<40 | uint64(part[6])<<48 | uint64(part[7])<<56))
		}
		rest := uint64(0)
		for i := range len(part) {
			rest |= uint64(part[i]) << (8 * i)
		}
		h = mixHash(h ^ rest)
	}
	return mixHash(h)
}

// hashFactor is odd and has no pattern in its bits: 2^64 divided by the golden ratio.
const hashFactor = 0x9e3779b97f4a7c15

// mixHash spreads the bits of h. No two numbers become the same one.
func mixHash(h uint64) uint64 {
	h *= hashFactor
	return h ^ h>>32
}
