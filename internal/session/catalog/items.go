package catalog

import (
	"slices"

	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/spend"
)

// listedSession is a session in the list: its summary, and the state needed to update
// it from appended lines. It is replaced, never changed.
type listedSession struct {
	Summary    Summary
	Checkpoint scan.Checkpoint
	State      summaryState
	Spend      spend.File
	// CwdGuessed: Cwd is derived from the file's path because the file records none.
	CwdGuessed bool
}

// isCurrent reports whether nothing has to be read, because the file has not changed.
func (it *listedSession) isCurrent(f roots.File) bool {
	return !it.Summary.Orphaned && it.Checkpoint.MatchesFileInfo(f.Info)
}

// isSameFile reports whether two items are of a file of the same size and time that exists in
// both, or is a copy of a deleted file in both.
func (it *listedSession) isSameFile(o *listedSession) bool {
	return it.Checkpoint.Size == o.Checkpoint.Size && it.Summary.FileTime.Equal(o.Summary.FileTime) && it.Checkpoint.IsOfCopy() == o.Checkpoint.IsOfCopy()
}

// putItem adds or replaces a session.
func (c *Catalog) putItem(it *listedSession) {
	path := it.Summary.Path
	related := c.shared.findRelated(c.lib.Related(), path)
	c.mu.Lock()
	defer c.mu.Unlock()
	cwds, old := c.cwds, c.items[path]
	c.forgetPath(path)
	if c.cwds = nil; old != nil && old.CwdGuessed == it.CwdGuessed && old.Summary.Cwd == it.Summary.Cwd {
		c.cwds = cwds // a session that only grows does not change its directory
	}
	c.shared.putItem(it, related, c.addFileNames(&it.State.Changes))
	c.items[path] = it
	c.ledger.Put(it.spendSource())
	c.paths.addPath(path)
	c.keys[it.Summary.Key] = path
	id := it.Summary.identity()
	c.ids[id] = append(c.ids[id], path)
	delete(c.formerKeys, it.Summary.Key)
	if old != nil && old.Summary.Key != it.Summary.Key && old.Summary.ID == it.Summary.ID { // the agent became known
		c.formerKeys[old.Summary.Key] = id
	}
	c.sorted = nil
	c.changes++
}

// replaceCheckpoint replaces the item of an unchanged session: its checkpoint is newer,
// so that the next check of the file may be cheaper.
func (c *Catalog) replaceCheckpoint(old, now *listedSession) {
	related := c.shared.findRelated(c.lib.Related(), now.Summary.Path)
	c.mu.Lock()
	defer c.mu.Unlock()
	if path := now.Summary.Path; c.items[path] == old {
		c.shared.putItem(now, related, c.addFileNames(&now.State.Changes))
		c.items[path] = now
		if !old.Checkpoint.SavedAs(now.Checkpoint) {
			c.changes++ // or every start would open the file again
		}
	}
}

// addUnreadable adds a file that cannot be listed. The caller holds the lock.
func (c *Catalog) addUnreadable(path, reason string) {
	c.dropPath(path)
	c.unreadable[path] = reason
	c.paths.addPath(path)
}

// dropPath removes a path. The caller holds the lock.
func (c *Catalog) dropPath(path string) {
	c.forgetPath(path)
	c.ledger.Remove(path)
	delete(c.agentSpend, path)
}

// forgetPath removes a path from the list. Its key still finds the session if it reappears at another
// path. The caller holds the lock.
func (c *Catalog) forgetPath(path string) {
	c.paths.removePath(path)
	c.dropAgentFile(path)
	delete(c.unreadable, path)
	it, ok := c.items[path]
	if !ok {
		return
	}
	id := it.Summary.identity()
	c.ids[id] = slices.DeleteFunc(c.ids[id], func(p string) bool { return p == path })
	if len(c.ids[id]) == 0 {
		delete(c.ids, id)
	}
	delete(c.items, path)
	c.cwds = nil
	delete(c.keys, it.Summary.Key)
	c.formerKeys[it.Summary.Key] = id
	c.sorted = nil
	c.changes++
}

// getItem returns the item of a path, or nil.
func (c *Catalog) getItem(path string) *listedSession {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.items[path]
}
