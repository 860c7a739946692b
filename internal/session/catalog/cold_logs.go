package catalog

import (
	"maps"
	"slices"
	"time"
)

// coldAge is how long a session must have rested until its records of costs are moved.
const coldAge = 10 * time.Minute

// StoreColdLogs moves the records of costs of sessions that rest to the cache directory: they are most
// of what a long list takes, and are read by the pages of costs only. After an error, the others
// stay in memory.
func (c *Catalog) StoreColdLogs() error {
	if c.spill == nil {
		return nil
	}
	c.mu.RLock()
	paths := slices.Collect(maps.Keys(c.items))
	c.mu.RUnlock()
	before := time.Now().Add(-coldAge)
	for _, path := range paths {
		if err := c.storeColdLog(path, before); err != nil {
			return err
		}
	}
	return nil
}

// storeColdLog moves the records of a session that was not written to since a time.
func (c *Catalog) storeColdLog(path string, before time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[path]
	if it == nil || !it.Spend.IsInMemory() || !it.Summary.FileTime.Before(before) {
		return nil
	}
	moved, err := c.spill.Move(it.Spend)
	if err != nil {
		return err
	}
	next := *it
	next.Spend = moved
	c.items[path] = &next
	c.ledger.Put(next.spendSource())
	return nil
}
