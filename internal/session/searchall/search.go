// Package searchall searches the text of all sessions.
package searchall

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/search"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/textcache"
)

// Result is a session with hits.
type Result struct {
	Session  catalog.Summary
	Hits     []Hit // by branch, and within it by role
	Branches []Branch
	Copies   []Copy // of hits that an earlier result has; the session may have no other hit
}

// Copy is a hit of an earlier result that the session records too, as forks and resumed
// sessions do.
type Copy struct {
	Key   string // of the session of the earlier result
	Entry string // id, the same in both sessions
}

// Progress is how much was read.
type Progress struct {
	Sessions, TotalSessions int
	Bytes, TotalBytes       int64
	Failed                  int       // sessions that could not be read
	OnlyTexts               int       // sessions of which OnlyTexts of Searcher left something out
	Reached                 time.Time // last activity of the session read last
}

// Event is a result, or progress where Result is nil. The result may be nothing but copies.
type Event struct {
	Result   *Result
	Progress Progress
}

// Searcher searches the sessions of a catalog.
type Searcher struct {
	Library *store.Library
	Catalog *catalog.Catalog
	Texts   *textcache.Cache // nil = read the session files
	Now     time.Time        // decides which sessions are live
	OnlyKey string           // searches only the session of this key; "" = all
	// TitleOfFormat returns the name of the agent of a format. nil: agents have only the
	// names of their formats.
	TitleOfFormat func(format string) string
	IsStarred     func(*catalog.Summary) bool // nil: no session has a star
	// OnlyTexts reports whether only prompts, answers, summaries, labels and the name of a session,
	// by its path and its last activity, are searched, so that its files need not be read. nil: of
	// no session.
	OnlyTexts func(path string, active time.Time) bool
}

// Search searches all sessions that pass the filters of q and calls emit for each with
// hits, in the order of the catalog, which is newest first, and after each session with the
// progress. A hit that several sessions record is in the first of them. Search ends early
// if emit returns an error.
func (s *Searcher) Search(ctx context.Context, q *query.Query, emit func(Event) error) error {
	run, err := s.newRun(q)
	if err != nil {
		return err
	}
	jobs, total := run.listJobs()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers errgroup.Group
	var started atomic.Int64
	finished := make(chan *job, len(jobs))
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			run.searchJobs(ctx, jobs, &started, finished)
			return nil
		})
	}
	err = run.emitAll(ctx, jobs, finished, total, emit)
	cancel()
	_ = workers.Wait() // no worker returns an error
	return err
}

// adjacentTexts is how many adjacent sessions a worker takes at a time if only cached texts are searched:
// it reads their filters at once. Otherwise it takes one, or the first results would be late.
const adjacentTexts = 16

// searchJobs searches sessions that no worker has taken until there are none.
func (r *run) searchJobs(ctx context.Context, jobs []job, started *atomic.Int64, finished chan<- *job) {
	adjacent := 1
	if !needsFiles(r.q) {
		adjacent = adjacentTexts
	}
	for r.ahead.waitForRoom(ctx) == nil {
		end := int(started.Add(int64(adjacent)))
		taken := jobs[min(end-adjacent, len(jobs)):min(end, len(jobs))]
		if len(taken) == 0 {
			return
		}
		for i := range taken {
			j := &taken[i]
			result, err := r.searchJob(ctx, j)
			j.result, j.failed = result, err != nil
			r.ahead.addBytes(result.size())
			finished <- j
		}
	}
}

// run is a running search.
type run struct {
	*Searcher
	q      *query.Query
	text   string // the words of the query
	words  *search.Words
	owners func() map[string]string // path of the session that each file is searched with
	ahead  *aheadLimit
	// ofTexts is the run for sessions of which only texts are searched, nil if the query searches none.
	ofTexts *run

	hasRetracted func(format, id string) bool // lines of the session
}

func (s *Searcher) newRun(q *query.Query) (*run, error) {
	text := strings.Join(q.Words(), " ")
	words, err := search.ParseWords(text)
	if err != nil {
		return nil, err
	}
	return &run{Searcher: s, q: q, text: text, words: words, ahead: newAheadLimit(), hasRetracted: s.Library.RetractedSessions()}, nil
}

// emitAll reports the results in the order of the jobs.
func (r *run) emitAll(ctx context.Context, jobs []job, finished <-chan *job, total int64, emit func(Event) error) error {
	seen := seenHits{}
	p := Progress{TotalSessions: len(jobs), TotalBytes: total}
	for i := range jobs {
		j := &jobs[i]
		for !j.done {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case other := <-finished:
				other.done = true
			}
		}
		p.Sessions++
		p.Bytes += j.summary.Size
		p.Reached = j.summary.Modified
		if j.failed {
			p.Failed++
		}
		if j.onlyTexts {
			p.OnlyTexts++
		}
		result := j.result
		j.result = nil
		size := result.size()
		if result != nil {
			result.dropCopies(seen, jobs, i)
		}
		if err := emit(Event{Result: result, Progress: p}); err != nil {
			return err
		}
		r.ahead.addBytes(-size)
	}
	return ctx.Err()
}

// searchJob searches one session. The result is nil if there are no hits.
func (r *run) searchJob(ctx context.Context, j *job) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if j.onlyTexts {
		if r = r.ofTexts; r == nil {
			return nil, nil
		}
	}
	if !r.hasOtherTexts(j) {
		result, known := r.searchTexts(j)
		if known == hasAllHits {
			return result, nil
		}
		if known == notCached {
			if ok, err := r.mayMatchFiles(ctx, j); err != nil || !ok {
				return nil, err
			}
		}
	}
	for retry := true; ; retry = false {
		s, err := r.Library.OpenUnlisted(ctx, j.summary.Path)
		if err != nil {
			return nil, err
		}
		hits, branches, err := r.searchSession(ctx, s, j.summary.Path)
		if retry && errors.Is(err, session.ErrStale) { // the file was rewritten meanwhile
			continue
		}
		if err != nil || len(hits) == 0 {
			return nil, err
		}
		return &Result{Session: *j.summary, Hits: hits, Branches: branches}, nil
	}
}

// hasOtherTexts reports whether labels, a name or retracted lines of a session are stored in
// other files than the agent's.
func (r *run) hasOtherTexts(j *job) bool {
	a, annotated := r.Library.Sidecars().Find(j.summary.Format, j.summary.ID, j.summary.Path)
	return annotated && a.HasAny() || r.hasRetracted(j.summary.Format, j.summary.ID)
}

// mayMatchFiles reports whether a line of the session's files may have all words of the query.
func (r *run) mayMatchFiles(ctx context.Context, j *job) (bool, error) {
	if r.text == "" {
		return true, nil
	}
	var firstErr error
	for _, path := range j.files {
		ok, err := r.Library.MayMatchFile(ctx, path, r.words)
		if ok {
			return true, nil
		}
		if err != nil && firstErr == nil {
			firstErr = err
		}
	}
	return false, firstErr
}
