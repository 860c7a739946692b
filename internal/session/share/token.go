package share

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

// tokenBytes is how long a token is; no one guesses 128 bits.
const tokenBytes = 16

var tokens = base64.RawURLEncoding.Strict()

// sum is all that is kept of a token.
type sum [sha256.Size]byte

func (s sum) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

func (s *sum) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err == nil && len(raw) != len(s) {
		err = hex.ErrLength
	}
	copy(s[:], raw)
	return err
}

// newToken makes a token.
func newToken() (string, sum) {
	var raw [tokenBytes]byte
	_, _ = rand.Read(raw[:]) // never fails
	return tokens.EncodeToString(raw[:]), sha256.Sum256(raw[:])
}

// parseToken answers the sum of a token. What is none has one too, so that looking
// for it is the same work.
func parseToken(token string) (s sum, ok bool) {
	var raw [tokenBytes]byte
	if len(token) == tokens.EncodedLen(tokenBytes) {
		n, err := tokens.Decode(raw[:], []byte(token))
		ok = err == nil && n == tokenBytes
	}
	return sha256.Sum256(raw[:]), ok
}

// same is 1 when the sums are, and takes the same time when they are not.
func (s sum) same(other sum) int { return subtle.ConstantTimeCompare(s[:], other[:]) }

// newID names a share in lists and in the directory.
func newID() string {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // never fails
	return hex.EncodeToString(raw[:])
}

// isID reports whether a name is an id.
func isID(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == 4 && hex.EncodeToString(raw) == name
}
