package catalog

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/store"
)

// maxConcurrentUpdates is how many known paths, or files below one, are updated at a time.
// Updates mostly wait for sessions in use, so there are more than CPU cores.
const maxConcurrentUpdates = 8

// Rescan updates all files in the roots. It does not open unchanged ones, except those whose
// summaries are not exact.
func (c *Catalog) Rescan(ctx context.Context) {
	c.forgetInexact(time.Now())
	c.UpdatePaths(ctx, c.lib.Roots().Paths()...)
}

// RereadInexact reads files in full whose summaries are not exact and that were last changed
// before a time. A file that grows line by line is not worth it.
func (c *Catalog) RereadInexact(ctx context.Context, changedBefore time.Time) {
	if paths := c.forgetInexact(changedBefore); len(paths) > 0 {
		c.UpdatePaths(ctx, paths...)
	}
}

// forgetInexact makes the next update read files whose summaries are not exact and that were
// last changed before a time. It returns their paths.
func (c *Catalog) forgetInexact(changedBefore time.Time) (paths []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for path, it := range c.items {
		if it.State.IsInexact && it.Summary.FileTime.Before(changedBefore) {
			stale := *it
			stale.Checkpoint = scan.Checkpoint{}
			c.items[path] = &stale
			paths = append(paths, path)
		}
	}
	return paths
}

// UpdatePaths updates changed, new or removed paths (files or directories). If a
// session came or went, it also updates the directory of the session's name, which has
// its other files.
//
// New paths and files come first: the update of an open session waits while others read or
// change it, and a new session must not wait with it. For the same reason known ones are updated
// in parallel.
func (c *Catalog) UpdatePaths(ctx context.Context, paths ...string) {
	if c.hasChangedAnnotations() {
		c.notifier.noteListChange()
	}
	owners := c.lib.NewOwnerFinder()
	var known []string
	for _, path := range outermostPaths(c.pathsInRoots(paths)) {
		if c.getItem(path) != nil {
			known = append(known, path)
		} else {
			c.updatePathAndParts(ctx, path, owners)
		}
	}
	runInParallel(known, func(path string) { c.updatePathAndParts(ctx, path, owners) })
}

// updatePathAndParts updates a path and, if a session or the file of a sub-agent came or went
// there, the directory of its name: the files in it may now belong to another session.
func (c *Catalog) updatePathAndParts(ctx context.Context, path string, owners *store.OwnerFinder) {
	before := c.fileRole(path)
	changed := c.updatePath(ctx, path, owners)
	if parts, ok := strings.CutSuffix(path, ".jsonl"); ok && before != c.fileRole(path) {
		changed = c.updatePath(ctx, parts, owners) || changed
	}
	if changed {
		c.notifier.noteListChange()
	}
}

// fileRole is what the catalog knows a file as.
type fileRole struct {
	isSession bool
	home      string // path of the session of a sub-agent's file
}

func (c *Catalog) fileRole(path string) fileRole {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return fileRole{c.items[path] != nil, c.owners[path]}
}

// updatePath updates one path and reports whether the list changed. Its cost depends
// only on the files at and below the path.
func (c *Catalog) updatePath(ctx context.Context, path string, owners *store.OwnerFinder) (changed bool) {
	var files []roots.File
	visited, err := c.lib.Roots().WalkUnder(ctx, path, func(f roots.File) { files = append(files, f) })
	if err != nil {
		return false // outside the roots, or canceled
	}
	there := make(map[string]bool, len(files))
	var known []roots.File
	for _, f := range files {
		there[f.Path] = true
		if c.getItem(f.Path) != nil {
			known = append(known, f)
			continue
		}
		_, now := c.updateFile(ctx, f, owners)
		changed = changed || now
	}
	if changed && len(known) > 0 {
		c.notifier.noteListChange() // do not wait for the others
	}
	var changedKnown atomic.Bool
	runInParallel(known, func(f roots.File) {
		if _, now := c.updateFile(ctx, f, owners); now {
			changedKnown.Store(true)
		}
	})
	changed = changed || changedKnown.Load()
	c.mu.Lock()
	listed := c.paths.pathsBelow(visited)
	c.mu.Unlock()
	return c.dropMissing(listed, there) || changed
}

// runInParallel calls fn with each item, maxConcurrentUpdates at a time.
func runInParallel[T any](items []T, fn func(T)) {
	var g errgroup.Group
	g.SetLimit(maxConcurrentUpdates)
	for _, item := range items {
		g.Go(func() error {
			fn(item)
			return nil
		})
	}
	_ = g.Wait() // no function returns an error
}

// dropMissing drops the listed paths that a walk did not find, and reports whether there
// were any.
func (c *Catalog) dropMissing(listed []string, found map[string]bool) (any bool) {
	for _, path := range listed {
		if !found[path] && c.dropIfMissing(path) {
			any = true
		}
	}
	return any
}

// dropIfMissing drops a path that does not exist. A file that was created after a walk may
// have been listed before the walk ended, and no later change would report it again.
func (c *Catalog) dropIfMissing(path string) bool {
	defer c.pathLocks.Lock(path)() // a path that is being listed is looked at afterwards
	if at, err := c.lib.Roots().Locate(path); err == nil {
		if info, err := at.StatFile(); err == nil && info.Mode().IsRegular() {
			return false
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropPath(path)
	return true
}

// pathsInRoots returns the paths that are in a root. An update of a directory above a root
// does nothing, so the paths below it must be kept.
func (c *Catalog) pathsInRoots(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		_, err := c.lib.Roots().Locate(path)
		return err != nil
	})
}

// outermostPaths returns the paths that are not below another one.
func outermostPaths(paths []string) []string {
	if len(paths) < 2 {
		return paths
	}
	all := make(map[string]bool, len(paths))
	for _, path := range paths {
		all[path] = true
	}
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		for up := filepath.Dir(path); up != path; path, up = up, filepath.Dir(up) {
			if all[up] {
				return true
			}
		}
		return false
	})
}

// hasChangedAnnotations reports whether a sidecar changed since the list was computed.
func (c *Catalog) hasChangedAnnotations() bool {
	stamp := c.lib.Sidecars().ModTime()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return !stamp.Equal(c.annotationsModTime)
}

// addAgentFile adds a sub-agent's file to its session. The caller holds the lock.
func (c *Catalog) addAgentFile(path, home string) {
	c.forgetPath(path)
	c.owners[path] = home
	c.agentFiles[home]++
	c.paths.addPath(path)
	c.sorted = nil
}

// dropAgentFile removes a sub-agent's file. The caller holds the lock.
func (c *Catalog) dropAgentFile(path string) {
	home, ok := c.owners[path]
	if !ok {
		return
	}
	delete(c.owners, path)
	if c.agentFiles[home]--; c.agentFiles[home] == 0 {
		delete(c.agentFiles, home)
		delete(c.agentWrote, home)
	}
	c.sorted = nil
}
