package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"sessiontree/internal/session/related"
	"sessiontree/internal/session/safefile"
)

// cacheName includes the version of the file's content. It must change with the
// summaries, with how they are computed, and with the names of the fields.
const cacheName = "catalog-22"

// The cache keeps at most this many sessions of other roots, and this many keys of
// moved files.
const (
	maxOtherRoots = 20_000
	maxFormerKeys = 20_000
)

// maxCacheSize limits the size of the file; 100,000 sessions need a tenth of it.
const maxCacheSize = 1 << 30

// cacheContent is the content of the file after its hash.
type cacheContent struct {
	Items      []listedSession
	FormerKeys map[string]string
	Related    map[string]related.File // related entries by file
	AgentSpend map[string]agentSpend   // by path
	FileNames  map[uint64]string       // of changed files, by hash
}

// loadCache returns what an earlier run stored, nil if it was restored before or cannot be read.
// Only Fill calls it, which has the only code that sets cacheRead.
func (c *Catalog) loadCache() *cacheContent {
	if c.cacheDir == "" || c.cacheRead {
		return nil
	}
	data, err := safefile.ReadRegular(filepath.Join(c.cacheDir, cacheName), maxCacheSize)
	if err != nil || len(data) < sha256.Size {
		return nil
	}
	var k cacheContent
	sum := sha256.Sum256(data[sha256.Size:])
	if !bytes.Equal(sum[:], data[:sha256.Size]) || gob.NewDecoder(bytes.NewReader(data[sha256.Size:])).Decode(&k) != nil {
		return nil
	}
	return &k
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
	for i := range k.Items {
		it := &k.Items[i]
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
	k.readSpilled()
	var data bytes.Buffer
	data.Write(make([]byte, sha256.Size))
	if err := gob.NewEncoder(&data).Encode(k); err != nil {
		return fmt.Errorf("cache of the session list: %w", err)
	}
	sum := sha256.Sum256(data.Bytes()[sha256.Size:])
	copy(data.Bytes(), sum[:])
	return replaceCacheFile(c.cacheDir, cacheName, data.Bytes())
}

// cacheSnapshot returns the content for the cache, and whether it has changed since it
// was read or saved.
func (c *Catalog) cacheSnapshot() (cacheContent, bool) {
	related, state := c.lib.Related().Files()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.cacheRead || c.changes == 0 && c.savedRelated == state {
		return cacheContent{}, false
	}
	c.changes, c.savedRelated = 0, state
	k := cacheContent{FormerKeys: maps.Clone(c.formerKeys), Related: related, AgentSpend: maps.Clone(c.agentSpend)}
	if len(c.formerKeys) > maxFormerKeys {
		k.FormerKeys = nil
	}
	for _, it := range c.items {
		kept := *it
		kept.Summary.AgentWrote = c.lib.AgentWrote(it.Summary.Path, &it.Checkpoint)
		k.Items = append(k.Items, kept)
	}
	for _, it := range c.otherRoots {
		if len(k.Items) >= len(c.items)+maxOtherRoots {
			break
		}
		k.Items = append(k.Items, it)
	}
	k.FileNames = c.dropUnusedFileNames()
	return k, true
}

// readSpilled reads what is not in memory. Sessions for which that fails are left out, and read
// again at the next start.
func (k *cacheContent) readSpilled() {
	kept := k.Items[:0]
	for _, it := range k.Items {
		var err error
		if it.Spend, err = it.Spend.InMemory(); err == nil {
			kept = append(kept, it)
		}
	}
	k.Items = kept
}

// replaceCacheFile writes a file by renaming a temporary one, so that it is never
// incomplete.
func replaceCacheFile(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cache directory: %w", err)
	}
	f, err := os.CreateTemp(dir, "."+name+".*.tmp")
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		if rm := os.Remove(f.Name()); rm != nil && !errors.Is(rm, fs.ErrNotExist) {
			err = errors.Join(err, rm)
		}
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}
