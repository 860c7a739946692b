package hub

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sessiontree/internal/session/team"
)

// Deletions without the record that the bytes are gone are looked for among those of the last
// maxPurgeAge, except for the newest ones, which may still be running.
const (
	maxPurgeAge = 30 * 24 * time.Hour
	minPurgeAge = time.Minute
)

// purgeFiles deletes the bytes of files of a deleted session. RecordPurges records that they
// are gone as soon as they are.
func (h *Hub) purgeFiles(ctx context.Context, deleted team.Event, paths []string) error {
	for _, path := range paths {
		if err := h.Archive.DeleteFile(ctx, path); err != nil {
			return fmt.Errorf("the session is deleted, but not all of its bytes: %w", err)
		}
	}
	if err := h.removeCached(paths); err != nil {
		return fmt.Errorf("the session is deleted, but not its texts: %w", err)
	}
	deleted.Detail = fmt.Sprintf("%d files", len(paths))
	h.purgesMu.Lock()
	defer h.purgesMu.Unlock()
	h.purges = append(h.purges, deleted)
	return nil
}

// RecordPurges records that the bytes of deleted sessions are gone, if they are.
func (h *Hub) RecordPurges(ctx context.Context) error {
	h.purgesMu.Lock()
	defer h.purgesMu.Unlock()
	if len(h.purges) == 0 {
		return nil
	}
	if h.hasDeletedBytes != nil {
		if has, err := h.hasDeletedBytes(ctx); err != nil || has {
			return err
		}
	}
	oldest := slices.MinFunc(h.purges, func(a, b team.Event) int { return a.Time.Compare(b.Time) })
	purged, err := h.listPurged(ctx, oldest.Time)
	if err != nil {
		return err
	}
	for len(h.purges) > 0 {
		e := h.purges[0]
		if purged[e.Session].Before(e.Time) { // no other process of the hub has recorded it
			e.Action = team.Purge
			if err := h.record(ctx, e); err != nil {
				return err
			}
			purged[e.Session] = e.Time
		}
		h.purges = h.purges[1:]
	}
	return nil
}

// listPurged returns when sessions were last purged since a time.
func (h *Hub) listPurged(ctx context.Context, since time.Time) (map[string]time.Time, error) {
	events, err := h.Registry.ListEvents(ctx, team.EventFilter{Since: since})
	purged := map[string]time.Time{}
	for _, e := range events {
		if e.Action == team.Purge && e.Time.After(purged[e.Session]) {
			purged[e.Session] = e.Time
		}
	}
	return purged, err
}

// restorePurges finds the deleted sessions whose bytes are gone without a record, because the
// hub was stopped before they were.
func (h *Hub) restorePurges(ctx context.Context) error {
	now := h.now()
	events, err := h.Registry.ListEvents(ctx, team.EventFilter{Since: now.Add(-maxPurgeAge)})
	if err != nil {
		return err
	}
	h.purgesMu.Lock()
	defer h.purgesMu.Unlock()
	known := map[string]bool{} // sessions with a purge or a later deletion
	for _, e := range h.purges {
		known[e.Session] = true
	}
	for _, e := range events { // newest first
		switch {
		case e.Action == team.Delete && !known[e.Session] && now.Sub(e.Time) >= minPurgeAge:
			e.Detail = "all files"
			h.purges = append(h.purges, e)
			known[e.Session] = true
		case e.Action == team.Purge:
			known[e.Session] = true
		}
	}
	return nil
}
