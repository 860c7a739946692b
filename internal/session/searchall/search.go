// Package searchall searches the text of all sessions.
package searchall

import (
	"context"
	"errors"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/search"
	"sessiontree/internal/session/store"
)

// Result is a session with hits.
type Result struct {
	Session  catalog.Summary
	Hits     []Hit // by branch, and within it by role
	Branches []Branch
	Copies   int // of further hits, which an earlier result has
}

// Progress is how much was read.
type Progress struct {
	Sessions, TotalSessions int
	Bytes, TotalBytes       int64
	Failed                  int // sessions that could not be read
}

// Event is a result, or progress where Result is nil.
type Event struct {
	Result   *Result
	Progress Progress
}

// Searcher searches the sessions of a catalog.
type Searcher struct {
	Library *store.Library
	Catalog *catalog.Catalog
	Formats []*session.Format
}

// job is the search of one session.
type job struct {
	summary catalog.Summary
	files   []string // of the session alone
	result  *Result
	err     error
	done    chan struct{}
}

// Search searches all sessions that pass the filters of q and calls emit for each with
// hits, in the order of the catalog, which is newest first, and after each session with the
// progress. A hit that several sessions record is in the first of them. Search ends early
// if emit returns an error.
func (s *Searcher) Search(ctx context.Context, q *query.Query, emit func(Event) error) error {
	text := strings.Join(q.Words(), " ")
	words, err := search.ParseWords(text)
	if err != nil {
		return err
	}
	run := &run{Searcher: s, q: q, text: text, words: words, listed: map[string]bool{}}
	jobs, total := run.listJobs()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers errgroup.Group
	next := make(chan *job, len(jobs))
	for i := range jobs {
		next <- &jobs[i]
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for j := range next {
				j.result, j.err = run.searchJob(ctx, j)
				close(j.done)
			}
			return nil
		})
	}
	err = run.emitAll(ctx, jobs, total, emit)
	cancel()
	_ = workers.Wait() // no worker returns an error
	return err
}

// run is a running search.
type run struct {
	*Searcher
	q      *query.Query
	text   string // the words of the query
	words  *search.Words
	listed map[string]bool // paths of sessions of the catalog
}

// listJobs returns the sessions to search and the number of their bytes.
func (r *run) listJobs() (jobs []job, bytes int64) {
	agents := r.Catalog.AgentFiles()
	titles := map[string]string{}
	for _, f := range r.Formats {
		titles[f.Name] = f.Title
	}
	for _, sum := range r.Catalog.Sessions() {
		r.listed[sum.Path] = true
		if !r.q.HasAgent(sum.Format, titles[sum.Format]) || !r.q.HasProject(sum.Cwd) || !r.q.After.IsZero() && sum.FileTime.Before(r.q.After) {
			continue
		}
		bytes += sum.Size
		jobs = append(jobs, job{summary: sum, files: append([]string{sum.Path}, agents[sum.Path]...), done: make(chan struct{})})
	}
	return jobs, bytes
}

// emitAll reports the results in order.
func (r *run) emitAll(ctx context.Context, jobs []job, total int64, emit func(Event) error) error {
	seen := map[hitID]bool{}
	p := Progress{TotalSessions: len(jobs), TotalBytes: total}
	for i := range jobs {
		j := &jobs[i]
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-j.done:
		}
		p.Sessions++
		p.Bytes += j.summary.Size
		if j.err != nil {
			p.Failed++
		}
		if j.result != nil {
			j.result.dropCopies(seen)
			if len(j.result.Hits) > 0 {
				if err := emit(Event{Result: j.result, Progress: p}); err != nil {
					return err
				}
			}
			j.result = nil
			continue
		}
		if err := emit(Event{Progress: p}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// dropCopies removes the hits that an earlier result has.
func (r *Result) dropCopies(seen map[hitID]bool) {
	kept := r.Hits[:0]
	for _, h := range r.Hits {
		if seen[h.id] {
			r.Copies++
			continue
		}
		seen[h.id] = true
		kept = append(kept, h)
	}
	r.Hits = kept
}

// searchJob searches one session. The result is nil if there are no hits.
func (r *run) searchJob(ctx context.Context, j *job) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if ok, err := r.mayMatch(ctx, j); err != nil || !ok {
		return nil, err
	}
	for retry := true; ; retry = false {
		s, err := r.Library.OpenUnlisted(ctx, j.summary.Path)
		if err != nil {
			return nil, err
		}
		hits, branches, err := r.searchSession(ctx, s)
		if retry && errors.Is(err, session.ErrStale) { // the file was rewritten meanwhile
			continue
		}
		if err != nil || len(hits) == 0 {
			return nil, err
		}
		return &Result{Session: j.summary, Hits: hits, Branches: branches}, nil
	}
}

// mayMatch reports whether a line of the session's files may have all words of the query.
// Labels, names and retracted lines are kept elsewhere too: a session that may have some is
// always searched.
func (r *run) mayMatch(ctx context.Context, j *job) (bool, error) {
	if r.text == "" {
		return true, nil
	}
	a, annotated := r.Library.Sidecars().Find(j.summary.Format, j.summary.ID)
	if annotated && a.HasAny() || r.Library.HasRetracted(j.summary.Format, j.summary.ID) {
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
