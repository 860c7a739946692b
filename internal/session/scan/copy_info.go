package scan

import (
	"io/fs"
	"math"
)

// CopyInfo is the info of a copy of a file that was deleted, or of one that exists elsewhere.
// It has the size and the modification time of the file.
type CopyInfo struct {
	fs.FileInfo
	// Version differs between copies of one path that have different contents.
	Version uint64
	// IsRemote is set if the file exists, on another computer.
	IsRemote bool
}

// The devices of the identity of copies. No file system has these numbers.
const (
	copyDevice   = math.MaxUint64
	remoteDevice = math.MaxUint64 - 1
)

// IsCopy reports whether info is that of a copy of a deleted file.
func IsCopy(info fs.FileInfo) bool {
	c, ok := info.(CopyInfo)
	return ok && !c.IsRemote
}

// CopyVersion returns the version of the copy that info is of, 0 for a file.
func CopyVersion(info fs.FileInfo) uint64 {
	c, _ := info.(CopyInfo)
	return c.Version
}

// identifyFile returns the identity of the file or the copy that info is of. That of a copy
// is the same in every run.
func identifyFile(info fs.FileInfo) Identity {
	switch c, ok := info.(CopyInfo); {
	case ok && c.IsRemote:
		return Identity{Dev: remoteDevice, Ino: c.Version}
	case ok:
		return Identity{Dev: copyDevice, Ino: c.Version}
	}
	return identify(info)
}

// identifyOrKeep returns the identity of the file that info is of or, where the system does not tell
// one, info itself, which takes much more memory.
func identifyOrKeep(info fs.FileInfo) (Identity, fs.FileInfo) {
	id := identifyFile(info)
	if id == (Identity{}) {
		return id, info
	}
	return id, nil
}

// IsOfCopy reports whether the checkpoint was made of a copy of a deleted file.
func (m *Checkpoint) IsOfCopy() bool { return m.Identity.Dev == copyDevice }
