package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// makeDirs makes the directories that the hub has besides its store. Texts are cached by the paths
// that files seem to have, so these are in the directory of the cache, if there is one.
func (h *Hub) makeDirs(cacheDir string) (err error) {
	if cacheDir != "" {
		h.cacheDir, h.viewDir = cacheDir, filepath.Join(cacheDir, "sessions")
	}
	if err := os.MkdirAll(h.viewDir, 0o700); err != nil {
		return err
	}
	h.viewDir, err = filepath.EvalSymlinks(h.viewDir)
	return err
}

// Close closes the files of the hub that are not in its store.
func (h *Hub) Close() error { return h.Texts.Close() }

// CacheDir returns the directory of this process for what can be made again.
func (h *Hub) CacheDir() string { return h.cacheDir }

// removeTexts removes the cached texts of sessions with these paths in the archive. Another process
// that caches them removes them by RemoveDeletedTexts.
func (h *Hub) removeTexts(archived []string) error {
	if !h.Texts.IsWritable() {
		return nil
	}
	paths := make([]string, len(archived))
	for i, path := range archived {
		paths[i] = filepath.Join(h.viewDir, filepath.FromSlash(path))
	}
	return h.Texts.Remove(paths...)
}

// RemoveDeletedTexts removes the cached texts of sessions that are not in the archive any more.
func (h *Hub) RemoveDeletedTexts() error {
	if !h.Texts.IsWritable() {
		return nil
	}
	return h.Texts.RemoveDeleted(func(path string) bool {
		archived, ok := archivePath(h.viewDir, path)
		if !ok {
			return false
		}
		_, err := h.Archive.Stat(archived)
		return !errors.Is(err, fs.ErrNotExist)
	})
}
