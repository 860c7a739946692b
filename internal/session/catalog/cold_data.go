package catalog

import (
	"maps"
	"runtime"
	"slices"
	"time"

	"sessiontree/internal/session/spill"
)

// canMoveData reports whether the system lets open files be deleted, so that data can be in them.
const canMoveData = runtime.GOOS != "windows"

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
	next, err := c.shared.moveItem(it, c.moved)
	if err != nil {
		return err
	}
	c.items[path] = next
	c.ledger.Put(next.spendSource())
	return nil
}

// moveNewItem moves data of a session that was just read and rests already. Moved later, it would
// leave holes all over the heap.
func (c *Catalog) moveNewItem(it *listedSession) {
	if c.moved != nil && it.Summary.FileTime.Before(time.Now().Add(-coldAge)) {
		_ = it.moveData(c.moved) // MoveColdData tries again, and returns the error
	}
}

// hasMovableData reports whether data of a session in memory can be moved to a file.
func (it *listedSession) hasMovableData() bool {
	return it.Spend.IsInMemory() || it.State.IDs.isInMemory()
}

// moveData moves data of a session to a file, if it is in memory and large enough. After an error
// all of it that is still in memory stays there.
func (it *listedSession) moveData(s spill.Store) (err error) {
	if it.Spend, err = it.Spend.MoveTo(s); err != nil {
		return err
	}
	it.State.IDs, err = it.State.IDs.moveTo(s)
	return err
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
