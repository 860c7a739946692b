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

// Origin is what a made file tells of where it comes from, and of when and by whom
// it was made. The zero value names the file it was made of and makes ids of chance.
type Origin struct {
	// Seed decides the ids, so that a file that is made again has the same ones.
	Seed string
	Made time.Time // with Seed: when it was made first
	// OmitSource leaves the path of the source out.
	OmitSource bool
	// SourceNameOnly tells the source's name and not where it lies.
	SourceNameOnly bool
	// SidecarAnnotations: labels and a name are kept beside the file, Extract.Aside, also where it
	// has lines for them. The file can then be gone on with: such lines would be the
	// leaf of it, and what comes next hangs beside them.
	SidecarAnnotations bool
}

// sourceName is the path that the file names as its source.
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

// seededEntryID is an id for what the words say, and with a seed the same each time.
func (o Origin) seededEntryID(words ...string) string {
	if o.Seed == "" {
		return randomEntryID()
	}
	return hashStrings(append(words, o.Seed)...)[:8]
}

func (o Origin) seedHash(what string) [32]byte { return sha256.Sum256([]byte(o.Seed + "\x00" + what)) }

// sessionID is a UUIDv7 of the time it was made and the seed.
func (o Origin) sessionID() string {
	sum := o.seedHash("session")
	id := uuid.UUID(sum[:16])
	ms := o.Made.UnixMilli()
	binary.BigEndian.PutUint16(id[0:], uint16(ms>>32))
	binary.BigEndian.PutUint32(id[2:], uint32(ms))
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id.String()
}

// orderedSessionID is a UUIDv6 of the same.
func (o Origin) orderedSessionID() string {
	sum := o.seedHash("session")
	return formatUUIDv6(uuid.UUID(sum[:16]), uuidTime(o.Made), binary.BigEndian.Uint16(sum[16:]))
}

// uuidTime counts as UUIDs do: in 100 ns since the Gregorian calendar began.
func uuidTime(t time.Time) uuid.Time {
	const gregorian = 122192928000000000 // at the Unix epoch
	return uuid.Time(t.UnixNano()/100 + gregorian)
}
