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
	// Untold leaves the path of the source out.
	Untold bool
	// Bare tells the source's name and not where it lies.
	Bare bool
	// Beside: labels and a name are kept beside the file, Extract.Aside, also where it
	// has lines for them. The file can then be gone on with: such lines would be the
	// leaf of it, and what comes next hangs beside them.
	Beside bool
}

// from is the path that the file names as its source.
func (o Origin) from(path string) string {
	switch {
	case o.Untold:
		return ""
	case o.Bare:
		return filepath.Base(path)
	}
	return path
}

func (o Origin) mint(l *Library) session.Mint {
	if o.Seed == "" {
		return l.mint()
	}
	n := 0
	next := func() string {
		n++
		sum := o.sum(strconv.Itoa(n))
		return hex.EncodeToString(sum[:4])
	}
	return session.Mint{Now: o.Made.UnixMilli(), ID: next, Session: o.session, Ordered: o.ordered}
}

// id is an id for what the words say, and with a seed the same each time.
func (o Origin) id(words ...string) string {
	if o.Seed == "" {
		return newID()
	}
	return hashed(append(words, o.Seed)...)[:8]
}

func (o Origin) sum(what string) [32]byte { return sha256.Sum256([]byte(o.Seed + "\x00" + what)) }

// session is a UUIDv7 of the time it was made and the seed.
func (o Origin) session() string {
	sum := o.sum("session")
	id := uuid.UUID(sum[:16])
	ms := o.Made.UnixMilli()
	binary.BigEndian.PutUint16(id[0:], uint16(ms>>32))
	binary.BigEndian.PutUint32(id[2:], uint32(ms))
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id.String()
}

// ordered is a UUIDv6 of the same.
func (o Origin) ordered() string {
	sum := o.sum("session")
	return uuidV6(uuid.UUID(sum[:16]), uuidTime(o.Made), binary.BigEndian.Uint16(sum[16:]))
}

// uuidTime counts as UUIDs do: in 100 ns since the Gregorian calendar began.
func uuidTime(t time.Time) uuid.Time {
	const gregorian = 122192928000000000 // at the Unix epoch
	return uuid.Time(t.UnixNano()/100 + gregorian)
}
