package team

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// NewID returns a random id of a person or a device.
func NewID() string { return hex.EncodeToString(randomBytes(8)) }

// NewSecret returns a random token of 256 bits.
func NewSecret() string { return base64.RawURLEncoding.EncodeToString(randomBytes(32)) }

// NewCode returns a random code of 80 bits that people can type: four groups of letters and
// digits.
func NewCode() string {
	text := base32.StdEncoding.EncodeToString(randomBytes(10))
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
}

// CleanCode returns a code as NewCode wrote it, however it was typed.
func CleanCode(typed string) string { return strings.ToUpper(strings.TrimSpace(typed)) }

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
