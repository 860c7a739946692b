package catalog

import (
	"maps"
	"path/filepath"
	"slices"

	"sessiontree/internal/session"
)

// relation is what other files say about a session.
type relation struct {
	title  string // the title in a summary of one of its entries
	parent string // path of the file that the session continues
}

// updateRelations looks again at what the files of a directory say of each other, where more
// is known of them than last time.
func (c *Catalog) updateRelations() {
	c.mu.RLock()
	related := c.relatedVersion
	c.mu.RUnlock()
	dirs, now := c.lib.RelatedSince(related)
	if now == related {
		return
	}
	relations := make(map[string]map[string]*relation, len(dirs))
	for dir, files := range dirs {
		relations[dir] = findRelations(dir, files)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if now <= c.relatedVersion {
		return // another call has seen more
	}
	if c.relations == nil {
		c.relations = map[string]map[string]*relation{}
	}
	maps.Copy(c.relations, relations)
	c.relatedVersion, c.sorted = now, nil
}

// findRelations returns by path what the files of a directory say of each other.
func findRelations(dir string, files map[string]session.Related) map[string]*relation {
	names := slices.Sorted(maps.Keys(files)) // so that of several the same one counts each time
	holder := func(id uint64) string {
		for _, name := range names {
			if _, ok := slices.BinarySearch(files[name].Held, id); ok {
				return filepath.Join(dir, name)
			}
		}
		return ""
	}
	all := map[string]*relation{}
	of := func(path string) *relation {
		if all[path] == nil {
			all[path] = &relation{}
		}
		return all[path]
	}
	for _, name := range names {
		for _, s := range files[name].Titles {
			if at := holder(s.Entry); at != "" {
				of(at).title = s.Title
			}
		}
		path := filepath.Join(dir, name)
		for _, id := range files[name].Refs {
			if at := holder(id); at != "" {
				of(path).parent = at
				break
			}
		}
	}
	return all
}
