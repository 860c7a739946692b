package hub

import (
	"context"
	"path/filepath"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/team"
)

// openStore opens the store in the directory of the hub, where none is configured.
func (h *Hub) openStore(dir string) (err error) {
	if h.Archive == nil {
		h.Archive = archive.NewDir(filepath.Join(dir, "archive"))
	}
	if h.Registry == nil {
		h.Registry, err = team.OpenDir(dir)
	}
	return err
}

// VerifyArchive makes the list of an archive in a directory agree with its files, which a crash can
// prevent. It is for a hub that begins to serve.
func (h *Hub) VerifyArchive(ctx context.Context) error {
	files, ok := h.Archive.(*archive.Dir)
	if !ok {
		return nil // a database loses nothing of its list
	}
	return files.Verify(ctx)
}
