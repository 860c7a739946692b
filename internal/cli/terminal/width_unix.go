//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth returns the columns of a terminal, 0 if unknown.
func terminalWidth(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
