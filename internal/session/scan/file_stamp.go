package scan

import (
	"io/fs"
	"os"
)

// FileStamp identifies a file and its state. It takes less memory than an fs.FileInfo.
type FileStamp struct {
	size, mtime int64
	identity    Identity
	info        fs.FileInfo // only where the system does not tell an Identity
}

// NewFileStamp returns the stamp of a file.
func NewFileStamp(info fs.FileInfo) FileStamp {
	id, kept := identifyOrKeep(info)
	return FileStamp{info.Size(), info.ModTime().UnixNano(), id, kept}
}

// Matches reports whether info is of the same file, unchanged.
func (s FileStamp) Matches(info fs.FileInfo) bool {
	if s.size != info.Size() || s.mtime != info.ModTime().UnixNano() || s.identity != identifyFile(info) {
		return false
	}
	return s.info == nil || os.SameFile(s.info, info)
}
