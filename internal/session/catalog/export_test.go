package catalog

// Visited returns how many known paths were visited to find missing ones.
func (c *Catalog) Visited() int { return c.paths.visited }

// FileNames returns how many names of changed files are known.
func (c *Catalog) FileNames() int { return len(c.fileNames) }

// LogsInMemory returns the size of the records of costs that could be on disk.
func LogsInMemory(c *Catalog) (n int) {
	for _, it := range c.items {
		if it.Spend.IsInMemory() {
			n += len(it.Spend.Log)
		}
	}
	return n
}
