package catalog

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Fill walks all roots and summarises what is new; it returns when the list is
// complete. The list can be read meanwhile.
func (c *Catalog) Fill(ctx context.Context) error {
	c.filling.Lock()
	defer c.filling.Unlock()
	files, err := c.walk(ctx)
	if err != nil {
		return err
	}
	c.readCache()
	c.begin(files)
	if err := c.updateAll(ctx, files); err != nil {
		return err
	}
	c.mu.Lock()
	c.progress.Complete = true
	c.mu.Unlock()
	c.changed.note()
	return c.Save()
}

// walk lists all files, newest first: they are what a reader looks for.
func (c *Catalog) walk(ctx context.Context) ([]store.File, error) {
	var files []store.File
	err := c.lib.Walk(ctx, func(f store.File) { files = append(files, f) })
	slices.SortStableFunc(files, func(a, b store.File) int { return cmp.Compare(b.Mtime, a.Mtime) })
	return files, err
}

// begin starts to count, and forgets what is not there any more.
func (c *Catalog) begin(files []store.File) {
	there := make(map[string]bool, len(files))
	progress := Progress{Files: len(files)}
	for _, f := range files {
		there[f.Path] = true
		progress.BytesPresent += f.Size
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.progress = progress
	for _, paths := range [][]string{slices.Collect(maps.Keys(c.items)), slices.Collect(maps.Keys(c.unreadable)), slices.Collect(maps.Keys(c.homes))} {
		c.forget(paths, there)
	}
}

// forget drops the paths that are not there, and reports whether there was any. The
// caller holds the lock.
func (c *Catalog) forget(paths []string, there map[string]bool) (any bool) {
	for _, path := range paths {
		if !there[path] {
			c.drop(path)
			any = true
		}
	}
	return any
}

// updateAll brings files up to date, as many at a time as there are cores.
func (c *Catalog) updateAll(ctx context.Context, files []store.File) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			n, changed := c.update(ctx, f)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.count(f, n)
			if changed {
				c.changed.note()
			}
			return nil
		})
	}
	return errors.Join(g.Wait(), ctx.Err())
}

// reading is how many bytes of a session had to be read, and how many it has.
type reading struct {
	read, all int64
	failed    bool
}

// count adds one file of a Fill to the progress. A file may have changed since
// it was found; what is no session does not count.
func (c *Catalog) count(f store.File, n reading) {
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

// update brings one file up to date. It reports whether the list changed.
func (c *Catalog) update(ctx context.Context, f store.File) (n reading, changed bool) {
	turn := c.turns.of(f.Path)
	turn.Lock()
	defer turn.Unlock()
	old := c.get(f.Path)
	if old != nil && !old.Summary.Lost && f.Unchanged(old.Mark) {
		return reading{all: old.Mark.Size}, false
	}
	it, read, err := c.current(ctx, f, old)
	switch {
	case err != nil && ctx.Err() != nil:
		return n, false
	case err != nil:
		return reading{failed: true}, c.refuse(f.Path, err)
	}
	n = reading{read: read, all: it.Mark.Size}
	if old != nil && read == 0 && old.Mark.Size == it.Mark.Size && old.Summary.FileTime.Equal(it.Summary.FileTime) {
		c.replaceMark(old, it)
		return n, false
	}
	c.put(it)
	return n, true
}

// refuse lists a file as unreadable, unless it is gone. It reports whether that
// is new.
func (c *Catalog) refuse(path string, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, listed := c.items[path]
	old, known := c.unreadable[path]
	home, isPart := c.homes[path]
	var part *store.PartError
	switch {
	case errors.As(err, &part) && part.Home != "":
		if isPart && home == part.Home {
			return false
		}
		c.setPart(path, part.Home)
		return true
	case errors.Is(err, session.ErrNotFound) || errors.Is(err, store.ErrPart):
		c.drop(path)
		return listed || known || isPart
	}
	reason := strings.TrimPrefix(err.Error(), path+": ")
	c.reject(path, reason)
	return listed || isPart || reason != old
}

// current makes the item of a file as it is now, and tells how many bytes had to
// be read for it.
func (c *Catalog) current(ctx context.Context, f store.File, old *item) (*item, int64, error) {
	if f.Err != nil {
		return nil, 0, f.Err
	}
	if old != nil && old.Summary.Lost && c.lib.IsPart(f.Path) { // its session is back
		return nil, 0, store.ErrPart
	}
	if old != nil {
		added, ok, err := c.lib.Added(ctx, f.Path, old.Mark)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			if it, ok := old.grow(&added); ok {
				return it, added.Bytes, nil
			}
		}
	}
	if it := c.fromOpen(ctx, f); it != nil {
		return it, it.Mark.Size, nil
	}
	s, err := c.lib.Survey(ctx, f.Path)
	if err != nil {
		return nil, 0, err
	}
	return newItem(f, s), s.Mark.Size, nil
}

// fromOpen makes the item from the tree of a session that is open anyway.
func (c *Catalog) fromOpen(ctx context.Context, f store.File) (it *item) {
	s, ok := c.lib.Opened(f.Path)
	if !ok || len(s.Files()) > 1 { // several files: its tree is not of this one alone
		return nil
	}
	if _, err := s.Refresh(ctx); err != nil {
		return nil
	}
	if err := s.Survey(ctx, func(v store.Survey) { it = newItem(f, &v) }); err != nil {
		return nil
	}
	return it
}
