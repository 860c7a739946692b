package scan

import (
	"io/fs"
	"math"
)

// CopyInfo is the info of a copy of a file that was deleted. It has the size and the
// modification time of the file.
type CopyInfo struct {
	fs.FileInfo
	// Version differs between copies of one path that have different contents.
	Version uint64
}

// copyDevice is the device of the identity of copies. No file system has this number.
const copyDevice = math.MaxUint64

// IsCopy reports whether info is that of a copy of a deleted file.
func IsCopy(info fs.FileInfo) bool {
	_, ok := info.(CopyInfo)
	return ok
}

// identifyFile returns the identity of the file or the copy that info is of. That of a copy
// is the same in every run.
func identifyFile(info fs.FileInfo) Identity {
	if c, ok := info.(CopyInfo); ok {
		return Identity{Dev: copyDevice, Ino: c.Version}
	}
	return identify(info)
}

// IsOfCopy reports whether the checkpoint was made of a copy of a deleted file.
func (m *Checkpoint) IsOfCopy() bool { return m.Identity.Dev == copyDevice }
