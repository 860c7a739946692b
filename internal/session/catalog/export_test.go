package catalog

// Visited returns how many known paths were visited to find missing ones.
func (c *Catalog) Visited() int { return c.paths.visited }
