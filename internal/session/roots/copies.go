package roots

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session/scan"
)

// ReadableFile is a file that is open for reading: one on the disk, or the copy of a deleted
// one.
type ReadableFile interface {
	fs.File
	io.ReaderAt
	io.Seeker
}

// Copies are copies of files, by the canonical paths of the files. Some of the files were
// deleted. All errors about paths without copies are fs.ErrNotExist. The methods are called
// from several goroutines.
type Copies interface {
	// AreRemote reports whether the files exist, on other computers only, so that what is here does
	// not count as the copy of a deleted file.
	AreRemote() bool
	OpenCopy(path string) (ReadableFile, error)
	// StatCopy returns the info of a copy, or of a directory with copies. The info of a copy
	// has the size and the modification time of the file. Its Sys is a CopyVersion.
	StatCopy(path string) (fs.FileInfo, error)
	// ReadCopyDir lists the copies in a directory and the directories with copies in it.
	ReadCopyDir(dir string) ([]fs.DirEntry, error)
	// WalkCopies calls fn for the copies at or below a path.
	WalkCopies(path string, fn func(path string, info fs.FileInfo))
}

// CopyVersion identifies the contents of a copy.
type CopyVersion interface {
	// CopyVersion returns a number that differs between copies of one path with different
	// contents.
	CopyVersion() uint64
}

// noCopies are no copies.
type noCopies struct{}

func (noCopies) AreRemote() bool                              { return false }
func (noCopies) OpenCopy(string) (ReadableFile, error)        { return nil, fs.ErrNotExist }
func (noCopies) StatCopy(string) (fs.FileInfo, error)         { return nil, fs.ErrNotExist }
func (noCopies) ReadCopyDir(string) ([]fs.DirEntry, error)    { return nil, fs.ErrNotExist }
func (noCopies) WalkCopies(string, func(string, fs.FileInfo)) {}

// newCopyInfo returns the info of a copy or of a directory with copies.
func newCopyInfo(copies Copies, info fs.FileInfo) fs.FileInfo {
	if info.IsDir() {
		return info
	}
	c := scan.CopyInfo{FileInfo: info, IsRemote: copies.AreRemote()}
	if v, ok := info.Sys().(CopyVersion); ok {
		c.Version = v.CopyVersion()
	}
	return c
}

// copiedFile is an open copy whose info says that it is one.
type copiedFile struct {
	ReadableFile
	info fs.FileInfo
}

// Stat implements fs.File.
func (f copiedFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// openCopy opens the copy of a file.
func openCopy(copies Copies, path string) (ReadableFile, fs.FileInfo, error) {
	f, err := copies.OpenCopy(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	info = newCopyInfo(copies, info)
	return copiedFile{f, info}, info, nil
}

// statWithCopies returns the info of the file at a path, or of its copy if it was deleted.
func statWithCopies(copies Copies, path string) (fs.FileInfo, error) {
	info, err := statHere(copies, path)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	kept, missing := copies.StatCopy(path)
	if errors.Is(missing, fs.ErrNotExist) {
		return nil, err
	}
	if missing != nil {
		return nil, missing
	}
	return newCopyInfo(copies, kept), nil
}

// statHere returns the info of the file at a path, which is not here if the files are remote.
func statHere(copies Copies, path string) (fs.FileInfo, error) {
	if copies.AreRemote() {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return os.Stat(path)
}

// OpenFile opens the file at a path, wherever it is, or its copy if it was deleted.
func (s *Set) OpenFile(path string) (ReadableFile, fs.FileInfo, error) {
	return Place{copies: s.copies, Dir: filepath.Dir(path), Rel: filepath.Base(path), Path: path}.OpenFile()
}

// StatPath returns the info of the file or directory at a path, wherever it is, or of its
// copy if it was deleted.
func (s *Set) StatPath(path string) (fs.FileInfo, error) { return statWithCopies(s.copies, path) }

// StatPath returns the info of the file by its path. Unlike StatFile it does not open the
// root, for checks that are made often.
func (at Place) StatPath() (fs.FileInfo, error) { return statWithCopies(at.source(), at.Path) }

// source returns the copies of deleted files.
func (at Place) source() Copies {
	if at.copies == nil {
		return noCopies{}
	}
	return at.copies
}

// IsDeleted reports whether the file was deleted and a copy of it exists.
func (at Place) IsDeleted() bool {
	info, err := at.StatPath()
	return err == nil && scan.IsCopy(info)
}

// walkCopies visits the copies of deleted files at or below a place.
func (w *walker) walkCopies(at Place) {
	if !w.wantsCopies {
		return
	}
	at.source().WalkCopies(filepath.Join(at.Dir, at.Rel), func(path string, info fs.FileInfo) {
		rel, below := RelativeTo(at.Dir, path)
		if !below || w.visited[path] || isHiddenPath(rel) || !IsSessionName(rel) && !at.isFileRoot {
			return
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return
		}
		w.visited[path] = true
		info = newCopyInfo(at.source(), info)
		w.onFile(File{Path: path, Root: at.root.canonicalPath(), Size: info.Size(), Mtime: info.ModTime().UnixNano(), Info: info})
	})
}

// visitMissing visits the copies at a place that cannot be opened because it was deleted.
// Another error is reported for path.
func (w *walker) visitMissing(at Place, path string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		if path == at.Dir { // a root, maybe removed just now
			w.onDir(path)
		}
		w.walkCopies(at)
		return
	}
	w.onFile(File{Path: path, Root: at.root.canonicalPath(), Err: at.PathError(err)})
}

// resolveMissing returns the canonical path of a path that does not exist, as far as it can
// be told from the directories above it.
func resolveMissing(path string) string {
	for dir, rest := filepath.Dir(path), filepath.Base(path); ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
	}
}

// useCopyOf makes a root that does not exist the one of the copies of what was there.
func (r *root) useCopyOf() {
	path := resolveMissing(r.configured)
	info, err := r.copies.StatCopy(path)
	switch {
	case err != nil:
	case info.IsDir():
		r.dir = path
	default:
		r.dir, r.fileName = filepath.Dir(path), filepath.Base(path)
	}
}
