package catalog

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session/store"
)

// Rescan takes in what changed anywhere without having been reported. Files that look
// as they did are not opened.
func (c *Catalog) Rescan(ctx context.Context) { c.UpdatePaths(ctx, c.lib.Roots()...) }

// UpdatePaths takes in changed, new or removed paths (files or directories). What belongs to
// a session that came or went lies in the directory of its name.
func (c *Catalog) UpdatePaths(ctx context.Context, paths ...string) {
	changed := c.hasChangedAnnotations()
	for _, path := range outermostPaths(paths) {
		before := c.getItem(path) != nil
		changed = c.updatePath(ctx, path) || changed
		if parts, ok := strings.CutSuffix(path, ".jsonl"); ok && before != (c.getItem(path) != nil) {
			changed = c.updatePath(ctx, parts) || changed
		}
	}
	if changed {
		c.notifier.noteListChange()
	}
}

// updatePath takes in one path and reports whether the list changed. What it costs depends
// on what lies at and below the path alone.
func (c *Catalog) updatePath(ctx context.Context, path string) (changed bool) {
	var files []store.File
	told, err := c.lib.WalkUnder(ctx, path, func(f store.File) { files = append(files, f) })
	if err != nil {
		return false // outside the roots, or cancelled
	}
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.Path] = true
		_, now := c.updateFile(ctx, f)
		changed = changed || now
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dropMissing(c.paths.pathsBelow(told), there) || changed
}

// outermostPaths leaves out the paths that lie below another one.
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

// hasChangedAnnotations reports whether something was kept aside, of any session, since the
// list was made.
func (c *Catalog) hasChangedAnnotations() bool {
	stamp := c.lib.AnnotationsModTime()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return !stamp.Equal(c.annotationsModTime)
}

// addAgentFile counts an agent's file with its session. The caller holds the lock.
func (c *Catalog) addAgentFile(path, home string) {
	c.dropPath(path)
	c.owners[path] = home
	c.agentFiles[home]++
	c.paths.addPath(path)
	c.sorted = nil
}

// dropAgentFile forgets an agent's file. The caller holds the lock.
func (c *Catalog) dropAgentFile(path string) {
	home, ok := c.owners[path]
	if !ok {
		return
	}
	delete(c.owners, path)
	if c.agentFiles[home]--; c.agentFiles[home] == 0 {
		delete(c.agentFiles, home)
	}
	c.sorted = nil
}
