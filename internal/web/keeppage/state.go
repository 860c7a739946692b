package keeppage

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"sessiontree/internal/session/keep"
	"sessiontree/internal/web/view/copies"
	"sessiontree/internal/web/view/index"
)

// stateTTL is how long a state is shown before it is read again: it looks at every copied
// session.
const stateTTL = 5 * time.Second

// stateCache is the state as it was read last.
type stateCache struct {
	mu      sync.Mutex
	read    time.Time
	state   keep.State
	folders []copies.Folder
	err     error
}

// Changed makes the next page read the state of copies again. It does not block.
func (h *Handlers) Changed() {
	h.cache.mu.Lock()
	h.cache.read = time.Time{}
	h.cache.mu.Unlock()
	h.Follower.ListChanged()
}

// source returns what is known about copies.
func (h *Handlers) source(ctx context.Context) (copies.Source, error) {
	now := h.Clock()
	c := &h.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if age := now.Sub(c.read); c.read.IsZero() || age < 0 || age > stateTTL {
		c.state, c.err = h.Keeper.State(ctx)
		c.read, c.folders = now, resolveFolders(c.state.Folders)
	}
	return copies.Source{
		Config: h.View, State: c.state, Folders: c.folders, Sessions: h.Catalog.Sessions(), ReadOnly: h.ReadOnly, Now: now,
	}, c.err
}

// resolveFolders adds the canonical paths of folders.
func resolveFolders(folders []keep.Folder) (all []copies.Folder) {
	for _, f := range folders {
		path := f.Path
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		all = append(all, copies.Folder{Path: path, Folder: f})
	}
	return all
}

// ListState returns what the list of sessions shows about copies. back is its address.
func (h *Handlers) ListState(ctx context.Context, back string) index.KeepState {
	if h.Keeper == nil {
		return index.KeepState{}
	}
	h.dropRemoved(ctx)
	src, err := h.source(ctx)
	if err != nil && ctx.Err() == nil {
		src.State.On, src.State.Error = true, err.Error()
	}
	return src.KeepState(back)
}

// dropRemoved removes sessions from the list whose files were deleted and whose copies were
// removed, because of the limit or by another program.
func (h *Handlers) dropRemoved(ctx context.Context) {
	var gone []string
	all := h.Catalog.Sessions()
	for i := range all {
		if !all[i].Deleted || h.Keeper.Archive().Has(all[i].Path) {
			continue
		}
		if _, err := h.Library.Roots().StatPath(all[i].Path); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, all[i].Path)
		}
	}
	if len(gone) > 0 {
		h.Catalog.UpdatePaths(ctx, gone...)
	}
}
