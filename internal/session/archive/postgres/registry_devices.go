package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/team"
)

// AddDevice implements team.Registry.
func (r *Registry) AddDevice(ctx context.Context, d team.Device) error {
	return r.add(ctx, `INSERT INTO device (id, person, name, token, projects, added, seen, revoked, hidden) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		d.ID, d.Person, cleanText(d.Name), d.Token[:], textsOrEmpty(d.Projects), timeOrNull(d.Added), timeOrNull(d.Seen), timeOrNull(d.Revoked), d.Hidden)
}

const deviceColumns = `SELECT id, person, name, token, projects, added, seen, revoked, hidden FROM device WHERE NOT removed AND `

func scanDevice(row pgx.CollectableRow) (d team.Device, err error) {
	var token []byte
	var added, seen, revoked *time.Time
	err = row.Scan(&d.ID, &d.Person, &d.Name, &token, &d.Projects, &added, &seen, &revoked, &d.Hidden)
	copy(d.Token[:], token)
	d.Added, d.Seen, d.Revoked = timeOf(added), timeOf(seen), timeOf(revoked)
	return d, err
}

// FindDevice implements team.Registry.
func (r *Registry) FindDevice(ctx context.Context, id string) (team.Device, error) {
	return findRow(ctx, r.db, scanDevice, deviceColumns+`id = $1`, id)
}

// FindDeviceByToken implements team.Registry.
func (r *Registry) FindDeviceByToken(ctx context.Context, token team.Hash) (team.Device, error) {
	return findRow(ctx, r.db, scanDevice, deviceColumns+`token = $1`, token[:])
}

// ListDevices implements team.Registry.
func (r *Registry) ListDevices(ctx context.Context, person string) ([]team.Device, error) {
	return listRows(ctx, r.db, scanDevice, deviceColumns+`$1 IN ('', person) ORDER BY seq`, person)
}

// RevokeDevice implements team.Registry.
func (r *Registry) RevokeDevice(ctx context.Context, id string, now time.Time) error {
	return r.set(ctx, `UPDATE device SET revoked = coalesce(revoked, $2) WHERE id = $1 AND NOT removed`, id, now)
}

// RemoveDevice implements team.Registry. The row stays: events say which device it was.
func (r *Registry) RemoveDevice(ctx context.Context, id string) error {
	return r.set(ctx, `UPDATE device SET removed = true WHERE id = $1 AND NOT removed`, id)
}

// NoteDevice implements team.Registry.
func (r *Registry) NoteDevice(ctx context.Context, id string, now time.Time, hidden int) error {
	d, err := r.FindDevice(ctx, id)
	if err != nil || d.Hidden == hidden && team.IsRecent(d.Seen, now) {
		return err
	}
	return r.set(ctx, `UPDATE device SET seen = $2, hidden = $3 WHERE id = $1 AND NOT removed`, id, now, hidden)
}

func scanProject(row pgx.CollectableRow) (p team.Project, err error) {
	return p, row.Scan(&p.Name, &p.Visibility, &p.RetainDays, &p.SearchDays)
}

// FindProject implements team.Registry.
func (r *Registry) FindProject(ctx context.Context, name string) (team.Project, error) {
	return findRow(ctx, r.db, scanProject, `SELECT $1, coalesce(p.visibility, $2), coalesce(p.retain_days, 0), coalesce(p.search_days, 0)
		FROM (VALUES (1)) one LEFT JOIN project p ON p.name = $1`, name, team.Private)
}

// ListProjects implements team.Registry.
func (r *Registry) ListProjects(ctx context.Context) ([]team.Project, error) {
	return listRows(ctx, r.db, scanProject, `SELECT name, visibility, retain_days, search_days FROM (
			SELECT name, visibility, retain_days, search_days, 0 AS part, seq FROM project
			UNION ALL SELECT f.project, $1, 0, 0, 1, min(f.seq) FROM pushed_file f JOIN session s ON s.hash = f.session
			WHERE NOT s.deleted AND f.project <> '' AND NOT EXISTS (SELECT FROM project p WHERE p.name = f.project) GROUP BY f.project
		) all_projects ORDER BY part, seq`, team.Private)
}

// SetProject implements team.Registry.
func (r *Registry) SetProject(ctx context.Context, p team.Project) error {
	err := r.db.retry(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO project (name, visibility, retain_days, search_days) VALUES ($1, $2, $3, $4)
			ON CONFLICT (name) DO UPDATE SET visibility = EXCLUDED.visibility, retain_days = EXCLUDED.retain_days, search_days = EXCLUDED.search_days`,
			p.Name, p.Visibility, p.RetainDays, p.SearchDays)
		if err == nil {
			err = r.db.bus.notifyWith(ctx, tx, message{})
		}
		return err
	})
	if err == nil {
		r.db.bus.publish(message{}) // all of its sessions
	}
	return err
}
