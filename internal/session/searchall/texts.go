package searchall

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/textcache"
)

// The cache of texts has the sessions that did not change for restTime, so that it is not
// written while agents write, up to maxCachedSession bytes. All others are read when they
// are searched.
const (
	restTime         = 10 * time.Minute
	maxCachedSession = 64 << 20
)

// cachedRoles are the roles whose text is cached: all that is short.
var cachedRoles = []query.Role{query.RolePrompt, query.RoleAnswer, query.RoleSummary, query.RoleLabel}

// readFileStates returns the states of files as they are now.
func (s *Searcher) readFileStates(paths []string) ([]textcache.FileState, error) {
	return s.appendFileStates(make([]textcache.FileState, 0, len(paths)), paths)
}

// appendFileStates appends the states of files as they are now to states.
func (s *Searcher) appendFileStates(states []textcache.FileState, paths []string) ([]textcache.FileState, error) {
	for _, path := range paths {
		v, err := s.Library.Roots().StatVersion(path)
		if err != nil {
			return states, err
		}
		states = append(states, textcache.FileState{Path: path, Size: v.Size, ModTime: v.ModTime, Version: v.Copy})
	}
	return states, nil
}

// CacheTexts adds the texts of all sessions that are missing from the cache, newest first. It leaves
// out sessions that cannot be read. After each session that it has read, it calls rest with the time
// that this took.
func (s *Searcher) CacheTexts(ctx context.Context, rest func(worked time.Duration)) error {
	unlock, err := s.Texts.LockUpdates(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	run := &run{Searcher: s, q: &query.Query{}}
	jobs, _ := run.listJobs()
	batch := s.Texts.NewBatch()
	for i := range jobs {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, batch.Flush())
		}
		began := time.Now()
		isRead, err := run.cacheTextsOf(ctx, &jobs[i], batch)
		if err != nil {
			return err
		}
		if isRead {
			rest(time.Since(began))
		}
	}
	return batch.Flush()
}

// RemoveDeletedTexts removes the texts of deleted sessions from the cache.
func (s *Searcher) RemoveDeletedTexts() error {
	return s.Texts.RemoveDeleted(func(path string) bool {
		_, err := s.Library.Roots().StatPath(path)
		return !errors.Is(err, fs.ErrNotExist)
	})
}

// cacheTextsOf adds the texts of one session to a batch, unless they are in the cache. It reports
// whether it read the session. Only errors of the cache are returned.
func (r *run) cacheTextsOf(ctx context.Context, j *job, batch *textcache.Batch) (isRead bool, err error) {
	path := j.summary.Path
	states, err := r.readFileStates(j.files)
	if err != nil || r.Texts.Has(path, states) || !r.isCacheable(states) {
		return false, nil
	}
	s, err := r.Library.OpenUnlisted(ctx, path)
	if err != nil {
		return true, nil
	}
	filter, blocks, err := r.collectTexts(ctx, s, j)
	if err != nil {
		return true, nil
	}
	if now, err := r.readFileStates(j.files); err != nil || !slices.Equal(now, states) {
		return true, nil // it may have newer texts than its files had
	}
	return true, batch.Add(textcache.Texts{Path: path, Files: states, Filter: filter, Blocks: blocks})
}

func (r *run) isCacheable(states []textcache.FileState) bool {
	size := int64(0)
	for _, state := range states {
		size += state.Size
		if r.Now.UnixNano()-state.ModTime < int64(restTime) {
			return false
		}
	}
	return size <= maxCachedSession
}

// collectTexts returns the blocks of the texts of a session that are cached, and their filter. The
// tree of a session that is shown with others, or may be, changes with theirs, so its index is
// left out.
func (r *run) collectTexts(ctx context.Context, s *store.Session, j *job) (filter []byte, blocks [][]byte, err error) {
	epoch, files := s.Revision().Epoch, s.Files()
	var positions []session.Pos
	m := &matcher{q: r.q}
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for p := range session.Pos(t.Len()) {
			e := t.At(p)
			if _, labeled := t.Label(p); e.Kind == session.KindToolResult && !labeled || !hasText(t, p) || r.isSearchedElsewhere(files, e.Span.File, j.summary.Path) {
				continue
			}
			positions = append(positions, p)
		}
		m.addEntries(t, positions, newBranchFinder(t))
	})
	texts := newTextWriter(m.branches)
	err = s.ReadRawLines(ctx, positions, func(i int, line []byte) error {
		body, err := s.Format().DecodeBody(line)
		if err != nil {
			body = session.Body{} // there may be a label
		}
		texts.addEntry(positions[i], &m.entries[i], listFields(&m.entries[i].entry, m.entries[i].label, &body))
		return nil
	})
	if err == nil && s.Revision().Epoch != epoch {
		err = errors.New("the session was reloaded meanwhile")
	}
	if err != nil {
		return nil, nil, err
	}
	isOwn := func(file string) bool { return slices.Contains(j.files, file) }
	if s.DependsOnOtherFiles(isOwn) {
		texts.dropIndex()
	}
	filter, blocks = texts.encode()
	return filter, blocks, nil
}
