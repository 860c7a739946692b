package spend

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/bools"
)

// isShared is in place of the number of a source if several have a request.
const isShared = -1

// holder is a source that has a request.
type holder struct {
	number int32
	copied bool
}

// mergeHolders returns the holder of a request that has two. The caller holds the lock.
func (l *Ledger) mergeHolders(id uint64, old, h holder) holder {
	switch {
	case old.number == h.number:
		return holder{h.number, h.copied && old.copied}
	case old.number != isShared:
		l.shared[id] = []holder{old}
	}
	all := l.shared[id]
	if i := slices.IndexFunc(all, func(o holder) bool { return o.number == h.number }); i >= 0 {
		all[i].copied = all[i].copied && h.copied
	} else {
		l.shared[id] = append(all, h)
	}
	l.forgetHolders(id)
	return holder{number: isShared}
}

// forgetHolders forgets what was computed from the sources that share a request.
func (l *Ledger) forgetHolders(id uint64) {
	l.sharedChanges++
	for _, h := range l.shared[id] {
		s := l.sources[h.number]
		s.firstOwn, s.shares = 0, true
		delete(l.briefs, s.Session)
	}
}

// owner returns the source that a request belongs to: one in which it is no copy, and of
// these the original, not a fork. The caller holds the lock.
func (l *Ledger) owner(key uint64) int32 {
	if only, _ := l.holders.get(key); only.number != isShared {
		return only.number
	}
	best := slices.MinFunc(l.shared[l.holders.id(key)], func(a, b holder) int {
		if a.copied != b.copied {
			return bools.Compare(a.copied, b.copied)
		}
		x, y := l.sources[a.number], l.sources[b.number]
		return cmp.Or(bools.Compare(x.IsFork, y.IsFork), cmp.Compare(x.Time, y.Time), cmp.Compare(l.firstOwnTime(x), l.firstOwnTime(y)), cmp.Compare(x.Path, y.Path))
	})
	return best.number
}

// firstOwnTime returns the time of the first request that no other source has. In a copy of
// a session it is later than in the original.
func (l *Ledger) firstOwnTime(s *source) int64 {
	const never = 1 << 62
	if s.firstOwn != 0 {
		return s.firstOwn
	}
	s.firstOwn = never
	for _, q := range s.File.decode().requests {
		if h, _ := l.holders.get(q.Key); h.number != isShared && q.Time != session.NoTime {
			s.firstOwn = min(s.firstOwn, q.Time)
		}
	}
	return s.firstOwn
}
