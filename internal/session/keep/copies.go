package keep

import (
	"io/fs"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/roots"
)

// OpenCopies returns the copies in a state directory, from which deleted files are read.
func OpenCopies(stateDir string) roots.Copies { return copies{archive.NewDir(ArchiveDir(stateDir))} }

// Copies returns the copies in the archive, from which deleted files are read.
func (k *Keeper) Copies() roots.Copies { return copies{k.archive} }

// copies implements roots.Copies.
type copies struct{ archive *archive.Dir }

// OpenCopy implements roots.Copies.
func (c copies) OpenCopy(path string) (roots.ReadableFile, error) {
	f, err := c.archive.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return openCopy{f}, nil
}

// StatCopy implements roots.Copies.
func (c copies) StatCopy(path string) (fs.FileInfo, error) {
	info, err := c.archive.Stat(path)
	if err != nil {
		return nil, err
	}
	return versionInfo{info}, nil
}

// ReadCopyDir implements roots.Copies.
func (c copies) ReadCopyDir(dir string) ([]fs.DirEntry, error) {
	entries, err := c.archive.ReadDir(dir)
	for i := range entries {
		entries[i] = versionEntry{entries[i]}
	}
	return entries, err
}

// WalkCopies implements roots.Copies.
func (c copies) WalkCopies(path string, fn func(path string, info fs.FileInfo)) {
	_ = c.archive.WalkFiles(path, func(path string, info fs.FileInfo) error {
		fn(path, versionInfo{info})
		return nil
	})
}

// openCopy is an open copy.
type openCopy struct{ *archive.File }

// Stat implements fs.File.
func (f openCopy) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		return nil, err
	}
	return versionInfo{info}, nil
}

// versionInfo is the info of a copy, or of a directory with copies.
type versionInfo struct{ fs.FileInfo }

// Sys returns the generation, as roots.Copies demands.
func (i versionInfo) Sys() any {
	id, _ := i.FileInfo.Sys().(archive.Identity)
	return uint64(id.Generation)
}

// versionEntry is an entry of a directory with copies.
type versionEntry struct{ fs.DirEntry }

// Info implements fs.DirEntry.
func (e versionEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	if err != nil {
		return nil, err
	}
	return versionInfo{info}, nil
}
