//go:build !unix

package main

import "os"

// terminalWidth returns 0: lines are not cut here.
func terminalWidth(*os.File) int { return 0 }
