package claude

import (
	"slices"

	"sessiontree/internal/session"
)

// kin is by what a transcript hangs together with others: copied prefixes hold
// the same entries, and sessions that go on name the parent of their first one.
func kin(parts [][]session.Entry) (k session.Kin) {
	each(parts, func(x *facts) {
		if x.hasID {
			k.Own = append(k.Own, sum(x.id))
		}
	})
	k.Own = ordered(k.Own)
	each(parts, func(x *facts) {
		for _, id := range []string{x.parent, x.logical} {
			if id == "" {
				continue
			}
			if h := sum(id); !holds(k.Own, h) {
				k.Refs = append(k.Refs, h)
			}
		}
	})
	k.Refs = ordered(k.Refs)
	each(parts, func(x *facts) {
		if x.summary != "" && x.leaf != "" {
			k.Said = append(k.Said, session.Said{Entry: sum(x.leaf), Title: cut(flat(x.summary), maxPreview)})
		}
	})
	return k
}

func ordered(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Clip(slices.Compact(hashes))
}

func holds(hashes []uint64, h uint64) bool {
	_, ok := slices.BinarySearch(hashes, h)
	return ok
}

// sum is FNV-1a: the same in every run, because what is known of files is kept.
func sum(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}

func each(parts [][]session.Entry, fn func(*facts)) {
	for _, part := range parts {
		for i := range part {
			fn(part[i].Extra.(*facts))
		}
	}
}
