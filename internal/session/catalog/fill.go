package catalog

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
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
	c.forget(func(path string) bool { return !there[path] })
}

// forget drops the paths that gone names. The caller holds the lock.
func (c *Catalog) forget(gone func(path string) bool) (any bool) {
	for path := range c.items {
		if gone(path) {
			c.drop(path)
			any = true
		}
	}
	for path := range c.unreadable {
		if gone(path) {
			c.drop(path)
			any = true
		}
	}
	return c.forgetParts(gone) || any
}

// forgetParts drops agents' files. The caller holds the lock.
func (c *Catalog) forgetParts(gone func(path string) bool) (any bool) {
	for home, paths := range c.parts {
		for path := range paths {
			if gone(path) {
				delete(paths, path)
				c.sorted, any = nil, true
			}
		}
		if len(paths) == 0 {
			delete(c.parts, home)
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

// Touch takes in a changed, new or removed path (a file or a directory). What belongs to
// a session that came or went lies in the directory of its name.
func (c *Catalog) Touch(ctx context.Context, path string) {
	before := c.get(path) != nil
	c.touch(ctx, path)
	if parts, ok := strings.CutSuffix(path, ".jsonl"); ok && before != (c.get(path) != nil) {
		c.touch(ctx, parts)
	}
}

func (c *Catalog) touch(ctx context.Context, path string) {
	var files []store.File
	told, err := c.lib.Under(ctx, path, func(f store.File) { files = append(files, f) })
	if err != nil {
		return // outside the roots, or cancelled
	}
	there := make(map[string]bool, len(files))
	changed := c.laidOver()
	for _, f := range files {
		there[f.Path] = true
		_, now := c.update(ctx, f)
		changed = changed || now
	}
	c.mu.Lock()
	gone := c.forget(func(path string) bool { return below(told, path) && !there[path] })
	c.mu.Unlock()
	if changed || gone {
		c.changed.note()
	}
}

// laidOver reports whether something was kept aside, of any session, since the
// list was made.
func (c *Catalog) laidOver() bool {
	stamp := c.lib.AsideStamp()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return !stamp.Equal(c.asides)
}

// below reports whether path is one of tops or lies below one.
func below(tops []string, path string) bool {
	return slices.ContainsFunc(tops, func(top string) bool {
		rest, ok := strings.CutPrefix(path, top)
		return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(top, string(filepath.Separator)))
	})
}

// update brings one file up to date. It reports whether the list changed.
func (c *Catalog) update(ctx context.Context, f store.File) (n reading, changed bool) {
	turn := c.turns.of(f.Path)
	turn.Lock()
	defer turn.Unlock()
	old := c.get(f.Path)
	it, read, err := c.current(ctx, f, old)
	switch {
	case err != nil && ctx.Err() != nil:
		return n, false
	case err != nil:
		return reading{failed: true}, c.refuse(f.Path, err)
	}
	n = reading{read: read, all: it.Mark.Size}
	if old != nil && read == 0 && old.Mark.Size == it.Mark.Size && old.Summary.FileTime.Equal(it.Summary.FileTime) {
		return n, false
	}
	c.put(it)
	return n, true
}

// refuse lists a file as unreadable, unless it is gone. It reports whether that
// is new.
func (c *Catalog) refuse(path string, err error) bool {
	c.mu.Lock()
	_, listed := c.items[path]
	old, known := c.unreadable[path]
	if c.notePart(path, err) {
		c.mu.Unlock()
		return true
	}
	if errors.Is(err, session.ErrNotFound) || errors.Is(err, store.ErrPart) {
		c.drop(path)
		c.mu.Unlock()
		return listed || known
	}
	c.mu.Unlock()
	reason := strings.TrimPrefix(err.Error(), path+": ")
	c.reject(path, reason)
	return listed || reason != old
}

// notePart counts an agent's file with its session, and reports whether that is new.
// The caller holds the lock.
func (c *Catalog) notePart(path string, err error) bool {
	var part *store.PartError
	if !errors.As(err, &part) || part.Home == "" || c.parts[part.Home][path] {
		return false
	}
	if c.parts[part.Home] == nil {
		c.parts[part.Home] = map[string]bool{}
	}
	c.drop(path)
	c.parts[part.Home][path] = true
	c.sorted = nil
	return true
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
