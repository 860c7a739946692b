package spend

import (
	"cmp"
	"slices"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/bools"
	"sessiontree/internal/session/prices"
)

// Source is a file with requests.
type Source struct {
	Path    string
	Session string // path of the file of its session; Path unless it is a sub-agent's file
	IsFork  bool   // the file names another session that it was made of
	Time    int64  // when its session began, in ms or session.NoTime
	File    *File
}

// Ledger knows which file each request belongs to. It is safe for concurrent use.
type Ledger struct {
	Prices *prices.Table

	mu       sync.Mutex
	numbers  map[string]int32 // by path
	sources  []*source        // by number, nil for removed ones
	unused   []int32          // the numbers of removed ones
	holders  *holderTable     // the only source with a request, or isShared
	shared   map[uint64][]holder
	sessions map[string][]int32 // numbers of the files of a session, by its path
	briefs   map[string]Brief   // by path of the session
	decoder  decoder            // whose memory is used again
	summed   Session            // of Brief

	changes, sharedChanges uint64 // number of changes of files, and of requests that files share
}

// isShared is in place of the number of a source if several have a request.
const isShared = -1

// source is a Source in a ledger.
type source struct {
	Source
	number   int32
	shares   bool  // it has, or had, requests that other sources have
	firstOwn int64 // time of the first request that no other source has; 0: not computed yet
}

// holder is a source that has a request.
type holder struct {
	number int32
	copied bool
}

// NewLedger returns an empty ledger.
func NewLedger(t *prices.Table) *Ledger {
	return &Ledger{Prices: t, numbers: map[string]int32{}, holders: newHolderTable(), shared: map[uint64][]holder{}, sessions: map[string][]int32{}, briefs: map[string]Brief{}}
}

// CountRequests returns how many requests the files have.
func (l *Ledger) CountRequests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holders.count()
}

// Grow makes room for n more requests, which makes putting their files faster.
func (l *Ledger) Grow(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders.grow(n)
}

// Put adds or replaces a file.
func (l *Ledger) Put(s Source) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := 0
	number, exists := l.numbers[s.Path]
	if exists {
		old := l.sources[number]
		if old.Session == s.Session && old.IsFork == s.IsFork && old.Time == s.Time && s.File.extends(old.File) {
			if from = old.File.LogSize(); from == s.File.LogSize() {
				old.File = s.File
				return
			}
		} else {
			l.drop(old)
			exists = false
		}
	}
	if !exists {
		if number = l.newNumber(); number > maxSources {
			return
		}
		l.numbers[s.Path] = number
		l.sessions[s.Session] = append(l.sessions[s.Session], number)
	}
	l.changes++
	added := &source{Source: s, number: number}
	if exists {
		added.shares = l.sources[number].shares
	}
	l.sources[number] = added
	delete(l.briefs, s.Session)
	l.decoder.eachKey(s.File, from, func(key uint64, copied bool) { l.addHolder(key, holder{number, copied}) })
	if added.shares { // what it has of its own may decide what it shares
		l.decoder.eachKey(s.File, 0, func(key uint64, _ bool) { l.forgetHolders(key) })
	}
}

// newNumber returns a number that no source has. The caller holds the lock.
func (l *Ledger) newNumber() int32 {
	if last := len(l.unused) - 1; last >= 0 {
		number := l.unused[last]
		l.unused = l.unused[:last]
		return number
	}
	l.sources = append(l.sources, nil)
	return int32(len(l.sources) - 1)
}

// Remove removes a file.
func (l *Ledger) Remove(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if number, ok := l.numbers[path]; ok {
		l.drop(l.sources[number])
	}
}

// addHolder adds a source that has a request. The caller holds the lock.
func (l *Ledger) addHolder(key uint64, h holder) {
	only, known := l.holders.putNew(key, h)
	switch {
	case !known:
		return
	case only.number == h.number:
		l.holders.put(key, holder{h.number, h.copied && only.copied})
		return
	case only.number != isShared:
		l.holders.put(key, holder{number: isShared})
		l.shared[key] = []holder{only}
	}
	all := l.shared[key]
	if i := slices.IndexFunc(all, func(o holder) bool { return o.number == h.number }); i >= 0 {
		all[i].copied = all[i].copied && h.copied
	} else {
		l.shared[key] = append(all, h)
	}
	l.forgetHolders(key)
}

// forgetHolders forgets what was computed from the sources that share a request.
func (l *Ledger) forgetHolders(key uint64) {
	l.sharedChanges++
	for _, h := range l.shared[key] {
		s := l.sources[h.number]
		s.firstOwn, s.shares = 0, true
		delete(l.briefs, s.Session)
	}
}

// drop removes a source. The caller holds the lock.
func (l *Ledger) drop(s *source) {
	l.changes++
	l.decoder.eachKey(s.File, 0, func(key uint64, _ bool) {
		switch h, known := l.holders.get(key); {
		case !known || h.number != s.number && h.number != isShared: // a second record of a request
			return
		case h.number == s.number:
			l.holders.remove(key)
			return
		}
		l.forgetHolders(key)
		rest := slices.DeleteFunc(l.shared[key], func(h holder) bool { return h.number == s.number })
		if l.shared[key] = rest; len(rest) == 1 {
			l.holders.put(key, rest[0])
			delete(l.shared, key)
		}
	})
	delete(l.numbers, s.Path)
	delete(l.briefs, s.Session)
	l.sources[s.number] = nil
	l.unused = append(l.unused, s.number)
	rest := slices.DeleteFunc(l.sessions[s.Session], func(n int32) bool { return n == s.number })
	if l.sessions[s.Session] = rest; len(rest) == 0 {
		delete(l.sessions, s.Session)
	}
}

// owner returns the source that a request belongs to: one in which it is no copy, and of
// these the original, not a fork. The caller holds the lock.
func (l *Ledger) owner(key uint64) int32 {
	if only, _ := l.holders.get(key); only.number != isShared {
		return only.number
	}
	best := slices.MinFunc(l.shared[key], func(a, b holder) int {
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
