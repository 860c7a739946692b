//go:build amd64 || arm64

package search

// findTriple searches blocks of 64 places in a line, which has at least as many bytes after them
// as the greatest offset of the triple. It returns where the first block with places begins and a
// bit for each of its places, the first in the lowest bit. If no block has any, it returns the last
// one. It uses SSE2 or NEON, which every such processor has.
//
//go:noescape
func findTriple(line []byte, blocks int, t *triple) (at int, places uint64)
