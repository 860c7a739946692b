package catalog

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/store"
)

// Fill walks all roots and summarizes what is new. It returns when the list is
// complete; the list can be read meanwhile.
func (c *Catalog) Fill(ctx context.Context) error {
	c.fillMu.Lock()
	defer c.fillMu.Unlock()
	stored := make(chan *cacheContent, 1)
	go func() { stored <- c.loadCache() }()
	files, err := c.listFiles(ctx)
	cache := <-stored
	if err != nil {
		return err
	}
	c.restoreCache(cache)
	if c.onRestored != nil {
		c.onRestored()
		c.onRestored = nil
	}
	c.beginFill(files)
	if err := c.updateAll(ctx, files); err != nil {
		return err
	}
	c.mu.Lock()
	c.progress.Complete = true
	c.mu.Unlock()
	c.notifier.noteListChange()
	return c.Save()
}

// listFiles returns all files, newest first, because viewers look for these.
func (c *Catalog) listFiles(ctx context.Context) ([]roots.File, error) {
	var files []roots.File
	err := c.lib.Roots().WalkFiles(ctx, func(f roots.File) { files = append(files, f) })
	slices.SortStableFunc(files, func(a, b roots.File) int { return cmp.Compare(b.Mtime, a.Mtime) })
	return files, err
}

// beginFill resets the progress and drops missing files.
func (c *Catalog) beginFill(files []roots.File) {
	there := make(map[string]bool, len(files))
	progress := Progress{Files: len(files)}
	for _, f := range files {
		there[f.Path] = true
		progress.BytesPresent += f.Size
	}
	c.mu.Lock()
	c.progress = progress
	listed := slices.Concat(slices.Collect(maps.Keys(c.items)), slices.Collect(maps.Keys(c.unreadable)), slices.Collect(maps.Keys(c.owners)))
	c.mu.Unlock()
	c.dropMissing(listed, there)
}

// updateAll updates the items of files, as many at a time as there are CPU cores. It needs no more
// goroutines than that: the stack of each would grow again.
func (c *Catalog) updateAll(ctx context.Context, files []roots.File) error {
	owners := c.lib.NewOwnerFinder()
	prefetch := prefetcher{catalog: c, files: files}
	var taken atomic.Int64 // files
	takeNext := func() int { return int(taken.Add(1)) - 1 }
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := takeNext(); i < len(files) && ctx.Err() == nil; i = takeNext() {
				prefetch.prefetchAfter(i)
				n, changed := c.updateFile(ctx, files[i], owners)
				if ctx.Err() != nil {
					return
				}
				c.addProgress(files[i], n)
				if changed {
					c.notifier.noteListChange()
				}
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}

// fileProgress is how many bytes of a session had to be read, and its size.
type fileProgress struct {
	read, all int64
	failed    bool
}

// addProgress adds one file of a Fill to the progress. Its size may have changed since
// the walk; a file that is not a session does not count.
func (c *Catalog) addProgress(f roots.File, n fileProgress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.progress
	if n.failed {
		p.BytesPresent -= f.Size
		return
	}
	p.BytesPresent += n.all - f.Size
	p.BytesScanned += n.read
	p.BytesFromCache += n.all - n.read
}

// updateFile updates the item of one file. It reports whether the list changed.
func (c *Catalog) updateFile(ctx context.Context, f roots.File, owners *store.OwnerFinder) (n fileProgress, changed bool) {
	defer c.pathLocks.Lock(f.Path)()
	if old := c.getItem(f.Path); old != nil {
		return c.updateItem(ctx, f, old, owners)
	}
	shared := c.takeShared(f.Path)
	n, changed = c.updateItem(ctx, f, shared, owners)
	return n, changed || shared != nil
}

// updateItem updates the item of one file, old, which may be nil. The caller holds its lock.
func (c *Catalog) updateItem(ctx context.Context, f roots.File, old *listedSession, owners *store.OwnerFinder) (n fileProgress, changed bool) {
	if old != nil && old.isCurrent(f) {
		return fileProgress{all: old.Checkpoint.Size}, false
	}
	it, read, err := c.currentItem(ctx, f, old, owners)
	switch {
	case err != nil && ctx.Err() != nil:
		return n, false
	case err != nil:
		changed = c.listUnreadable(f.Path, err)
		return fileProgress{failed: true}, c.updateAgentSpend(ctx, f) || changed
	}
	n = fileProgress{read: read, all: it.Checkpoint.Size}
	if old != nil && read == 0 && old.isSameFile(it) {
		c.replaceCheckpoint(old, it)
		return n, false
	}
	c.putItem(it)
	return n, true
}

// listUnreadable lists a file as unreadable unless it is gone. It reports whether the
// list changed.
func (c *Catalog) listUnreadable(path string, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, listed := c.items[path]
	old, known := c.unreadable[path]
	home, isPart := c.owners[path]
	var part *store.MemberFileError
	switch {
	case errors.As(err, &part) && part.Owner != "":
		if isPart && home == part.Owner {
			return false
		}
		c.addAgentFile(path, part.Owner)
		return true
	case errors.Is(err, session.ErrNotFound) || errors.Is(err, store.ErrMemberFile):
		c.dropPath(path)
		return listed || known || isPart
	}
	reason := strings.TrimPrefix(err.Error(), path+": ")
	c.addUnreadable(path, reason)
	return listed || isPart || reason != old
}

// currentItem returns the current item of a file, and how many bytes had to be read for
// it.
func (c *Catalog) currentItem(ctx context.Context, f roots.File, old *listedSession, owners *store.OwnerFinder) (*listedSession, int64, error) {
	if f.Err != nil {
		return nil, 0, f.Err
	}
	if old != nil && old.Summary.Orphaned {
		if err := c.lib.CheckIsSession(f.Path, owners); err != nil { // its session is back
			return nil, 0, err
		}
	}
	if old != nil {
		added, ok, err := c.lib.ReadAdded(ctx, f.Path, old.Checkpoint)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			if it, ok := old.applyAddition(&added); ok {
				c.readSaid(it, old, added.Format)
				return it, added.Bytes, nil
			}
		}
	}
	if it := c.summarizeOpen(ctx, f); it != nil {
		return it, it.Checkpoint.Size, nil
	}
	s, err := c.lib.SummarizeFile(ctx, f.Path, owners)
	if err != nil {
		return nil, 0, err
	}
	it := c.newListedSession(f, s)
	c.moveNewItem(it)
	c.readSaid(it, nil, s.Format)
	return it, s.Checkpoint.Size, nil
}

// summarizeOpen makes the item from the tree of an open session, or returns nil.
func (c *Catalog) summarizeOpen(ctx context.Context, f roots.File) (it *listedSession) {
	s, ok := c.lib.FindOpen(f.Path)
	if !ok || len(s.Files()) > 1 { // the tree has other files too
		return nil
	}
	if _, err := s.Refresh(ctx); err != nil {
		return nil
	}
	if err := s.Summarize(ctx, func(v store.ReadSummary) { it = c.newListedSession(f, &v) }); err != nil {
		return nil
	}
	c.readSaid(it, nil, s.Format())
	return it
}
