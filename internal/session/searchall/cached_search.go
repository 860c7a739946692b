package searchall

import (
	"slices"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
)

var textBuffers = sync.Pool{New: func() any { return new([]byte) }}

// cacheResult is what the cache of texts tells about a session.
type cacheResult uint8

// What the cache may tell.
const (
	notCached cacheResult = iota
	mayHaveHits
	hasAllHits // the result is complete
)

// searchesCachedTexts reports whether the cache has all that the query searches.
func (r *run) searchesCachedTexts() bool {
	isOther := func(role query.Role) bool { return !slices.Contains(cachedRoles, role) }
	return r.Texts != nil && len(r.q.Roles) > 0 && !slices.ContainsFunc(r.q.Roles, isOther) && !r.q.Failed && len(r.q.Tools) == 0
}

// searchTexts searches the cached texts of a session. The result is nil if there are no hits.
func (r *run) searchTexts(j *job) (*Result, cacheResult) {
	if !r.searchesCachedTexts() {
		return nil, notCached
	}
	states, err := r.readFileStates(j.files)
	if err != nil {
		return nil, notCached
	}
	buf := textBuffers.Get().(*[]byte)
	defer textBuffers.Put(buf)
	ok := false
	if *buf, ok = r.Texts.ReadFilter(j.summary.Path, states, *buf); !ok {
		return nil, notCached
	}
	if !r.words.MayMatchFilter(*buf) {
		return nil, hasAllHits
	}
	if *buf, ok = r.Texts.Read(j.summary.Path, states, *buf); !ok {
		return nil, notCached
	}
	fields, index, err := splitTexts(*buf)
	switch {
	case err != nil:
		return nil, notCached
	case !r.words.MatchesAnyEntry(fields):
		return nil, hasAllHits
	case len(index) == 0 || r.Library.Related().IsRelated(j.summary.Path):
		return nil, mayHaveHits
	}
	m := &matcher{q: r.q, branches: map[session.Pos]Branch{}}
	err = eachIndexedEntry(fields, index, func(e *indexedEntry, b Branch, text []byte) {
		if r.words.MatchesAnyEntry(text) {
			m.matchIndexed(e, b, text)
		}
	})
	if err != nil {
		return nil, notCached
	}
	if len(m.hits) == 0 {
		return nil, hasAllHits
	}
	hits, branches := m.groupHits()
	return &Result{Session: *j.summary, Hits: hits, Branches: branches}, hasAllHits
}

// matchIndexed adds the hit of an indexed entry, if it matches.
func (m *matcher) matchIndexed(e *indexedEntry, b Branch, text []byte) {
	facts := e.facts(b.Head)
	if !m.hasTimeAndLabel(&facts.entry, e.Label) || !m.q.HasBranch(b.Kind) {
		return
	}
	if best, ok := m.bestField(e.splitFields(text)); ok {
		m.hits = append(m.hits, m.newHit(e.Pos, &facts, best))
		m.branches[b.Head] = b
	}
}
