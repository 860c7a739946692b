package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"sessiontree/internal/session"
)

// blobNamePattern is what a blob may be called. Anything else never reaches the file
// system.
var blobNamePattern = regexp.MustCompile(`^[a-f0-9]{64}$`)

// maxBlobSize is the largest blob that is read; images are far smaller.
const maxBlobSize = 64 << 20

// maxBlobDirs is how many directories, from the session's own up, are looked at for the
// blob directory: sessions lie in one directory per project, sub-agents one or
// two deeper.
const maxBlobDirs = 5

func (l *Library) blobDirCount() int {
	if l.standalone {
		return 1
	}
	return maxBlobDirs
}

// ReadBlob reads a blob of the format's blob directory by its name. Only names of 64
// lower-case hex digits are accepted.
func (s *Session) ReadBlob(ctx context.Context, name string) ([]byte, error) {
	format := s.Format()
	if format.BlobDir == "" || !blobNamePattern.MatchString(name) {
		return nil, fmt.Errorf("%s: blob %q: %w", s.at.path, name, session.ErrNotFound)
	}
	dir := filepath.Dir(s.at.path)
	for range s.lib.blobDirCount() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := readBlob(filepath.Join(dir, format.BlobDir), name)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
		dir = filepath.Dir(dir)
	}
	return nil, fmt.Errorf("%s: blob %s: %w", s.at.path, name, session.ErrNotFound)
}

// HasBlob reports whether Blob would find a file, without reading it.
func (s *Session) HasBlob(name string) bool {
	format := s.Format()
	if format.BlobDir == "" || !blobNamePattern.MatchString(name) {
		return false
	}
	dir := filepath.Dir(s.at.path)
	for range s.lib.blobDirCount() {
		if info, err := os.Lstat(filepath.Join(dir, format.BlobDir, name)); err == nil {
			return info.Mode().IsRegular() && info.Size() <= maxBlobSize
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// readBlob reads a file of a directory that is a root of its own.
func readBlob(path, name string) ([]byte, error) {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, info, err := place{dir: path, rel: name, path: filepath.Join(path, name)}.openFileIn(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > maxBlobSize {
		return nil, fmt.Errorf("%s: %d bytes is too large a blob: %w", f.Name(), info.Size(), session.ErrInvalid)
	}
	return io.ReadAll(io.LimitReader(f, maxBlobSize))
}
