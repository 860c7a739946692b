package hub

import (
	"context"
	"path/filepath"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/team"
)

// openStore opens the store in the directory of the hub, where none is configured. What a crash
// kept from the list of the archive is listed.
func (h *Hub) openStore(dir string) (err error) {
	if h.Archive == nil {
		files := archive.NewDir(filepath.Join(dir, "archive"))
		if err := files.Verify(context.Background()); err != nil {
			return err
		}
		h.Archive = files
	}
	if h.Registry == nil {
		h.Registry, err = team.OpenDir(dir)
	}
	return err
}
