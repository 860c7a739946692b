package share

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

// shareTokenBytes is the length of a token. 128 bits cannot be guessed.
const shareTokenBytes = 16

var tokenEncoding = base64.RawURLEncoding.Strict()

// tokenHash is the hash of a token. The token itself is not stored.
type tokenHash [sha256.Size]byte

func (s tokenHash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

func (s *tokenHash) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err == nil && len(raw) != len(s) {
		err = hex.ErrLength
	}
	copy(s[:], raw)
	return err
}

// newShareToken returns a new token and its hash.
func newShareToken() (string, tokenHash) {
	var raw [shareTokenBytes]byte
	_, _ = rand.Read(raw[:]) // never fails
	return tokenEncoding.EncodeToString(raw[:]), sha256.Sum256(raw[:])
}

// hashToken returns the hash of a token. A malformed token has one too, so that searching
// for it takes the same time.
func hashToken(token string) (s tokenHash, ok bool) {
	var raw [shareTokenBytes]byte
	if len(token) == tokenEncoding.EncodedLen(shareTokenBytes) {
		n, err := tokenEncoding.Decode(raw[:], []byte(token))
		ok = err == nil && n == shareTokenBytes
	}
	return sha256.Sum256(raw[:]), ok
}

// equalConstantTime returns 1 if the hashes are equal, else 0, in constant time.
func (s tokenHash) equalConstantTime(other tokenHash) int {
	return subtle.ConstantTimeCompare(s[:], other[:])
}

// newShareID returns an id for lists and directory names.
func newShareID() string {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // never fails
	return hex.EncodeToString(raw[:])
}

// isShareID reports whether a name is a share id.
func isShareID(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == 4 && hex.EncodeToString(raw) == name
}
