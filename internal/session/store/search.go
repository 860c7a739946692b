package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// maxQueryWords is the maximum number of words in a query.
const maxQueryWords = 64

// Search returns the entries whose full text (label, role, text, tool output) contains
// every word of query, case folded, in file order.
func (s *Session) Search(ctx context.Context, query string) ([]session.Pos, error) {
	return s.SearchFrom(ctx, query, 0)
}

// SearchFrom is Search among the entries from a position on, at the cost of these.
func (s *Session) SearchFrom(ctx context.Context, query string, from session.Pos) ([]session.Pos, error) {
	words := queryWords(query)
	if len(words) == 0 {
		return nil, nil
	}
	if len(words) > maxQueryWords {
		return nil, fmt.Errorf("%w: a query of more than %d words", session.ErrInvalid, maxQueryWords)
	}
	q := &searchQuery{s: s, format: s.Format(), words: words}
	for _, w := range words {
		q.linePatterns = append(q.linePatterns, newLinePattern(w))
		plain, ok := newTextPattern(w)
		q.textPatterns, q.foldsText = append(q.textPatterns, plain), q.foldsText || !ok
	}
	targets := q.listTargets(from)
	hits, err := q.searchTargets(ctx, targets)
	var failed *openError
	switch {
	case errors.As(err, &failed):
		_, _ = s.Refresh(ctx)
		return nil, failed.error
	case errors.Is(err, session.ErrStale):
		s.reloadUnlessNewer(ctx, q.rev.Epoch)
	}
	if err != nil {
		return nil, fmt.Errorf("search %s: %w", s.at.Path, err)
	}
	return hits, nil
}

// searchQuery is a running search.
type searchQuery struct {
	s            *Session
	rev          Revision
	format       *session.Format
	words        []string
	linePatterns []linePattern // for recorded lines
	textPatterns []linePattern // for decoded text, unless foldsText is set
	foldsText    bool
}

// searchTarget is an entry to search.
type searchTarget struct {
	lineLocation
	pos      session.Pos
	missing  uint64 // words that its recorded line cannot contain, as bits
	need     uint64 // words to find in its body, as bits
	excluded bool   // some word is nowhere
}

// listTargets returns the entries from a position on in the order of their lines.
func (q *searchQuery) listTargets(from session.Pos) []searchTarget {
	s := q.s
	s.mu.RLock()
	defer s.mu.RUnlock()
	q.rev = s.rev
	targets := make([]searchTarget, max(s.tree.Len()-int(from), 0))
	for i := range targets {
		p := from + session.Pos(i)
		targets[i].span, targets[i].pos = s.tree.At(p).Span, p
	}
	slices.SortFunc(targets, func(a, b searchTarget) int {
		return cmp.Or(cmp.Compare(a.span.File, b.span.File), cmp.Compare(a.span.Off, b.span.Off))
	})
	k, checks := 0, s.checks
	for i := range targets {
		if i > 0 && targets[i].span.File != targets[i-1].span.File || i == 0 {
			k, checks = 0, s.lineChecks(targets[i].span.File)
		}
		for k < len(checks) && checks[k].off < targets[i].span.Off {
			k++
		}
		if k < len(checks) && checks[k].off == targets[i].span.Off {
			targets[i].sum = checks[k].sum
		}
	}
	return targets
}

// openError is the error of a file that cannot be opened any more.
type openError struct{ error }

// searchTargets searches ranges of the files in parallel.
func (q *searchQuery) searchTargets(ctx context.Context, targets []searchTarget) ([]session.Pos, error) {
	var parts [][]searchTarget
	for len(targets) > 0 {
		n := targetsInBlock(targets)
		parts = append(parts, targets[:n])
		targets = targets[n:]
	}
	found := make([][]session.Pos, len(parts))
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, part := range parts {
		if running.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			f, _, err := q.s.filePlace(part[0].span.File).OpenFile()
			if err != nil {
				return &openError{err}
			}
			defer f.Close()
			found[i], err = q.searchBlock(running, f, part)
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// targetsInBlock returns how many of the targets are within one block, at least one.
func targetsInBlock(targets []searchTarget) int {
	end := targets[0].span.Off + blockSize
	n := 1
	for n < len(targets) && targets[n].span.File == targets[0].span.File && targets[n].span.Off+int64(targets[n].span.Len) < end {
		n++
	}
	return n
}

// searchBlock searches adjacent targets: first their bytes, then for missing words the
// texts of the tree (label, role), then the decoded body.
func (q *searchQuery) searchBlock(ctx context.Context, f io.ReaderAt, targets []searchTarget) ([]session.Pos, error) {
	first, last := &targets[0].span, &targets[len(targets)-1].span
	from := max(first.Off-1, 0)
	b := blockPool.Get().(*block)
	defer b.returnToPool()
	b.buf = growBuffer(b.buf[:0], int(last.Off+int64(last.Len)+1-from))
	n, err := f.ReadAt(b.buf, from)
	if err != nil && err != io.EOF {
		return nil, err
	}
	buf := b.buf[:n]
	esc := &escapeFinder{buf: buf, next: -1}
	for i := range targets {
		t := &targets[i]
		start := int(t.span.Off - from)
		end := start + int(t.span.Len)
		if end > len(buf) {
			return nil, session.ErrStale
		}
		t.missing = q.missingFromLine(buf, start, end, esc)
	}
	if err := q.matchTreeText(targets); err != nil {
		return nil, err
	}
	var hits []session.Pos
	for i := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ok, err := q.matchesTarget(buf, int(targets[i].span.Off-from), &targets[i])
		if err != nil {
			return nil, err
		}
		if ok {
			hits = append(hits, targets[i].pos)
		}
	}
	return hits, nil
}

// matchTreeText searches the texts of the tree for the words that the line cannot
// contain and, if all of these are found, for the others.
func (q *searchQuery) matchTreeText(targets []searchTarget) error {
	q.s.mu.RLock()
	defer q.s.mu.RUnlock()
	if q.s.rev.Epoch != q.rev.Epoch {
		return session.ErrStale
	}
	for i := range targets {
		t := &targets[i]
		for k, w := range q.words {
			if t.missing&(1<<k) != 0 && !q.s.tree.MatchesQuery(t.pos, session.ParseQuery(w)) {
				t.excluded = true
				break
			}
		}
		for k, w := range q.words {
			if !t.excluded && t.missing&(1<<k) == 0 && !q.s.tree.MatchesQuery(t.pos, session.ParseQuery(w)) {
				t.need |= 1 << k
			}
		}
	}
	return nil
}
