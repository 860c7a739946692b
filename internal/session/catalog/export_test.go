package catalog

// Visited returns how many known paths were visited to find missing ones.
func (c *Catalog) Visited() int { return c.paths.visited }

// FileNames returns how many names of changed files are known.
func (c *Catalog) FileNames() int { return len(c.fileNames) }

// MovableBytes returns the size of the data in memory that could be on disk.
func MovableBytes(c *Catalog) (n int) {
	for _, it := range c.items {
		if it.Spend.IsInMemory() {
			n += len(it.Spend.Log)
		}
		if it.State.IDs.isInMemory() {
			n += len(it.State.IDs.Bits)
		}
	}
	return n
}
