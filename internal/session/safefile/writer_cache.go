package safefile

import (
	"io/fs"
	"sync"
	"time"
)

// WriterCache caches for a second which process has a file open. A scan of all processes takes
// milliseconds.
type WriterCache struct {
	mu    sync.Mutex
	at    time.Time
	pid   int
	known bool
}

// Find finds a process, other than explorers, that has the file at path open for writing.
func (c *WriterCache) Find(disk *Disk, path string, info fs.FileInfo) (pid int, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.at) > time.Second {
		c.pid, c.known = disk.FindWriter(path, info)
		c.at = time.Now()
	}
	return c.pid, c.known
}
