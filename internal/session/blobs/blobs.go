// Package blobs reads the files to which sessions refer by a hash, such as images.
package blobs

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

// namePattern matches valid names: 64 lower-case hex digits. No other name reaches the file
// system.
var namePattern = regexp.MustCompile(`^[a-f0-9]{64}$`)

// maxSize is the size of the largest blob that is read; images are far smaller.
const maxSize = 64 << 20

// maxDirs is how many directories are searched for the directory of blobs, from the
// session's own directory upward: sessions are in one directory per project, sub-agents
// one or two deeper.
const maxDirs = 5

// Dirs is where the blobs of a session may be.
type Dirs struct {
	Session string // path of the session
	Name    string // of the directory of blobs, "" if the format has none
	// Standalone limits the search to the session's own directory.
	Standalone bool
	// Files opens the files, or copies of deleted ones. It is needed to read, and without it
	// deleted files are not found.
	Files *roots.Set
}

// Paths returns where the blob of a name may be, none for a name that is not valid.
func (d Dirs) Paths(name string) (paths []string) {
	for _, dir := range d.list(name) {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// list returns the directories to search, none for a name that is not valid.
func (d Dirs) list(name string) (dirs []string) {
	if d.Name == "" || !namePattern.MatchString(name) {
		return nil
	}
	for dir := filepath.Dir(d.Session); len(dirs) < maxDirs && (len(dirs) == 0 || !d.Standalone); dir = filepath.Dir(dir) {
		dirs = append(dirs, filepath.Join(dir, d.Name))
	}
	return dirs
}

// Read reads a blob. The error is session.ErrNotFound if there is none.
func (d Dirs) Read(ctx context.Context, name string) ([]byte, error) {
	for _, dir := range d.list(name) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := d.readFile(filepath.Join(dir, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, fmt.Errorf("%s: blob %q: %w", d.Session, name, session.ErrNotFound)
}

// Has reports whether Read would find a file, without reading it.
func (d Dirs) Has(name string) bool {
	_, ok := d.FindFile(name)
	return ok
}

// statFile returns the info of a file, or of its copy if it was deleted.
func (d Dirs) statFile(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && d.Files != nil {
		return d.Files.StatPath(path)
	}
	return info, err
}

// FindFile returns the path of the file that Read would read.
func (d Dirs) FindFile(name string) (path string, ok bool) {
	for _, dir := range d.list(name) {
		path := filepath.Join(dir, name)
		if info, err := d.statFile(path); err == nil {
			return path, info.Mode().IsRegular() && info.Size() <= maxSize
		}
	}
	return "", false
}

// readFile reads a file without leaving its directory.
func (d Dirs) readFile(path string) ([]byte, error) {
	f, info, err := d.Files.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > maxSize {
		return nil, fmt.Errorf("%s: %d bytes is too large a blob: %w", path, info.Size(), session.ErrInvalid)
	}
	return io.ReadAll(io.LimitReader(f, maxSize))
}
