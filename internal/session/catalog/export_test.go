package catalog

// Visited returns how many known paths were visited to find missing ones.
func (c *Catalog) Visited() int { return c.paths.visited }

// FileNames returns how many names of changed files are known.
func (c *Catalog) FileNames() int { return len(c.fileNames) }
