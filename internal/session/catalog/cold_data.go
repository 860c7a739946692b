package catalog

import (
	"maps"
	"slices"
	"time"

	"sessiontree/internal/session/spill"
)

// coldAge is how long a session must have rested until some of its data is moved.
const coldAge = 10 * time.Minute

// MoveColdData moves data of sessions that rest to the cache directory: the records of costs and
// the ids of entries. They are most of what a long list takes, and are read only by the pages of
// costs, and when the session grows. After an error, the rest stays in memory.
func (c *Catalog) MoveColdData() error {
	if c.moved == nil {
		return nil
	}
	c.mu.RLock()
	paths := slices.Collect(maps.Keys(c.items))
	c.mu.RUnlock()
	before := time.Now().Add(-coldAge)
	for _, path := range paths {
		if err := c.moveColdItem(path, before); err != nil {
			return err
		}
	}
	return nil
}

// moveColdItem moves data of a session that was not written to since a time.
func (c *Catalog) moveColdItem(path string, before time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[path]
	if it == nil || !it.hasMovableData() || !it.Summary.FileTime.Before(before) {
		return nil
	}
	next, err := it.moveTo(c.moved)
	if err != nil {
		return err
	}
	c.items[path] = next
	c.ledger.Put(next.spendSource())
	return nil
}

// hasMovableData reports whether data of a session in memory can be moved to a file.
func (it *listedSession) hasMovableData() bool {
	return it.Spend.IsInMemory() || it.State.IDs.isInMemory()
}

// moveTo returns the session with data in a file that is in memory and large enough.
func (it *listedSession) moveTo(s spill.Store) (*listedSession, error) {
	next := *it
	var err error
	if next.Spend, err = it.Spend.MoveTo(s); err != nil {
		return nil, err
	}
	if next.State.IDs, err = it.State.IDs.moveTo(s); err != nil {
		return nil, err
	}
	return &next, nil
}

// inMemory returns the session with all data in memory.
func (it *listedSession) inMemory() (*listedSession, error) {
	next := *it
	var err error
	if next.Spend, err = it.Spend.InMemory(); err != nil {
		return nil, err
	}
	if next.State.IDs, err = it.State.IDs.inMemory(); err != nil {
		return nil, err
	}
	return &next, nil
}
