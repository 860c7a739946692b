package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/archive"
)

// errChanged says that another process changed the generation first.
var errChanged = errors.New("changed by another process")

// maxTailSegments is how many segments the end of a generation has before they are merged:
// many small ones take more space than one.
const maxTailSegments = 64

// Append implements archive.Store.
func (a *Archive) Append(ctx context.Context, s archive.Segment) (archive.Head, error) {
	if err := s.Check(); err != nil {
		return archive.Head{}, err
	}
	for tries := 0; ; tries++ {
		head, err := a.tryAppend(ctx, &s)
		var conflict *archive.ConflictError
		switch {
		case err == nil:
			return head, nil
		case errors.As(err, &conflict):
			return archive.Head{}, err
		case !errors.Is(err, errChanged) && !isTransient(err) && !isDuplicate(err) || tries >= maxTries:
			return archive.Head{}, fmt.Errorf("copy of %s: %w", s.Path, err)
		}
	}
}

// tryAppend stores a segment after what is stored now.
func (a *Archive) tryAppend(ctx context.Context, s *archive.Segment) (archive.Head, error) {
	all, err := a.generations(ctx, s.Path)
	if err != nil {
		return archive.Head{}, err
	}
	newest := 0
	var g *generation
	for i := range all {
		newest = max(newest, all[i].number)
		if all[i].number == s.Generation {
			g = &all[i]
		}
	}
	conflict := &archive.ConflictError{Path: s.Path}
	if len(all) > 0 {
		conflict.Head = all[len(all)-1].head()
	}
	switch {
	case g == nil && s.Generation == newest+1 && s.Off == 0 && s.Before == archive.EmptyChain:
		return a.beginGeneration(ctx, s)
	case g == nil || s.Off > g.size || s.Off == g.size && s.Before != g.chain:
		return archive.Head{}, conflict
	case s.Off == g.size && len(s.Data) == 0 && s.ModTime.UnixNano() == g.modified:
		return g.head(), nil
	case s.Off == g.size && !g.closed:
		return a.extendGeneration(ctx, s, g)
	case s.Off == g.size:
		return archive.Head{}, conflict
	}
	return a.confirmStored(ctx, s, g, conflict)
}

// beginGeneration stores the first segment of a generation.
func (a *Archive) beginGeneration(ctx context.Context, s *archive.Segment) (archive.Head, error) {
	g := generation{number: s.Generation, state: archive.NewChainState(), stored: rowCost}
	n, err := newSegment(s, &g)
	if err != nil {
		return archive.Head{}, err
	}
	if err := a.db.reserveHot(ctx, len(n.bytes)); err != nil {
		return archive.Head{}, err
	}
	err = pgx.BeginFunc(ctx, a.db.pool, func(tx pgx.Tx) error {
		var file int64
		// The update locks the row: it may be deleted at the same time.
		if err := tx.QueryRow(ctx, `INSERT INTO stored_file (name, path) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET path = EXCLUDED.path RETURNING id`, archive.FileID(s.Path), []byte(s.Path)).Scan(&file); err != nil {
			return err
		}
		var newest int
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(number), 0) FROM generation WHERE file = $1`, file).Scan(&newest); err != nil {
			return err
		}
		if newest != s.Generation-1 {
			return errChanged
		}
		return a.insertGeneration(ctx, tx, file, n)
	})
	if err != nil {
		return archive.Head{}, err
	}
	a.db.bus.note(s.Path)
	return n.after.head(), nil
}

// insertGeneration adds the rows of a generation and closes the one before it.
func (a *Archive) insertGeneration(ctx context.Context, tx pgx.Tx, file int64, n *addedSegment) error {
	g := &n.after
	if _, err := tx.Exec(ctx, `UPDATE generation SET closed = true WHERE file = $1 AND NOT closed`, file); err != nil {
		return err
	}
	err := tx.QueryRow(ctx, `INSERT INTO generation (file, number, size, chain, chain_state, modified, stored, tail_segments)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
		file, g.number, g.size, g.chain[:], g.state[:], g.modified, g.stored, g.tailSegments).Scan(&g.id)
	if err != nil || len(n.bytes) == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO segment (generation, off, len, sum, stored_len, bytes) VALUES ($1, $2, $3, $4, $5, $6)`,
		g.id, n.off, n.length, n.sum[:], len(n.bytes), n.bytes)
	return err
}

// addedSegment is a segment that is about to be stored.
type addedSegment struct {
	off    int64
	length int
	sum    [sha256.Size]byte
	bytes  []byte // compressed
	after  generation
}

// newSegment compresses a segment that continues a generation.
func newSegment(s *archive.Segment, g *generation) (*addedSegment, error) {
	n := &addedSegment{off: s.Off, length: len(s.Data), sum: sha256.Sum256(s.Data), after: *g}
	next := &n.after
	var err error
	if next.state, next.chain, err = g.state.Extend(s.Data); err != nil {
		return nil, err
	}
	next.size, next.modified = s.Off+int64(len(s.Data)), s.ModTime.UnixNano()
	if len(s.Data) == 0 {
		return n, nil
	}
	n.bytes = archive.Compress(s.Data)
	next.stored += rowCost + int64(len(n.bytes))
	next.tailSegments++
	if next.size-g.tail > archive.MaxSegment {
		next.tail, next.tailSegments = s.Off, 1
	}
	return n, nil
}

// extendGeneration stores a segment at the end of a generation, in one statement: of several
// processes one finds the end that it expects.
func (a *Archive) extendGeneration(ctx context.Context, s *archive.Segment, g *generation) (archive.Head, error) {
	n, err := newSegment(s, g)
	if err != nil {
		return archive.Head{}, err
	}
	if err := a.db.reserveHot(ctx, len(n.bytes)); err != nil {
		return archive.Head{}, err
	}
	next := &n.after
	const update = `UPDATE generation SET size = $4, chain = $5, chain_state = $6, modified = $7, stored = stored + $8,
		tail = CASE WHEN $9 THEN $2 ELSE tail END, tail_segments = CASE WHEN $9 THEN 1 ELSE tail_segments + $10 END, appended = now()
		WHERE id = $1 AND size = $2 AND chain = $3 AND NOT closed`
	args := []any{g.id, g.size, g.chain[:], next.size, next.chain[:], next.state[:], next.modified, next.stored - g.stored, next.tail != g.tail, min(len(n.bytes), 1)}
	if len(n.bytes) > 0 {
		args = append(args, n.length, n.sum[:], len(n.bytes), n.bytes)
		err = a.execOne(ctx, `WITH g AS (`+update+` RETURNING id)
			INSERT INTO segment (generation, off, len, sum, stored_len, bytes) SELECT id, $2, $11::int, $12::bytea, $13::int, $14::bytea FROM g`, args...)
	} else {
		err = a.execOne(ctx, update, args...)
	}
	if err != nil {
		return archive.Head{}, err
	}
	a.db.bus.note(s.Path)
	a.mergeTail(ctx, g, next)
	return next.head(), nil
}

// execOne executes a statement that changes one row, or none if it was changed meanwhile.
func (a *Archive) execOne(ctx context.Context, sql string, args ...any) error {
	tag, err := a.db.pool.Exec(ctx, sql, args...)
	if err == nil && tag.RowsAffected() != 1 {
		return errChanged
	}
	return err
}

// mergeTail merges the segments at the end of a generation if an append made it necessary.
// That it fails is no failure of the append.
func (a *Archive) mergeTail(ctx context.Context, before, after *generation) {
	from, to := after.tail, after.size
	switch {
	case after.tail != before.tail && before.tailSegments > 1:
		from, to = before.tail, after.tail
	case after.tailSegments < maxTailSegments:
		return
	}
	if err := a.db.mergeSegments(ctx, after.id, from, to); err != nil {
		a.db.config.Log.Warn("small segments were not merged", "err", err)
	}
}

// confirmStored returns the head if the bytes of a segment are stored already.
func (a *Archive) confirmStored(ctx context.Context, s *archive.Segment, g *generation, conflict error) (archive.Head, error) {
	f, err := a.OpenGeneration(ctx, s.Path, g.number)
	if err != nil {
		return archive.Head{}, err
	}
	defer f.Close()
	switch same, err := s.IsStoredIn(f, g.size); {
	case err != nil:
		return archive.Head{}, err
	case !same:
		return archive.Head{}, conflict
	}
	return g.head(), nil
}
