package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/team"
)

// SetLabel implements team.Registry.
func (r *Registry) SetLabel(ctx context.Context, l team.Label) error {
	entry, err := json.Marshal(l.Entry)
	if err != nil {
		return err
	}
	// The row of the session is locked, so that it is not deleted meanwhile.
	_, err = r.changeSession(ctx, l.Session, `WITH s AS (
			SELECT hash FROM session WHERE hash = $1 AND NOT deleted AND EXISTS (SELECT FROM pushed_file f WHERE f.session = hash) FOR UPDATE
		) INSERT INTO label (session, entry_hash, entry, record) SELECT hash, $2, $3, $4 FROM s
		ON CONFLICT (session, entry_hash) DO UPDATE SET record = EXCLUDED.record`, pathKey(l.Session), pathKey(l.Entry), string(entry), l.Record)
	return err
}

// ListLabels implements team.Registry.
func (r *Registry) ListLabels(ctx context.Context) ([]team.Label, error) {
	return listRows(ctx, r.db, func(row pgx.CollectableRow) (l team.Label, err error) {
		var entry string
		if err = row.Scan(&l.Session, &entry, &l.Record); err != nil {
			return l, err
		}
		return l, json.Unmarshal([]byte(entry), &l.Entry)
	}, `SELECT s.path, l.entry, l.record FROM label l JOIN session s ON s.hash = l.session WHERE NOT s.deleted ORDER BY l.seq`)
}
