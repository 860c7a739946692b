package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"time"

	"github.com/google/uuid"

	"sessiontree/internal/session"
)

// Origin is what a new file records about its source, and when and by what its ids are
// made. The zero value names the source and makes random ids.
type Origin struct {
	// Seed determines the ids, so that a file that is made again has the same ones.
	Seed string
	Made time.Time // when the file was first made; used with Seed
	// OmitSource omits the path of the source.
	OmitSource bool
	// SourceNameOnly records the base name of the source instead of its path.
	SourceNameOnly bool
	// SidecarAnnotations keeps labels and a name out of the file, also where the format
	// has lines for them; they are in Extract.Annotations. Entries can then be appended
	// to the file: a label line would be its leaf, and the next entry a child of it.
	SidecarAnnotations bool
}

// sourceName returns the path that the file records as its source.
func (o Origin) sourceName(path string) string {
	switch {
	case o.OmitSource:
		return ""
	case o.SourceNameOnly:
		return filepath.Base(path)
	}
	return path
}

func (o Origin) idSource(l *Library) session.IDSource {
	if o.Seed == "" {
		return l.newIDSource()
	}
	n := 0
	next := func() string {
		n++
		sum := o.seedHash(strconv.Itoa(n))
		return hex.EncodeToString(sum[:4])
	}
	return session.IDSource{Now: o.Made.UnixMilli(), EntryID: next, SessionID: o.sessionID, OrderedSessionID: o.orderedSessionID}
}

// seededEntryID returns an entry id for the words, the same each time if there is a
// seed.
func (o Origin) seededEntryID(words ...string) string {
	if o.Seed == "" {
		return randomEntryID()
	}
	return hashStrings(append(words, o.Seed)...)[:8]
}

func (o Origin) seedHash(what string) [32]byte { return sha256.Sum256([]byte(o.Seed + "\x00" + what)) }

// sessionID returns a UUIDv7 of Made and the seed.
func (o Origin) sessionID() string {
	sum := o.seedHash("session")
	id := uuid.UUID(sum[:16])
	ms := o.Made.UnixMilli()
	binary.BigEndian.PutUint16(id[0:], uint16(ms>>32))
	binary.BigEndian.PutUint32(id[2:], uint32(ms))
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id.String()
}

// orderedSessionID returns a UUIDv6 of Made and the seed.
func (o Origin) orderedSessionID() string {
	sum := o.seedHash("session")
	return formatUUIDv6(uuid.UUID(sum[:16]), uuidTime(o.Made), binary.BigEndian.Uint16(sum[16:]))
}

// uuidTime returns t as UUIDs count it: in 100 ns since the start of the Gregorian
// calendar.
func uuidTime(t time.Time) uuid.Time {
	const gregorian = 122192928000000000 // at the Unix epoch
	return uuid.Time(t.UnixNano()/100 + gregorian)
}
