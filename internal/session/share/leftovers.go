package share

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// leftoverAge is the age at which unfinished files are considered leftovers.
const leftoverAge = time.Hour

// removeLeftovers removes the files of shares that were never completed, and temporary
// files.
func (s *Shares) removeLeftovers() error {
	dirs, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range dirs {
		if !isShareID(d.Name()) || !d.IsDir() {
			continue
		}
		if err := s.removeShareLeftovers(s.sharePath(d.Name())); err != nil {
			s.log.Warn("what is left of a share cannot be removed", "share", d.Name(), "error", err)
		}
	}
	return nil
}

func (s *Shares) removeShareLeftovers(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, recordName)); errors.Is(err, fs.ErrNotExist) {
		if s.now().Sub(lastModified(dir)) < leftoverAge {
			return nil
		}
		return os.RemoveAll(dir)
	}
	files, err := os.ReadDir(dir)
	for _, f := range files {
		if path := filepath.Join(dir, f.Name()); strings.HasPrefix(f.Name(), tempPrefix) && s.now().Sub(lastModified(path)) >= leftoverAge {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// lastModified returns the time of the last change of a file or of anything below a
// directory.
func lastModified(path string) (last time.Time) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil {
			if info, err := d.Info(); err == nil && info.ModTime().After(last) {
				last = info.ModTime()
			}
		}
		return nil
	})
	return last
}
