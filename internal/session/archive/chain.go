package archive

import (
	"crypto/sha256"
	"encoding"
	"fmt"
	"hash"
	"io"
)

// Chain is the SHA-256 of the first bytes of a generation.
type Chain [sha256.Size]byte

// EmptyChain is the Chain of no bytes.
var EmptyChain = Chain(sha256.Sum256(nil))

// HashChain returns the Chain of the first n bytes of a file. The error is
// io.ErrUnexpectedEOF if it has fewer.
func HashChain(f io.ReaderAt, n int64) (Chain, error) {
	h := sha256.New()
	done, err := io.Copy(h, io.NewSectionReader(f, 0, n))
	if err == nil && done < n {
		err = io.ErrUnexpectedEOF
	}
	return Chain(h.Sum(nil)), err
}

// ChainStateSize is the size of a ChainState.
const ChainStateSize = 108

// ChainState is a Chain that can be continued.
type ChainState [ChainStateSize]byte

// NewChainState returns the state before any bytes.
func NewChainState() (s ChainState) {
	s, _ = saveChain(sha256.New()) // fails only if Extend does
	return s
}

// Extend returns the state and the Chain after more bytes.
func (s ChainState) Extend(data []byte) (ChainState, Chain, error) {
	h := sha256.New()
	if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(s[:]); err != nil {
		return s, Chain{}, fmt.Errorf("state of the hash: %w: %w", err, ErrDamaged)
	}
	h.Write(data)
	next, err := saveChain(h)
	return next, Chain(h.Sum(nil)), err
}

func saveChain(h hash.Hash) (s ChainState, err error) {
	b, err := h.(encoding.BinaryAppender).AppendBinary(s[:0])
	if err == nil && len(b) != len(s) {
		err = fmt.Errorf("the state of a hash has %d bytes", len(b))
	}
	return s, err
}
