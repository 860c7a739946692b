package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/team"
)

// pathKey returns the key of a path: paths may be too long for an index.
func pathKey(path string) []byte {
	hash := team.HashSecret(path)
	return hash[:]
}

// PutFile implements team.Registry.
func (r *Registry) PutFile(ctx context.Context, f team.File) error {
	if err := f.Check(); err != nil {
		return err
	}
	if old, err := r.FindFile(ctx, f.Path); err == nil && team.IsRecent(old.Pushed, f.Pushed) {
		old.Pushed, f.Visibility = f.Pushed, old.Visibility
		if old == f {
			return nil
		}
	}
	// The row of the session is locked, so that it is not deleted meanwhile.
	err := r.set(ctx, `WITH s AS (
			INSERT INTO session (hash, path, person) VALUES ($1, $2, $6)
			ON CONFLICT (hash) DO UPDATE SET person = EXCLUDED.person WHERE NOT session.deleted RETURNING hash
		) INSERT INTO pushed_file (hash, path, session, device, person, project, format, rules, pushed)
		SELECT $3, $4, hash, $5, $6, $7, $8, $9, $10 FROM s
		ON CONFLICT (hash) DO UPDATE SET session = EXCLUDED.session, device = EXCLUDED.device, person = EXCLUDED.person,
			project = EXCLUDED.project, format = EXCLUDED.format, rules = EXCLUDED.rules, pushed = EXCLUDED.pushed`,
		pathKey(f.Session), f.Session, pathKey(f.Path), f.Path, f.Device, f.Person, f.Project, f.Format, f.Rules, timeOrNull(f.Pushed))
	switch {
	case errors.Is(err, team.ErrNotFound):
		return team.ErrDeleted
	case err == nil:
		r.db.bus.noteTeam(f.Path)
	}
	return err
}

const fileColumns = `SELECT f.path, s.path, f.device, f.person, f.project, f.format, f.rules, s.visibility, f.pushed
	FROM pushed_file f JOIN session s ON s.hash = f.session `

func scanFile(row pgx.CollectableRow) (f team.File, err error) {
	var pushed *time.Time
	err = row.Scan(&f.Path, &f.Session, &f.Device, &f.Person, &f.Project, &f.Format, &f.Rules, &f.Visibility, &pushed)
	f.Pushed = timeOf(pushed)
	return f, err
}

// FindFile implements team.Registry.
func (r *Registry) FindFile(ctx context.Context, path string) (team.File, error) {
	return findRow(ctx, r.db, scanFile, fileColumns+`WHERE f.hash = $1 AND NOT s.deleted`, pathKey(path))
}

// ListFiles implements team.Registry. Its condition is that of team.CanRead.
func (r *Registry) ListFiles(ctx context.Context, viewer string, fn func(team.File) error) error {
	files, err := listRows(ctx, r.db, scanFile, fileColumns+`LEFT JOIN project p ON p.name = f.project
		WHERE NOT s.deleted AND ($1 IN ('', f.person) OR CASE s.visibility WHEN '' THEN p.visibility ELSE s.visibility END = $2)
		ORDER BY f.seq`, viewer, team.Team)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := errors.Join(ctx.Err(), fn(f)); err != nil {
			return err
		}
	}
	return nil
}

// Version implements team.Registry. While the messages of other processes are not received,
// each call returns another number.
func (r *Registry) Version(context.Context) (int64, error) {
	return r.db.bus.currentVersion(), nil
}

// SetVisibility implements team.Registry.
func (r *Registry) SetVisibility(ctx context.Context, session string, v team.Visibility) error {
	_, err := r.changeSession(ctx, session, `UPDATE session s SET visibility = $2
		WHERE s.hash = $1 AND NOT s.deleted AND EXISTS (SELECT FROM pushed_file f WHERE f.session = s.hash)`, pathKey(session), v)
	return err
}

// DeleteSession implements team.Registry.
func (r *Registry) DeleteSession(ctx context.Context, session string) ([]string, error) {
	return r.changeSession(ctx, session, `WITH gone AS (DELETE FROM label WHERE session = $1)
		UPDATE session s SET deleted = true
		WHERE s.hash = $1 AND (s.deleted OR EXISTS (SELECT FROM pushed_file f WHERE f.session = s.hash))`, pathKey(session))
}

// changeSession changes a session and returns the paths of its files, also of a
// deleted one.
func (r *Registry) changeSession(ctx context.Context, session, sql string, args ...any) (paths []string, err error) {
	var m message
	err = r.db.retry(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, sql, args...)
		if err == nil && tag.RowsAffected() == 0 {
			err = team.ErrNotFound
		}
		if err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, `SELECT path FROM pushed_file WHERE session = $1 ORDER BY path`, pathKey(session)) // rows have the error
		if paths, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			return err
		}
		m = newMessage(append([]string{session}, paths...)...)
		m.Team = true
		return r.db.bus.notifyWith(ctx, tx, m)
	})
	if err != nil {
		return nil, err
	}
	r.db.bus.publish(m)
	return paths, nil
}

// AddEvent implements team.Registry.
func (r *Registry) AddEvent(ctx context.Context, e team.Event) error {
	return r.add(ctx, `INSERT INTO event (time, person, device, action, session, session_hash, title, detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		e.Time, e.Person, e.Device, e.Action, cleanText(e.Session), pathKey(e.Session), cleanText(e.Title), cleanText(e.Detail))
}

func scanEvent(row pgx.CollectableRow) (e team.Event, err error) {
	return e, row.Scan(&e.Time, &e.Person, &e.Device, &e.Action, &e.Session, &e.Title, &e.Detail)
}

// ListEvents implements team.Registry.
func (r *Registry) ListEvents(ctx context.Context, f team.EventFilter) ([]team.Event, error) {
	var limit *int
	if f.Limit > 0 {
		limit = &f.Limit
	}
	return listRows(ctx, r.db, scanEvent, `SELECT time, person, device, action, session, title, detail FROM event e
		WHERE ($1::timestamptz IS NULL OR e.time >= $1) AND ($2 IN ('', e.person)
			OR EXISTS (SELECT FROM device d WHERE d.id = e.device AND d.person = $2)
			OR EXISTS (SELECT FROM session s WHERE s.hash = e.session_hash AND s.person = $2))
		ORDER BY seq DESC LIMIT $3`, timeOrNull(f.Since), f.Viewer, limit)
}
