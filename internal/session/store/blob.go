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
	"sessiontree/internal/session/roots"
)

// blobNamePattern matches valid blob names. No other name reaches the file system.
var blobNamePattern = regexp.MustCompile(`^[a-f0-9]{64}$`)

// maxBlobSize is the size of the largest blob that is read; images are far smaller.
const maxBlobSize = 64 << 20

// maxBlobDirs is how many directories are searched for the blob directory, from the
// session's own directory upward: sessions are in one directory per project, sub-agents
// one or two deeper.
const maxBlobDirs = 5

func (l *Library) blobDirCount() int {
	if l.standalone {
		return 1
	}
	return maxBlobDirs
}

// ReadBlob reads a blob of the format's blob directory. The name is 64 lower-case hex
// digits.
func (s *Session) ReadBlob(ctx context.Context, name string) ([]byte, error) {
	blobs := s.Format().Blobs
	if blobs == nil || !blobNamePattern.MatchString(name) {
		return nil, fmt.Errorf("%s: blob %q: %w", s.at.Path, name, session.ErrNotFound)
	}
	dir := filepath.Dir(s.at.Path)
	for range s.lib.blobDirCount() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := readBlob(filepath.Join(dir, blobs.Dir), name)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
		dir = filepath.Dir(dir)
	}
	return nil, fmt.Errorf("%s: blob %s: %w", s.at.Path, name, session.ErrNotFound)
}

// HasBlob reports whether ReadBlob would find a file, without reading it.
func (s *Session) HasBlob(name string) bool {
	blobs := s.Format().Blobs
	if blobs == nil || !blobNamePattern.MatchString(name) {
		return false
	}
	dir := filepath.Dir(s.at.Path)
	for range s.lib.blobDirCount() {
		if info, err := os.Lstat(filepath.Join(dir, blobs.Dir, name)); err == nil {
			return info.Mode().IsRegular() && info.Size() <= maxBlobSize
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// readBlob reads a file in a directory without leaving the directory.
func readBlob(path, name string) ([]byte, error) {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, info, err := roots.Place{Dir: path, Rel: name, Path: filepath.Join(path, name)}.OpenFileIn(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > maxBlobSize {
		return nil, fmt.Errorf("%s: %d bytes is too large a blob: %w", f.Name(), info.Size(), session.ErrInvalid)
	}
	return io.ReadAll(io.LimitReader(f, maxBlobSize))
}
