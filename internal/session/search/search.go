// Package search finds the entries of a session whose full text contains the words of a
// query.
package search

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/scan"
)

// Source is a session to search. Its methods are called by several goroutines.
type Source interface {
	// Snapshot calls fn with the session's current state. fn must neither block nor keep
	// the tree.
	Snapshot(fn func(Snapshot))
	// ReadAt reads from one of the session's files, see io.ReaderAt.
	ReadAt(file int32, b []byte, off int64) (int, error)
}

// Snapshot is the state of a session.
type Snapshot struct {
	Tree   *session.Tree
	Epoch  uint64                            // changes when positions become invalid
	Checks func(file int32) []scan.LineCheck // of all lines of a file that are entries
}

// run is a running search.
type run struct {
	src    Source
	epoch  uint64
	format *session.Format
	query  *Words
}

// FindEntries returns the entries whose full text (label, role, text, tool output)
// contains every word of q, in file order, and the epoch of their positions. The error is
// session.ErrStale if the session has changed meanwhile.
func FindEntries(ctx context.Context, src Source, f *session.Format, q *Words) (hits []session.Pos, epoch uint64, err error) {
	if len(q.words) == 0 {
		return nil, 0, nil
	}
	r := &run{src: src, format: f, query: q}
	hits, err = r.searchTargets(ctx, r.listTargets(0))
	return hits, r.epoch, err
}

// target is an entry to search.
type target struct {
	scan.Location
	pos      session.Pos
	missing  uint64 // words that its recorded line cannot contain, as bits
	need     uint64 // words to find in its body, as bits
	excluded bool   // some word is nowhere
}

// listTargets returns the entries from a position on in the order of their lines.
func (r *run) listTargets(from session.Pos) (targets []target) {
	r.src.Snapshot(func(v Snapshot) {
		r.epoch = v.Epoch
		targets = make([]target, max(v.Tree.Len()-int(from), 0))
		for i := range targets {
			p := from + session.Pos(i)
			targets[i].Span, targets[i].pos = v.Tree.At(p).Span, p
		}
		slices.SortFunc(targets, func(a, b target) int {
			return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Off, b.Span.Off))
		})
		setHashes(targets, v.Checks)
	})
	return targets
}

// setHashes sets the hashes of the lines of sorted targets.
func setHashes(targets []target, checksOf func(file int32) []scan.LineCheck) {
	var checks []scan.LineCheck
	for i := range targets {
		if i == 0 || targets[i].Span.File != targets[i-1].Span.File {
			checks = checksOf(targets[i].Span.File)
		}
		for len(checks) > 0 && checks[0].Off < targets[i].Span.Off {
			checks = checks[1:]
		}
		if len(checks) > 0 && checks[0].Off == targets[i].Span.Off {
			targets[i].Sum = checks[0].Sum
		}
	}
}

// searchTargets searches ranges of the files in parallel.
func (r *run) searchTargets(ctx context.Context, targets []target) ([]session.Pos, error) {
	parts := splitBlocks(targets)
	found := make([][]session.Pos, len(parts))
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, part := range parts {
		if running.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			found[i], err = r.searchBlock(running, part)
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// searchBlock searches adjacent targets: first their bytes, then for missing words the
// texts of the tree (label, role), then the decoded body.
func (r *run) searchBlock(ctx context.Context, targets []target) ([]session.Pos, error) {
	b := bufferPool.Get().(*buffer)
	defer b.returnToPool()
	buf, from, err := r.readBlock(b, targets)
	if err != nil {
		return nil, err
	}
	if err := r.matchTreeText(targets); err != nil {
		return nil, err
	}
	var hits []session.Pos
	for i := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ok, err := r.matchesTarget(buf, int(targets[i].Span.Off-from), &targets[i])
		if err != nil {
			return nil, err
		}
		if ok {
			hits = append(hits, targets[i].pos)
		}
	}
	return hits, nil
}

// withTree calls fn with the locked tree. The error is session.ErrStale if positions have
// become invalid.
func (r *run) withTree(fn func(*session.Tree)) (err error) {
	r.src.Snapshot(func(v Snapshot) {
		if v.Epoch != r.epoch {
			err = session.ErrStale
			return
		}
		fn(v.Tree)
	})
	return err
}

// matchTreeText searches the texts of the tree for the words that the line cannot
// contain and, if all of these are found, for the others.
func (r *run) matchTreeText(targets []target) error {
	return r.withTree(func(t *session.Tree) {
		for i := range targets {
			r.matchTreeTextOf(&targets[i], t)
		}
	})
}

func (r *run) matchTreeTextOf(t *target, tree *session.Tree) {
	for k, w := range r.query.treeQueries {
		if t.missing&(1<<k) != 0 && !tree.MatchesQuery(t.pos, w) {
			t.excluded = true
			return
		}
	}
	for k, w := range r.query.treeQueries {
		if t.missing&(1<<k) == 0 && !tree.MatchesQuery(t.pos, w) {
			t.need |= 1 << k
		}
	}
}

// matchesTarget reports whether an entry matches. Its line starts at start.
func (r *run) matchesTarget(buf []byte, start int, t *target) (bool, error) {
	if t.excluded || t.need == 0 {
		return !t.excluded, nil
	}
	body, ok, err := r.decodeTarget(buf, start, t)
	if err != nil || !ok { // there is only the row, which does not contain all words
		return false, err
	}
	return r.query.missingFromText(bodyText(&body))&t.need == 0, nil
}
