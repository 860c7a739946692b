package catalog

import (
	"path/filepath"
	"slices"

	"sessiontree/internal/session/store"
)

// relation is what other files say about a session.
type relation struct {
	title  string // the title in a summary of one of its entries
	parent string // path of the file that the session continues
}

// updateRelations computes the relations again if the library knows more related files.
func (c *Catalog) updateRelations() {
	c.mu.RLock()
	same := c.relatedVersion == c.lib.RelatedVersion()
	c.mu.RUnlock()
	if same {
		return
	}
	files, now := c.lib.RelatedFiles()
	relations := findRelations(files)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.relatedVersion, c.relations, c.sorted = now, relations, nil
}

func findRelations(files map[string]store.RelatedFile) map[string]*relation {
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
		slices.Sort(paths) // so that the choice among several is always the same
		holder := func(id uint64) string {
			for _, path := range paths {
				if _, ok := slices.BinarySearch(files[path].Related.Held, id); ok {
					return path
				}
			}
			return ""
		}
		for _, path := range paths {
			k := files[path].Related
			for _, s := range k.Titles {
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
