package spend

import (
	"slices"
	"sync"

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
	numbers  map[string]int32    // by path
	sources  []*source           // by number, nil for removed ones
	unused   []int32             // the numbers of removed ones
	holders  *holderTable        // the only source with a request, or isShared
	shared   map[uint64][]holder // by holderTable.id
	sessions map[string][]int32  // numbers of the files of a session, by its path
	briefs   map[string]Brief    // by path of the session
	decoder  decoder             // whose memory is used again
	summed   Session             // of Brief

	changes, sharedChanges uint64 // number of changes of files, and of requests that files share
}

// source is a Source in a ledger.
type source struct {
	Source
	number   int32
	shares   bool  // it has, or had, requests that other sources have
	firstOwn int64 // time of the first request that no other source has; 0: not computed yet
}

// NewLedger returns an empty ledger.
func NewLedger(t *prices.Table) *Ledger {
	return &Ledger{Prices: t, numbers: map[string]int32{}, holders: newHolderTable(), shared: map[uint64][]holder{}, sessions: map[string][]int32{}, briefs: map[string]Brief{}}
}

// CountRequests returns how many requests the files have.
func (l *Ledger) CountRequests() int {
	l.lockMerged()
	defer l.mu.Unlock()
	return l.holders.count()
}

// Grow makes room for n more requests, which makes it faster to put their files.
func (l *Ledger) Grow(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders.grow(n)
}

// lockMerged locks the ledger and merges the holders that Put added.
func (l *Ledger) lockMerged() {
	l.mu.Lock()
	l.mergeAdded()
}

// mergeAdded merges the holders that Put added. Whatever reads holders, sources or briefs must call
// it before. The caller holds the lock.
func (l *Ledger) mergeAdded() { l.holders.sortParts(l.mergeHolders) }

// Put adds or replaces a file.
func (l *Ledger) Put(s Source) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var added *source
	if number, ok := l.numbers[s.Path]; ok {
		if added = l.sources[number]; !added.isStartOf(s) {
			l.drop(added)
			added = nil
		}
	}
	from := 0
	if added == nil {
		if added = l.addSource(s); added == nil {
			return
		}
	} else {
		if from = added.File.LogSize(); from == s.File.LogSize() {
			added.File = s.File
			return
		}
		added.Source, added.firstOwn = s, 0
		l.noteChange(s.Session)
	}
	l.decoder.eachKey(s.File, from, func(key uint64, copied bool) { l.holders.add(key, holder{added.number, copied}) })
	if added.shares { // what it has of its own may decide what it shares
		l.decoder.eachKey(s.File, 0, func(key uint64, _ bool) { l.forgetHolders(l.holders.id(key)) })
	}
}

// isStartOf reports whether s is the same file, or has only grown.
func (old *source) isStartOf(s Source) bool {
	return old.Session == s.Session && old.IsFork == s.IsFork && old.Time == s.Time && s.File.extends(old.File)
}

// addSource adds a file without its requests. It returns nil if there are too many files.
func (l *Ledger) addSource(s Source) *source {
	added := &source{Source: s, number: l.newNumber()}
	if added.number > maxSources {
		return nil
	}
	l.numbers[s.Path] = added.number
	l.sessions[s.Session] = append(l.sessions[s.Session], added.number)
	l.sources[added.number] = added
	l.noteChange(s.Session)
	return added
}

// noteChange notes that a file of a session has changed.
func (l *Ledger) noteChange(session string) {
	l.changes++
	delete(l.briefs, session)
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

// drop removes a source. The caller holds the lock.
func (l *Ledger) drop(s *source) {
	l.mergeAdded()
	l.changes++
	l.decoder.eachKey(s.File, 0, func(key uint64, _ bool) {
		switch h, known := l.holders.get(key); {
		case !known || h.number != s.number && h.number != isShared: // a second record of a request
			return
		case h.number == s.number:
			l.holders.remove(key)
			return
		}
		id := l.holders.id(key)
		l.forgetHolders(id)
		rest := slices.DeleteFunc(l.shared[id], func(h holder) bool { return h.number == s.number })
		if l.shared[id] = rest; len(rest) == 1 {
			l.holders.replace(key, rest[0])
			delete(l.shared, id)
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
