package export

import (
	"path/filepath"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/ids"
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

// idSource returns the ids of the file, which is made now.
func (o Origin) idSource(now time.Time) session.IDSource {
	if o.Seed == "" {
		return ids.NewRandomSource(now)
	}
	return ids.NewSeededSource(o.Seed, o.Made)
}

// trailerID returns an entry id for a trailer line with the given words, the same each
// time if there is a seed.
func (o Origin) trailerID(words ...string) string {
	if o.Seed == "" {
		return ids.NewRandomEntryID()
	}
	return hashStrings(append(words, o.Seed)...)[:8]
}
