// Package ids makes the ids of new entries and sessions: random ones, or ones that depend
// on a seed alone.
package ids

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"sessiontree/internal/session"
)

// NewRandomSource returns a source of random ids at a time.
func NewRandomSource(now time.Time) session.IDSource {
	return session.IDSource{Now: now.UnixMilli(), EntryID: NewRandomEntryID, SessionID: func() string { return uuid.Must(uuid.NewV7()).String() },
		OrderedSessionID: newOrderedID}
}

// newOrderedID returns a UUIDv6. It sets the time itself because uuid.NewV6 of version
// 1.6.0 shifts it by four bits, which sorts such ids before all others.
func newOrderedID() string {
	id := uuid.New() // random bytes, in case there is no time
	now, seq, err := uuid.GetTime()
	if err != nil {
		return uuid.Must(uuid.NewV7()).String() // sorts by time too
	}
	return formatUUIDv6(id, now, seq)
}

func formatUUIDv6(id uuid.UUID, now uuid.Time, seq uint16) string {
	binary.BigEndian.PutUint32(id[0:], uint32(now>>28))
	binary.BigEndian.PutUint16(id[4:], uint16(now>>12))
	binary.BigEndian.PutUint16(id[6:], 0x6000|uint16(now&0xfff))
	binary.BigEndian.PutUint16(id[8:], 0x8000|seq&0x3fff)
	return id.String()
}

// NewRandomEntryID returns the id of an entry, 8 hex digits.
func NewRandomEntryID() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
