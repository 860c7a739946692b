package catalog

import (
	"maps"

	"sessiontree/internal/session/related"
)

// updateRelations updates the relations between the files of the directories whose index
// has changed since the last call.
func (c *Catalog) updateRelations() {
	c.mu.RLock()
	before := c.relatedVersion
	c.mu.RUnlock()
	dirs, now := c.lib.Related().ChangedSince(before)
	if now == before {
		return
	}
	relations := make(map[string]map[string]*related.Relation, len(dirs))
	for dir, files := range dirs {
		relations[dir] = related.FindRelations(dir, files)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if now <= c.relatedVersion {
		return // another call has seen more
	}
	if c.relations == nil {
		c.relations = map[string]map[string]*related.Relation{}
	}
	maps.Copy(c.relations, relations)
	c.relatedVersion, c.sorted = now, nil
}
