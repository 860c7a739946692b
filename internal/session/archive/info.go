package archive

import (
	"io/fs"
	"path/filepath"
	"time"
)

// Identity names a stored generation, as Sys of the info of a file returns it.
type Identity struct {
	ID         string // of the file
	Generation int
}

// CopyVersion implements roots.CopyVersion.
func (i Identity) CopyVersion() uint64 { return uint64(i.Generation) }

// fileInfo describes a stored file as the original was, or a directory of such files.
type fileInfo struct {
	name     string
	size     int64
	mode     fs.FileMode
	modTime  time.Time
	identity any
}

// NewInfo returns the info of a generation of a file, as Stat of a File returns it.
func NewInfo(path string, h Head) fs.FileInfo { return newFileInfo(path, h) }

func newFileInfo(path string, h Head) fileInfo {
	return fileInfo{name: filepath.Base(path), size: h.End, mode: 0o600, modTime: h.ModTime, identity: Identity{FileID(path), h.Generation}}
}

// Name implements fs.FileInfo.
func (i fileInfo) Name() string { return i.name }

// Size implements fs.FileInfo: the size of the original.
func (i fileInfo) Size() int64 { return i.size }

// Mode implements fs.FileInfo.
func (i fileInfo) Mode() fs.FileMode { return i.mode }

// ModTime implements fs.FileInfo: the time of the original, zero for a directory.
func (i fileInfo) ModTime() time.Time { return i.modTime }

// IsDir implements fs.FileInfo.
func (i fileInfo) IsDir() bool { return i.mode.IsDir() }

// Sys returns an Identity, nil for a directory.
func (i fileInfo) Sys() any { return i.identity }
