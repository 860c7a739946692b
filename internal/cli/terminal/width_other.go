//go:build !unix

package terminal

import "os"

// terminalWidth returns 0: lines are not truncated on this system.
func terminalWidth(*os.File) int { return 0 }
