package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/team"
)

// Registry is the team.Registry of a database.
type Registry struct{ db *DB }

var _ team.Registry = (*Registry)(nil)

// Registry returns the people, devices, projects and files.
func (db *DB) Registry() *Registry { return &Registry{db} }

// cleanText returns a text that a database can store.
func cleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// timeOrNull returns nil for the zero time.
func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// timeOf is the reverse of timeOrNull.
func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// textsOrEmpty returns no nil, which would be NULL.
func textsOrEmpty(texts []string) []string {
	clean := make([]string, len(texts))
	for i, s := range texts {
		clean[i] = cleanText(s)
	}
	return clean
}

// add inserts a row. The error is team.ErrExists if one has the same key.
func (r *Registry) add(ctx context.Context, sql string, args ...any) error {
	_, err := r.db.pool.Exec(ctx, sql, args...)
	if isDuplicate(err) {
		return team.ErrExists
	}
	return err
}

// set changes a row. The error is team.ErrNotFound if there is none.
func (r *Registry) set(ctx context.Context, sql string, args ...any) error {
	tag, err := r.db.pool.Exec(ctx, sql, args...)
	if err == nil && tag.RowsAffected() == 0 {
		return team.ErrNotFound
	}
	return err
}

// findRow returns the only row of a query. The error is team.ErrNotFound if there is none.
func findRow[V any](ctx context.Context, db *DB, scan pgx.RowToFunc[V], sql string, args ...any) (V, error) {
	rows, _ := db.pool.Query(ctx, sql, args...) // rows have the error
	v, err := pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		err = team.ErrNotFound
	}
	return v, err
}

// listRows returns the rows of a query.
func listRows[V any](ctx context.Context, db *DB, scan pgx.RowToFunc[V], sql string, args ...any) ([]V, error) {
	rows, _ := db.pool.Query(ctx, sql, args...) // rows have the error
	return pgx.CollectRows(rows, scan)
}

// AddPerson implements team.Registry.
func (r *Registry) AddPerson(ctx context.Context, p team.Person) error {
	return r.add(ctx, `INSERT INTO person (id, subject, name, email, role, added) VALUES ($1, nullif($2, ''), $3, $4, $5, $6)`,
		p.ID, p.Subject, cleanText(p.Name), cleanText(p.Email), p.Role, timeOrNull(p.Added))
}

const personColumns = `SELECT id, coalesce(subject, ''), name, email, role, added FROM person `

func scanPerson(row pgx.CollectableRow) (p team.Person, err error) {
	var added *time.Time
	err = row.Scan(&p.ID, &p.Subject, &p.Name, &p.Email, &p.Role, &added)
	p.Added = timeOf(added)
	return p, err
}

// FindPerson implements team.Registry.
func (r *Registry) FindPerson(ctx context.Context, id string) (team.Person, error) {
	return findRow(ctx, r.db, scanPerson, personColumns+`WHERE id = $1`, id)
}

// FindSubject implements team.Registry.
func (r *Registry) FindSubject(ctx context.Context, subject string) (team.Person, error) {
	return findRow(ctx, r.db, scanPerson, personColumns+`WHERE subject = nullif($1, '')`, subject)
}

// ListPeople implements team.Registry.
func (r *Registry) ListPeople(ctx context.Context) ([]team.Person, error) {
	return listRows(ctx, r.db, scanPerson, personColumns+`ORDER BY seq`)
}

// SetPerson implements team.Registry.
func (r *Registry) SetPerson(ctx context.Context, id, name string, role team.Role) error {
	return r.set(ctx, `UPDATE person SET name = $2, role = $3 WHERE id = $1`, id, name, role)
}

// AddLogin implements team.Registry.
func (r *Registry) AddLogin(ctx context.Context, l team.Login) error {
	return r.add(ctx, `INSERT INTO login (token, person, expires) VALUES ($1, $2, $3)
		ON CONFLICT (token) DO UPDATE SET person = EXCLUDED.person, expires = EXCLUDED.expires`, l.Token[:], l.Person, l.Expires)
}

// FindLogin implements team.Registry.
func (r *Registry) FindLogin(ctx context.Context, token team.Hash, now time.Time) (team.Login, error) {
	return findRow(ctx, r.db, func(row pgx.CollectableRow) (team.Login, error) {
		l := team.Login{Token: token}
		return l, row.Scan(&l.Person, &l.Expires)
	}, `SELECT person, expires FROM login WHERE token = $1 AND expires > $2`, token[:], now)
}

// DeleteLogin implements team.Registry.
func (r *Registry) DeleteLogin(ctx context.Context, token team.Hash) error {
	_, err := r.db.pool.Exec(ctx, `DELETE FROM login WHERE token = $1`, token[:])
	return err
}

// AddCode implements team.Registry.
func (r *Registry) AddCode(ctx context.Context, c team.Code) error {
	return r.add(ctx, `INSERT INTO code (hash, kind, person, projects, expires) VALUES ($1, $2, $3, $4, $5)`,
		c.Hash[:], c.Kind, c.Person, textsOrEmpty(c.Projects), c.Expires)
}

const codeColumns = `hash, kind, person, projects, expires, used, device`

func scanCode(row pgx.CollectableRow) (c team.Code, err error) {
	var hash []byte
	var used *time.Time
	err = row.Scan(&hash, &c.Kind, &c.Person, &c.Projects, &c.Expires, &used, &c.Device)
	copy(c.Hash[:], hash)
	c.Used = timeOf(used)
	return c, err
}

// FindCode implements team.Registry.
func (r *Registry) FindCode(ctx context.Context, code team.Hash) (team.Code, error) {
	return findRow(ctx, r.db, scanCode, `SELECT `+codeColumns+` FROM code WHERE hash = $1`, code[:])
}

// UseCode implements team.Registry.
func (r *Registry) UseCode(ctx context.Context, code team.Hash, kind team.CodeKind, device string, now time.Time) (team.Code, error) {
	c, err := findRow(ctx, r.db, scanCode, `UPDATE code SET used = $4, device = $3
		WHERE hash = $1 AND kind = $2 AND used IS NULL AND expires > $4 RETURNING `+codeColumns, code[:], kind, device, now)
	if errors.Is(err, team.ErrNotFound) {
		err = team.ErrCode
	}
	return c, err
}
