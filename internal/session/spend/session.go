package spend

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/bools"
)

// Session is the requests that belong to a session and its sub-agents. It is immutable.
type Session struct {
	Requests []Request
	Uses     []ToolUse
	Branches []Branch // to which Request.Branch refers
	Sums     Sums
	Left     Sums // of the branches that were left
}

// maxReused is how many requests the memory may be for in which Brief works again. Clearing more
// of it for each small session costs more than it saves.
const maxReused = 4096

// Brief is what lists show of the sums of a session.
type Brief struct {
	Cost   float64 // as far as prices are known
	Tokens int64
}

// Brief returns the cost and the tokens of the session whose file has a path.
func (l *Ledger) Brief(path string) Brief {
	l.lockMerged()
	defer l.mu.Unlock()
	brief, known := l.briefs[path]
	if !known {
		l.summed = Session{Requests: l.summed.Requests[:0], Uses: l.summed.Uses[:0]}
		l.addFiles(&l.summed, path, &l.decoder)
		brief = Brief{l.summed.Sums.Cost, l.summed.Sums.Tokens()}
		if len(l.summed.Requests) > maxReused || len(l.decoder.content.requests) > maxReused {
			l.summed, l.decoder = Session{}, decoder{}
		}
		l.briefs[path] = brief
	}
	return brief
}

// Session returns what belongs to the session whose file has a path; nil if it has no
// requests.
func (l *Ledger) Session(path string) *Session {
	l.lockMerged()
	defer l.mu.Unlock()
	if len(l.sessions[path]) == 0 {
		return nil
	}
	s := &Session{}
	l.addFiles(s, path, new(decoder))
	return s
}

// addFiles adds to an empty session what belongs to the one whose file has a path. The caller
// holds the lock.
func (l *Ledger) addFiles(s *Session, path string, d *decoder) {
	numbers := slices.Clone(l.sessions[path])
	slices.SortFunc(numbers, func(a, b int32) int { // the session's own file first
		x, y := l.sources[a], l.sources[b]
		return cmp.Or(bools.Compare(x.Path != path, y.Path != path), cmp.Compare(x.Path, y.Path))
	})
	var all []totals
	isFork := false
	var started branchTimes
	copies := &copyIndex{l, map[int32]map[uint64]*Request{}}
	for _, n := range numbers {
		c := d.decode(l.sources[n].File)
		if own := l.sources[n].Path == path; own {
			s.Branches, all = l.sources[n].File.Branches, c.totals
			isFork = slices.ContainsFunc(c.requests, func(q Request) bool { return q.Copied })
			if len(numbers) > 1 {
				started = newBranchTimes(c.requests)
			}
		} else {
			started.setBranch(c.requests)
		}
		s.addFile(l, n, c, copies)
	}
	s.subtractDelegated(len(numbers) > 1)
	for _, other := range otherRequests(all, s.Requests, isFork) {
		s.Requests = append(s.Requests, other.Request)
	}
	s.sum(l)
}

// addFile adds the requests of a file that belong to the session.
func (s *Session) addFile(l *Ledger, number int32, c *content, copies *copyIndex) {
	index := make([]int32, len(c.requests))
	s.Requests = slices.Grow(s.Requests, len(c.requests))
	for i := range c.requests {
		q := &c.requests[i]
		index[i] = -1
		if l.owner(q.Key) == number {
			index[i] = int32(len(s.Requests))
			q.InAgent = l.sources[number].Path != l.sources[number].Session
			copies.mergeCopies(q)
			s.Requests = append(s.Requests, *q)
		}
	}
	for _, u := range c.uses {
		if u.Request = index[u.Request]; u.Request >= 0 {
			s.Uses = append(s.Uses, u)
		}
	}
}

// copyIndex finds the records of requests in other files.
type copyIndex struct {
	ledger *Ledger
	files  map[int32]map[uint64]*Request // decoded ones
}

// mergeCopies merges the records of a request in other files: a fork may have been made of
// a streamed answer.
func (x *copyIndex) mergeCopies(q *Request) {
	for _, h := range x.ledger.shared[x.ledger.holders.id(q.Key)] {
		requests := x.files[h.number]
		if requests == nil {
			c := x.ledger.sources[h.number].File.decode()
			requests = make(map[uint64]*Request, len(c.requests))
			for i := range c.requests {
				requests[c.requests[i].Key] = &c.requests[i]
			}
			x.files[h.number] = requests
		}
		q.mergeCopy(requests[q.Key])
	}
}

// subtractDelegated subtracts the requests of sub-agents' files from the sums that the
// results of their calls record.
func (s *Session) subtractDelegated(hasAgentFiles bool) {
	if !hasAgentFiles {
		return
	}
	recorded := 0.0
	delegated := false
	for i := range s.Requests {
		if q := &s.Requests[i]; q.Delegated {
			delegated = true
		} else if q.HasCost && q.InAgent {
			recorded += q.Cost
		}
	}
	for i := range s.Requests {
		if q := &s.Requests[i]; delegated && q.Delegated {
			used := min(q.Cost, recorded)
			q.Usage = session.Usage{Cost: q.Cost - used}
			recorded -= used
		}
	}
}

// sum computes the sums.
func (s *Session) sum(l *Ledger) {
	each := func(branch int32, add func(*Sums)) {
		add(&s.Sums)
		if branch > 0 {
			add(&s.Left)
		}
	}
	for i := range s.Requests {
		q := &s.Requests[i]
		each(q.Branch, func(sums *Sums) { sums.AddRequest(q, l.Prices) })
	}
	for _, u := range s.Uses {
		each(s.Requests[u.Request].Branch, func(sums *Sums) { sums.AddToolUse(u.Failed) })
	}
}
