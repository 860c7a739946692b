package hub

import (
	"context"
	"errors"
	"slices"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/team"
)

// DeleteExpired deletes the sessions that are older than their project keeps them. A session
// is as old as the newest of its files.
func (h *Hub) DeleteExpired(ctx context.Context) error {
	projects, err := h.Registry.ListProjects(ctx)
	if err != nil {
		return err
	}
	keep := map[string]time.Duration{}
	for _, p := range projects {
		if p.RetainDays > 0 {
			keep[p.Name] = time.Duration(p.RetainDays) * 24 * time.Hour
		}
	}
	if len(keep) == 0 {
		return nil
	}
	files, err := h.ListFiles(ctx, "")
	if err != nil {
		return err
	}
	newest := map[string]time.Time{}
	for _, f := range files {
		if at := h.modTime(ctx, f.Path); at.After(newest[f.Session]) {
			newest[f.Session] = at
		}
	}
	var failed []error
	for _, f := range files {
		age, ok := keep[f.Project]
		if at := newest[f.Session]; ok && f.Path == f.Session && !at.IsZero() && h.now().Sub(at) > age {
			failed = append(failed, h.deleteSession(ctx, "", f, "a session that was older than its project keeps them"))
		}
	}
	return errors.Join(failed...)
}

// modTime returns when a file was modified on its device, zero if nothing of it was pushed.
func (h *Hub) modTime(ctx context.Context, archived string) time.Time {
	heads, err := h.Archive.Heads(ctx, archived)
	if err != nil || len(heads) == 0 {
		return time.Time{}
	}
	return heads[len(heads)-1].ModTime
}

// PurgeUnknown deletes the bytes of files that nobody owns: of deleted sessions, whose deletion
// a crash has interrupted. It also records for deletions of an earlier run that their bytes are
// gone.
func (h *Hub) PurgeUnknown(ctx context.Context) error {
	// First the bytes: devices describe a file before they send any.
	var stored []string
	err := h.Archive.ListFiles(ctx, func(path string, _ []archive.Head) error {
		stored = append(stored, path)
		return nil
	})
	if err != nil {
		return err
	}
	files, err := h.ListFiles(ctx, "")
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, f := range files {
		known[f.Path] = true
	}
	unknown := slices.DeleteFunc(stored, func(path string) bool { return known[path] })
	if len(unknown) > 0 {
		err = h.purgeFiles(ctx, team.Event{Time: h.now()}, unknown)
	}
	if err == nil {
		err = h.restorePurges(ctx)
	}
	if err == nil {
		err = h.RecordPurges(ctx)
	}
	return err
}
