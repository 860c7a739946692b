package claude

import (
	"slices"

	"sessiontree/internal/session"
)

// relatedHashes is by what a transcript hangs together with others: copied prefixes hold
// the same entries, and sessions that go on name the parent of their first one.
func relatedHashes(parts [][]session.Entry) (k session.Related) {
	eachFacts(parts, func(x *facts) {
		if x.hasID {
			k.Held = append(k.Held, hashID(x.id))
		}
	})
	k.Held = sortHashes(k.Held)
	eachFacts(parts, func(x *facts) {
		for _, id := range []string{x.parent, x.logical} {
			if id == "" {
				continue
			}
			if h := hashID(id); !containsHash(k.Held, h) {
				k.Refs = append(k.Refs, h)
			}
		}
	})
	k.Refs = sortHashes(k.Refs)
	eachFacts(parts, func(x *facts) {
		if x.summary != "" && x.leaf != "" {
			k.Titles = append(k.Titles, session.TitleClaim{Entry: hashID(x.leaf), Title: cutRow(flattenText(x.summary), maxPreview)})
		}
	})
	return k
}

func sortHashes(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Clip(slices.Compact(hashes))
}

func containsHash(hashes []uint64, h uint64) bool {
	_, ok := slices.BinarySearch(hashes, h)
	return ok
}

// hashID is FNV-1a: the same in every run, because what is known of files is kept.
func hashID(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}

func eachFacts(parts [][]session.Entry, fn func(*facts)) {
	for _, part := range parts {
		for i := range part {
			fn(part[i].Extra.(*facts))
		}
	}
}
