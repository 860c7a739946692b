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
func (c *Catalog) Rescan(ctx context.Context) { c.Touch(ctx, c.lib.Roots()...) }

// Touch takes in changed, new or removed paths (files or directories). What belongs to
// a session that came or went lies in the directory of its name.
func (c *Catalog) Touch(ctx context.Context, paths ...string) {
	changed := c.laidOver()
	for _, path := range outermost(paths) {
		before := c.get(path) != nil
		changed = c.touch(ctx, path) || changed
		if parts, ok := strings.CutSuffix(path, ".jsonl"); ok && before != (c.get(path) != nil) {
			changed = c.touch(ctx, parts) || changed
		}
	}
	if changed {
		c.changed.note()
	}
}

// touch takes in one path and reports whether the list changed. What it costs depends
// on what lies at and below the path alone.
func (c *Catalog) touch(ctx context.Context, path string) (changed bool) {
	var files []store.File
	told, err := c.lib.Under(ctx, path, func(f store.File) { files = append(files, f) })
	if err != nil {
		return false // outside the roots, or cancelled
	}
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.Path] = true
		_, now := c.update(ctx, f)
		changed = changed || now
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.forget(c.known.below(told), there) || changed
}

// outermost leaves out the paths that lie below another one.
func outermost(paths []string) []string {
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

// laidOver reports whether something was kept aside, of any session, since the
// list was made.
func (c *Catalog) laidOver() bool {
	stamp := c.lib.AsideStamp()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return !stamp.Equal(c.asides)
}

// setPart counts an agent's file with its session. The caller holds the lock.
func (c *Catalog) setPart(path, home string) {
	c.drop(path)
	c.homes[path] = home
	c.agents[home]++
	c.known.add(path)
	c.sorted = nil
}

// dropPart forgets an agent's file. The caller holds the lock.
func (c *Catalog) dropPart(path string) {
	home, ok := c.homes[path]
	if !ok {
		return
	}
	delete(c.homes, path)
	if c.agents[home]--; c.agents[home] == 0 {
		delete(c.agents, home)
	}
	c.sorted = nil
}
