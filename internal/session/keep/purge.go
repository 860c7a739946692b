package keep

import (
	"context"
	"fmt"
	"io/fs"

	"sessiontree/internal/session"
)

// PurgeSession deletes all copies of a session and of the files in its directory. Blobs stay,
// because other sessions may refer to them. It returns how many bytes became free.
func (k *Keeper) PurgeSession(ctx context.Context, path string) (freed int64, err error) {
	before := k.archive.StoredBytes()
	var paths []string
	if k.archive.Has(path) {
		paths = append(paths, path)
	}
	if dir, ok := sessionDir(path); ok {
		_ = k.archive.WalkFiles(dir, func(path string, _ fs.FileInfo) error {
			paths = append(paths, path)
			return nil
		})
	}
	if len(paths) == 0 {
		return 0, fmt.Errorf("there is no copy of %s: %w", path, session.ErrNotFound)
	}
	for _, path := range paths {
		if err := k.archive.DeleteFile(ctx, path); err != nil {
			return 0, err
		}
	}
	k.onChange()
	return max(before-k.archive.StoredBytes(), 0), nil
}

// PurgeAll deletes all copies. It returns how many sessions there were, and how many bytes
// became free.
func (k *Keeper) PurgeAll(ctx context.Context) (sessions int, freed int64, err error) {
	before := k.archive.StoredBytes()
	all, err := k.storedSessions(ctx)
	for _, s := range all {
		for _, f := range s.files {
			if err == nil {
				err = k.archive.DeleteFile(ctx, f.path)
			}
		}
		if isLines(s.path) && err == nil {
			sessions++
		}
	}
	k.onChange()
	return sessions, max(before-k.archive.StoredBytes(), 0), err
}
