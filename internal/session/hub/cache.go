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

// Close stores what was read of sessions, and closes the files of the hub that are not in its store.
func (h *Hub) Close() error { return errors.Join(h.Lists.Save(), h.Texts.Close()) }

// CacheDir returns the directory of this process for what can be made again.
func (h *Hub) CacheDir() string { return h.cacheDir }

// removeCached removes what is cached of sessions with these paths in the archive. Another process
// that caches it removes it by RemoveDeleted.
func (h *Hub) removeCached(archived []string) error {
	paths := make([]string, len(archived))
	for i, path := range archived {
		paths[i] = filepath.Join(h.viewDir, filepath.FromSlash(path))
	}
	err := h.Lists.Remove(paths...)
	if h.Texts.IsWritable() {
		err = errors.Join(err, h.Texts.Remove(paths...))
	}
	return err
}

// RemoveDeleted removes what is cached of sessions that are not in the archive any more.
func (h *Hub) RemoveDeleted() error {
	known := map[string]bool{}
	exists := func(path string) bool {
		archived, ok := archivePath(h.viewDir, path)
		if _, looked := known[path]; ok && !looked {
			_, err := h.Archive.Stat(archived)
			known[path] = !errors.Is(err, fs.ErrNotExist)
		}
		return known[path]
	}
	err := h.Lists.RemoveDeleted(exists)
	if h.Texts.IsWritable() {
		err = errors.Join(err, h.Texts.RemoveDeleted(exists))
	}
	return err
}
