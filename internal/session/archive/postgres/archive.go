package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/archive"
)

// Archive is the archive.Store of a database.
type Archive struct{ db *DB }

var _ archive.Store = (*Archive)(nil)

// Archive returns the store of segments.
func (db *DB) Archive() *Archive { return &Archive{db} }

// generation is a row of that table.
type generation struct {
	id           int64
	number       int
	size         int64
	chain        archive.Chain
	state        archive.ChainState
	modified     int64
	stored       int64
	closed       bool
	tail         int64
	tailSegments int
}

// rowCost is about how many bytes a row needs besides those of a segment.
const rowCost = 64

const generationColumns = `g.id, g.number, g.size, g.chain, g.chain_state, g.modified, g.stored, g.closed, g.tail, g.tail_segments`

// scanGeneration reads the generationColumns of a row.
func scanGeneration(row pgx.CollectableRow) (g generation, err error) {
	var chain, state []byte
	err = row.Scan(&g.id, &g.number, &g.size, &chain, &state, &g.modified, &g.stored, &g.closed, &g.tail, &g.tailSegments)
	if err == nil && (copy(g.chain[:], chain) != len(g.chain) || copy(g.state[:], state) != len(g.state)) {
		err = fmt.Errorf("generation %d: its hash is not complete: %w", g.number, archive.ErrDamaged)
	}
	return g, err
}

func (g *generation) head() archive.Head {
	return archive.Head{Generation: g.number, End: g.size, Chain: g.chain, ModTime: time.Unix(0, g.modified), Stored: g.stored}
}

// generations returns those of a file, the oldest first.
func (a *Archive) generations(ctx context.Context, path string) ([]generation, error) {
	rows, err := a.db.pool.Query(ctx, `SELECT `+generationColumns+`
		FROM generation g JOIN stored_file f ON f.id = g.file WHERE f.name = $1 ORDER BY g.number`, archive.FileID(path))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanGeneration)
}

// Heads implements archive.Store.
func (a *Archive) Heads(ctx context.Context, path string) ([]archive.Head, error) {
	all, err := a.generations(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("copy of %s: %w", path, err)
	}
	var heads []archive.Head
	for i := range all {
		heads = append(heads, all[i].head())
	}
	return heads, nil
}

// ListFiles implements archive.Store.
func (a *Archive) ListFiles(ctx context.Context, fn func(path string, heads []archive.Head) error) error {
	files, err := a.listFiles(ctx)
	if err != nil {
		return fmt.Errorf("list of copies: %w", err)
	}
	for _, f := range files {
		if err := errors.Join(ctx.Err(), fn(f.path, f.heads)); err != nil {
			return err
		}
	}
	return nil
}

// listedFile is a stored file in a list.
type listedFile struct {
	path  string
	heads []archive.Head
}

func (a *Archive) listFiles(ctx context.Context) (files []listedFile, err error) {
	rows, err := a.db.pool.Query(ctx, `SELECT f.path, g.number, g.size, g.chain, g.modified, g.stored
		FROM stored_file f JOIN generation g ON g.file = f.id ORDER BY f.id, g.number`)
	if err != nil {
		return nil, err
	}
	var path, chain []byte
	var g generation
	_, err = pgx.ForEachRow(rows, []any{&path, &g.number, &g.size, &chain, &g.modified, &g.stored}, func() error {
		copy(g.chain[:], chain)
		if len(files) == 0 || files[len(files)-1].path != string(path) {
			files = append(files, listedFile{path: string(path)})
		}
		f := &files[len(files)-1]
		f.heads = append(f.heads, g.head())
		return nil
	})
	return files, err
}

// DeleteFile implements archive.Store.
func (a *Archive) DeleteFile(ctx context.Context, path string) error {
	return a.deleteGenerations(ctx, path, func(int) bool { return true })
}

// DeleteGeneration implements archive.Store.
func (a *Archive) DeleteGeneration(ctx context.Context, path string, number int) error {
	return a.deleteGenerations(ctx, path, func(n int) bool { return n == number })
}

// deleteGenerations deletes the generations of a file that is true for. Objects that have
// bytes of them are rewritten or deleted by the next compaction.
func (a *Archive) deleteGenerations(ctx context.Context, path string, is func(number int) bool) error {
	var deleted bool
	err := a.db.retry(ctx, func(tx pgx.Tx) (err error) {
		if deleted, err = deleteGenerations(ctx, tx, path, is); err == nil && deleted {
			err = a.db.bus.notifyWith(ctx, tx, newMessage(path))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("copy of %s: %w", path, err)
	}
	if deleted {
		a.db.bus.publish(newMessage(path))
		a.db.kickCompaction()
	}
	return nil
}

// deleteGenerations reports whether it deleted anything.
func deleteGenerations(ctx context.Context, tx pgx.Tx, path string, is func(int) bool) (bool, error) {
	var file int64
	err := tx.QueryRow(ctx, `SELECT id FROM stored_file WHERE name = $1 FOR UPDATE`, archive.FileID(path)).Scan(&file)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rows, err := tx.Query(ctx, `SELECT `+generationColumns+` FROM generation g WHERE g.file = $1 ORDER BY g.id FOR UPDATE`, file)
	if err != nil {
		return false, err
	}
	all, err := pgx.CollectRows(rows, scanGeneration)
	if err != nil {
		return false, err
	}
	var ids []int64
	kept := slices.DeleteFunc(all, func(g generation) bool {
		if is(g.number) {
			ids = append(ids, g.id)
		}
		return is(g.number)
	})
	if len(ids) == 0 {
		return false, nil
	}
	return true, deleteRows(ctx, tx, file, ids, kept)
}

// deleteRows deletes generations and what belongs to them. kept are those that stay.
func deleteRows(ctx context.Context, tx pgx.Tx, file int64, ids []int64, kept []generation) error {
	rows, err := tx.Query(ctx, `DELETE FROM segment WHERE generation = ANY($1) RETURNING coalesce(object, 0)`, ids)
	if err != nil {
		return err
	}
	objects, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	slices.Sort(objects)
	changes := &pgx.Batch{}
	// A statement of its own, because a compaction may have added the object meanwhile.
	changes.Queue(`UPDATE object SET dirty = true WHERE id = ANY($1)`, slices.Compact(objects))
	changes.Queue(`DELETE FROM generation WHERE id = ANY($1)`, ids)
	if len(kept) == 0 {
		changes.Queue(`DELETE FROM stored_file WHERE id = $1`, file)
	} else {
		newest := slices.MaxFunc(kept, func(a, b generation) int { return a.number - b.number })
		changes.Queue(`UPDATE generation SET closed = false WHERE id = $1`, newest.id)
	}
	return tx.SendBatch(ctx, changes).Close()
}

// retry runs a transaction, again if it failed because of concurrent ones.
func (db *DB) retry(ctx context.Context, fn func(pgx.Tx) error) error {
	for tries := 0; ; tries++ {
		err := pgx.BeginFunc(ctx, db.pool, fn)
		if !isTransient(err) || tries >= maxTries {
			return err
		}
	}
}

// maxTries is how often something is tried that concurrent changes prevent. Each of these
// made progress.
const maxTries = 100

// notStored returns the error for a path that is not stored.
func notStored(path string) error { return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist} }
