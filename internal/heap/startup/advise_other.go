//go:build !linux

package startup

const partSize = 0 // no part of the heap

// advise does nothing: only Linux needs to be asked.
func advise(bool) {}
