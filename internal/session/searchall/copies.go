package searchall

import (
	"hash/maphash"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
)

var hashSeed = maphash.MakeSeed()

// hashOfHit returns a number that identifies the copies of a hit in other sessions: forks and
// resumed sessions record the same entries again.
func hashOfHit(e *session.Entry, f *field) uint64 {
	return maphash.Comparable(hashSeed, struct {
		entry string
		time  int64
		role  query.Role
		text  uint64
	}{e.ID, e.Time, f.role, maphash.String(hashSeed, f.text)})
}

// seenHits maps the hits that were reported to the numbers of their sessions. A common word
// has millions of hits, so it has hashes only.
type seenHits map[uint64]int32

// dropCopies removes the hits of the session of a number that an earlier one of jobs has.
func (r *Result) dropCopies(seen seenHits, jobs []job, number int) {
	kept := r.Hits[:0]
	for _, h := range r.Hits {
		first, isSeen := seen[h.id]
		if !isSeen {
			seen[h.id] = int32(number)
			kept = append(kept, h)
		} else if int(first) != number {
			r.Copies = append(r.Copies, Copy{Key: jobs[first].summary.Key, Entry: h.Entry})
		}
	}
	r.Hits = kept
}
