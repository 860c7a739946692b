//go:build !linux

package heap

// adviseHugePages does nothing: only Linux needs to be asked.
func adviseHugePages(bool) {}
