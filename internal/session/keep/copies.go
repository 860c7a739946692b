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

// AreRemote implements roots.Copies.
func (copies) AreRemote() bool { return false }

// OpenCopy implements roots.Copies.
func (c copies) OpenCopy(path string) (roots.ReadableFile, error) {
	f, err := c.archive.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// StatCopy implements roots.Copies.
func (c copies) StatCopy(path string) (fs.FileInfo, error) { return c.archive.Stat(path) }

// ReadCopyDir implements roots.Copies.
func (c copies) ReadCopyDir(dir string) ([]fs.DirEntry, error) { return c.archive.ReadDir(dir) }

// WalkCopies implements roots.Copies.
func (c copies) WalkCopies(path string, fn func(path string, info fs.FileInfo)) {
	_ = c.archive.WalkFiles(path, func(path string, info fs.FileInfo) error {
		fn(path, info)
		return nil
	})
}
