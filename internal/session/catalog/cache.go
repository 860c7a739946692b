package catalog

import (
	"maps"

	"sessiontree/internal/session/related"
)

// The cache keeps at most this many sessions of other roots, and this many keys of
// moved files.
const (
	maxOtherRoots = 20_000
	maxFormerKeys = 20_000
)

// cacheContent is what is stored for the next run.
type cacheContent struct {
	cacheFacts
	Items []*listedSession
}

// cacheFacts are what is stored besides the items.
type cacheFacts struct {
	FormerKeys map[string]string
	Related    map[string]related.File // related entries by file
	AgentSpend map[string]agentSpend   // by path
	FileNames  map[uint64]string       // of changed files, by hash
	Requests   int                     // in the ledger
}

// loadCache returns what an earlier run stored, nil if it was restored before or cannot be read.
// Only Fill calls it, which has the only code that sets cacheRead.
func (c *Catalog) loadCache() *cacheContent {
	if c.cacheDir == "" || c.cacheRead {
		return nil
	}
	return readCacheFile(c.cacheDir, c.moved == nil)
}

// restoreCache adds what loadCache returned to the list: the items in the roots. It keeps the
// others. Fill checks the items against their files. The roots have been walked before, so that
// those behind links are known.
func (c *Catalog) restoreCache(k *cacheContent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cacheRead = c.cacheDir != ""
	if k == nil {
		return
	}
	if len(k.FormerKeys) > 0 {
		c.formerKeys = k.FormerKeys
	}
	c.savedRelated += c.lib.Related().Restore(k.Related, c.lib.Roots().ContainsPath)
	c.otherRoots = map[string]listedSession{}
	c.ledger.Grow(k.Requests)
	for _, it := range k.Items {
		path := it.Summary.Path
		if !c.lib.Roots().ContainsPath(path) {
			c.otherRoots[path] = *it
			continue
		}
		if c.items[path] != nil {
			continue // already updated in this run
		}
		c.lib.RestoreAgentWrote(path, &it.Checkpoint, it.Summary.AgentWrote)
		c.items[path] = it
		c.ledger.Put(it.spendSource())
		c.paths.addPath(path)
		c.keys[it.Summary.Key] = path
		id := it.Summary.identity()
		c.ids[id] = append(c.ids[id], path)
	}
	maps.Copy(c.fileNames, k.FileNames)
	c.agentSpend = k.AgentSpend
	if c.agentSpend == nil {
		c.agentSpend = map[string]agentSpend{}
	}
	c.sorted, c.cwds = nil, nil
}

// Save stores what was learned since the end of Fill for the next run. It does nothing
// before the cache of an earlier run was read.
func (c *Catalog) Save() error {
	c.saveMu.Lock()
	defer c.saveMu.Unlock()
	k, changed := c.cacheSnapshot()
	if !changed {
		return nil
	}
	return writeCacheFile(c.cacheDir, k)
}

// cacheSnapshot returns the content for the cache, and whether it has changed since it
// was read or saved.
func (c *Catalog) cacheSnapshot() (k *cacheContent, changed bool) {
	related, state := c.lib.Related().Files()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.cacheRead || c.changes == 0 && c.savedRelated == state {
		return nil, false
	}
	c.changes, c.savedRelated = 0, state
	k = &cacheContent{cacheFacts: cacheFacts{FormerKeys: maps.Clone(c.formerKeys), Related: related, AgentSpend: maps.Clone(c.agentSpend), Requests: c.ledger.CountRequests()}}
	if len(c.formerKeys) > maxFormerKeys {
		k.FormerKeys = nil
	}
	for _, it := range c.items {
		kept := *it
		kept.Summary.AgentWrote = c.lib.AgentWrote(it.Summary.Path, &it.Checkpoint)
		k.Items = append(k.Items, &kept)
	}
	for _, it := range c.otherRoots {
		if len(k.Items) >= len(c.items)+maxOtherRoots {
			break
		}
		k.Items = append(k.Items, &it)
	}
	k.FileNames = c.dropUnusedFileNames()
	return k, true
}
