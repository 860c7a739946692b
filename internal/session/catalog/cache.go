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

	"sessiontree/internal/session/store"
)

// cacheName carries the version of what is in the file: a change of the summary
// or of how it is computed needs another name.
const cacheName = "catalog-9"

// The cache keeps at most this many sessions of roots that this run does not
// have, and this many keys of files that moved.
const (
	maxElsewhere = 20_000
	maxFormer    = 20_000
)

// maxCache bounds the file: 100,000 sessions take a tenth of it.
const maxCache = 1 << 30

// cache is what the file holds, after its hash.
type cache struct {
	Items  []item
	Former map[string]string
	Kin    map[string]store.KinFile // which entries files hold, for finding what hangs together
}

// readCache takes over what an earlier run knew of the files in the roots; Fill
// checks it against each file. A cache that cannot be read is made anew. The
// roots were walked before, so that those behind links are known.
func (c *Catalog) readCache() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cached || c.cacheDir == "" {
		return
	}
	c.cached = true
	data, err := store.ReadRegular(filepath.Join(c.cacheDir, cacheName), maxCache)
	if err != nil || len(data) < sha256.Size {
		return
	}
	var k cache
	sum := sha256.Sum256(data[sha256.Size:])
	if !bytes.Equal(sum[:], data[:sha256.Size]) || gob.NewDecoder(bytes.NewReader(data[sha256.Size:])).Decode(&k) != nil {
		return
	}
	c.adopt(&k)
}

// adopt sorts the cache's items by whether they lie in the roots. The caller
// holds the lock.
func (c *Catalog) adopt(k *cache) {
	if len(k.Former) > 0 {
		c.former = k.Former
	}
	c.lib.AdoptKin(k.Kin)
	c.elsewhere = map[string]item{}
	for i := range k.Items {
		it := &k.Items[i]
		path := it.Summary.Path
		if !c.lib.Holds(path) {
			c.elsewhere[path] = *it
			continue
		}
		if c.items[path] != nil {
			continue // seen by this run already
		}
		c.items[path] = it
		c.known.add(path)
		c.keys[it.Summary.Key] = path
		id := it.Summary.identity()
		c.ids[id] = append(c.ids[id], path)
	}
	c.sorted, c.cwds = nil, nil
}

// Save keeps for the next run what was learned since the end of Fill. Before the
// cache of an earlier run was read there is nothing better to keep.
func (c *Catalog) Save() error {
	c.saving.Lock()
	defer c.saving.Unlock()
	k, changed := c.snapshot()
	if !changed {
		return nil
	}
	var data bytes.Buffer
	data.Write(make([]byte, sha256.Size))
	if err := gob.NewEncoder(&data).Encode(k); err != nil {
		return fmt.Errorf("cache of the session list: %w", err)
	}
	sum := sha256.Sum256(data.Bytes()[sha256.Size:])
	copy(data.Bytes(), sum[:])
	return replace(c.cacheDir, cacheName, data.Bytes())
}

// snapshot copies what the cache shall hold, if that changed since it was read.
func (c *Catalog) snapshot() (cache, bool) {
	kin, state := c.lib.Kin()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.cached || c.changes == 0 && c.kept == state {
		return cache{}, false
	}
	c.changes, c.kept = 0, state
	k := cache{Former: maps.Clone(c.former), Kin: kin}
	if len(c.former) > maxFormer {
		k.Former = nil
	}
	for _, it := range c.items {
		k.Items = append(k.Items, *it)
	}
	for _, it := range c.elsewhere {
		if len(k.Items) >= len(c.items)+maxElsewhere {
			break
		}
		k.Items = append(k.Items, it)
	}
	return k, true
}

// replace writes a file so that it is there whole or as it was.
func replace(dir, name string, data []byte) error {
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
