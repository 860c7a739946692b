//go:build !linux

package hugepages

// advise does nothing: only Linux needs to be asked.
func advise(bool) {}
