package claude

import (
	"slices"

	"sessiontree/internal/session"
)

// relatedHashes returns the ids by which transcripts are related. Copied prefixes hold the same
// entries, and a session that continues another names the parent of its first entry.
func relatedHashes(parts [][]session.Entry) (k session.Related) {
	eachFacts(parts, func(x *facts) {
		if x.hasID {
			k.Held = append(k.Held, session.HashParts(x.ID))
		}
	})
	k.Held = sortHashes(k.Held)
	before := "" // the last id: mostly the parent, so that it need not be looked up
	eachFacts(parts, func(x *facts) {
		for _, id := range []string{x.Parent, x.Logical} {
			if id == "" || id == before {
				continue
			}
			if h := session.HashParts(id); !containsHash(k.Held, h) {
				k.Refs = append(k.Refs, h)
			}
		}
		if x.hasID {
			before = x.ID
		}
	})
	k.Refs = sortHashes(k.Refs)
	eachFacts(parts, func(x *facts) {
		if x.summary != "" && x.leaf != "" {
			k.Titles = append(k.Titles, session.TitleClaim{Entry: session.HashParts(x.leaf), Title: cutRow(flattenText(x.summary), maxPreview)})
		}
	})
	return k
}

func sortHashes(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Clone(slices.Compact(hashes)) // without the room for more: lists keep them
}

func containsHash(hashes []uint64, h uint64) bool {
	_, ok := slices.BinarySearch(hashes, h)
	return ok
}

func eachFacts(parts [][]session.Entry, fn func(*facts)) {
	for _, part := range parts {
		for i := range part {
			fn(part[i].Extra.(*facts))
		}
	}
}
