package catalog

// Visited returns how many known paths were looked at to find those that are gone.
func (c *Catalog) Visited() int { return c.paths.visited }
