package searchall

import (
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/textcache"
)

// textBuffer holds what is read of the cached texts of a session.
type textBuffer struct {
	textcache.Buffer
	states []textcache.FileState // of the files of the session
	parts  [][]byte              // the texts of the parts that match, and of the last that does not
	index  []byte
}

var textBuffers = sync.Pool{New: func() any { return new(textBuffer) }}

// cacheResult is what the cache of texts tells about a session.
type cacheResult uint8

// What the cache may tell.
const (
	notCached cacheResult = iota
	mayHaveHits
	hasAllHits // the result is complete
)

// searchTexts searches the cached texts of a session. The result is nil if there are no hits.
func (r *run) searchTexts(j *job) (*Result, cacheResult) {
	if r.Texts == nil || needsFiles(r.q) {
		return nil, notCached
	}
	buf := textBuffers.Get().(*textBuffer)
	defer textBuffers.Put(buf)
	var err error
	if buf.states, err = r.appendFileStates(buf.states[:0], j.files); err != nil {
		return nil, notCached
	}
	if ok := r.Texts.ReadFilter(j.summary.Path, buf.states, &buf.Buffer); !ok || len(buf.Blocks) == 0 {
		return nil, notCached
	}
	parts, ok := r.findTextParts(j, buf)
	index := buf.Blocks[len(buf.Blocks)-1:]
	switch {
	case !ok:
		return nil, notCached
	case len(parts) == 0:
		return nil, hasAllHits
	case index[0].Len() == 0 || r.Library.Related().IsRelated(j.summary.Path):
		return nil, mayHaveHits
	}
	if buf.index, ok = r.Texts.ReadBlocks(j.summary.Path, buf.states, index, buf.index); !ok {
		return nil, notCached
	}
	m := &matcher{q: r.q, branches: map[session.Pos]Branch{}}
	if err = eachIndexedEntry(parts, buf.index, r.words.MatchesAnyEntry, m.matchIndexed); err != nil {
		return nil, notCached
	}
	if len(m.hits) == 0 {
		return nil, hasAllHits
	}
	hits, branches := m.groupHits()
	return &Result{Session: *j.summary, Hits: hits, Branches: branches}, hasAllHits
}

// findTextParts returns the cached fields of a session that have an entry with all words, with those
// next to them, in buf. It reads only blocks whose filter may match. ok is false if they cannot be read.
func (r *run) findTextParts(j *job, buf *textBuffer) (parts []textPart, ok bool) {
	var matching []int // blocks
	ok = eachSearchedBlock(&buf.Buffer, r.q.Roles, func(i int, filter []byte) {
		if r.words.MayMatchFilter(filter) {
			matching = append(matching, i)
		}
	})
	for ok && len(matching) > 0 {
		adjacent := 1
		for adjacent < len(matching) && matching[adjacent] == matching[0]+adjacent {
			adjacent++
		}
		blocks := buf.Blocks[matching[0]:][:adjacent]
		matching = matching[adjacent:]
		if len(buf.parts) == len(parts) {
			buf.parts = append(buf.parts, nil)
		}
		text := &buf.parts[len(parts)]
		if *text, ok = r.Texts.ReadBlocks(j.summary.Path, buf.states, blocks, *text); ok && r.words.MatchesAnyEntry(*text) {
			parts = append(parts, textPart{blocks[0].Start(), *text})
		}
	}
	return parts, ok
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
