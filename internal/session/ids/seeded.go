package ids

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"

	"sessiontree/internal/session"
)

// NewSeededSource returns a source of ids that depend on the seed and the time made alone.
func NewSeededSource(seed string, made time.Time) session.IDSource {
	s := seededSource{seed: seed, made: made}
	return session.IDSource{Now: made.UnixMilli(), EntryID: s.nextEntryID, SessionID: s.sessionID, OrderedSessionID: s.orderedSessionID}
}

type seededSource struct {
	seed    string
	made    time.Time
	entries int // number of entry ids so far
}

func (s *seededSource) seedHash(what string) [32]byte {
	return sha256.Sum256([]byte(s.seed + "\x00" + what))
}

func (s *seededSource) nextEntryID() string {
	s.entries++
	sum := s.seedHash(strconv.Itoa(s.entries))
	return hex.EncodeToString(sum[:4])
}

// sessionID returns a UUIDv7.
func (s *seededSource) sessionID() string {
	sum := s.seedHash("session")
	id := uuid.UUID(sum[:16])
	ms := s.made.UnixMilli()
	binary.BigEndian.PutUint16(id[0:], uint16(ms>>32))
	binary.BigEndian.PutUint32(id[2:], uint32(ms))
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id.String()
}

// orderedSessionID returns a UUIDv6.
func (s *seededSource) orderedSessionID() string {
	sum := s.seedHash("session")
	return formatUUIDv6(uuid.UUID(sum[:16]), uuidTime(s.made), binary.BigEndian.Uint16(sum[16:]))
}

// uuidTime returns t as UUIDs count it: in 100 ns since the start of the Gregorian
// calendar.
func uuidTime(t time.Time) uuid.Time {
	const gregorian = 122192928000000000 // at the Unix epoch
	return uuid.Time(t.UnixNano()/100 + gregorian)
}
