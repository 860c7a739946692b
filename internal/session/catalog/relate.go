package catalog

import (
	"path/filepath"
	"slices"

	"sessiontree/internal/session/store"
)

// relation is what other files say of a session.
type relation struct {
	title  string // a summary of one of its entries
	parent string // path of the file that holds what it goes on from
}

// relate looks again at what the files of a directory say of each other, if more
// is known of them than last time.
func (c *Catalog) relate() {
	c.mu.RLock()
	same := c.related == c.lib.KinState()
	c.mu.RUnlock()
	if same {
		return
	}
	files, now := c.lib.Kin()
	relations := relationsOf(files)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.related, c.relations, c.sorted = now, relations, nil
}

func relationsOf(files map[string]store.KinFile) map[string]*relation {
	dirs := map[string][]string{} // paths by directory
	for path := range files {
		dir := filepath.Dir(path)
		dirs[dir] = append(dirs[dir], path)
	}
	all := map[string]*relation{}
	of := func(path string) *relation {
		if all[path] == nil {
			all[path] = &relation{}
		}
		return all[path]
	}
	for _, paths := range dirs {
		slices.Sort(paths) // so that of several the same one counts each time
		holder := func(id uint64) string {
			for _, path := range paths {
				if _, ok := slices.BinarySearch(files[path].Kin.Own, id); ok {
					return path
				}
			}
			return ""
		}
		for _, path := range paths {
			k := files[path].Kin
			for _, s := range k.Said {
				if at := holder(s.Entry); at != "" {
					of(at).title = s.Title
				}
			}
			for _, id := range k.Refs {
				if at := holder(id); at != "" && of(path).parent == "" {
					of(path).parent = at
				}
			}
		}
	}
	return all
}
