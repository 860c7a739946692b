package share

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

// shareTokenBytes is how long a token is; no one guesses 128 bits.
const shareTokenBytes = 16

var tokenEncoding = base64.RawURLEncoding.Strict()

// tokenHash is all that is kept of a token.
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

// newShareToken makes a token.
func newShareToken() (string, tokenHash) {
	var raw [shareTokenBytes]byte
	_, _ = rand.Read(raw[:]) // never fails
	return tokenEncoding.EncodeToString(raw[:]), sha256.Sum256(raw[:])
}

// hashToken answers the sum of a token. What is none has one too, so that looking
// for it is the same work.
func hashToken(token string) (s tokenHash, ok bool) {
	var raw [shareTokenBytes]byte
	if len(token) == tokenEncoding.EncodedLen(shareTokenBytes) {
		n, err := tokenEncoding.Decode(raw[:], []byte(token))
		ok = err == nil && n == shareTokenBytes
	}
	return sha256.Sum256(raw[:]), ok
}

// equalConstantTime is 1 when the sums are, and takes the same time when they are not.
func (s tokenHash) equalConstantTime(other tokenHash) int {
	return subtle.ConstantTimeCompare(s[:], other[:])
}

// newShareID names a share in lists and in the directory.
func newShareID() string {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // never fails
	return hex.EncodeToString(raw[:])
}

// isShareID reports whether a name is an id.
func isShareID(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == 4 && hex.EncodeToString(raw) == name
}
