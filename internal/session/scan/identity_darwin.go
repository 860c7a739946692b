package scan

import (
	"io/fs"
	"syscall"
)

// identify returns the identity of the file that info is of.
func identify(info fs.FileInfo) Identity {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}
	}
	return Identity{Dev: uint64(st.Dev), Ino: uint64(st.Ino), Ctime: st.Ctimespec.Nano()}
}
