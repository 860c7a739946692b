package session

import "slices"

// Related holds the entry ids by which session files are related, as sorted hashes.
// They are the same in every run.
type Related struct {
	Held   []uint64     // of the entries in the file
	Refs   []uint64     // of entries that the file references but does not have
	Titles []TitleClaim // titles of other sessions, recorded in this file
}

// TitleClaim is a title for the session that has an entry.
type TitleClaim struct {
	Entry uint64
	Title string
}

// MergeRelated returns k merged with the ids appended to the file.
func (k Related) MergeRelated(added Related) Related {
	own := mergeIDs(k.Held, added.Held)
	refs := slices.DeleteFunc(mergeIDs(k.Refs, added.Refs), func(id uint64) bool {
		_, held := slices.BinarySearch(own, id)
		return held
	})
	return Related{own, refs, slices.Concat(k.Titles, added.Titles)}
}

// mergeIDs merges the hashes of b into those of a, which are sorted. It does not sort a
// again: a session may have a hundred thousand ids, and few are added.
func mergeIDs(a, b []uint64) []uint64 {
	b = slices.Sorted(slices.Values(b))
	all := make([]uint64, 0, len(a)+len(b))
	for _, id := range b {
		n, _ := slices.BinarySearch(a, id)
		all, a = append(append(all, a[:n]...), id), a[n:]
	}
	return slices.Clip(slices.Compact(append(all, a...)))
}
