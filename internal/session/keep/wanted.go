package keep

import (
	"os"
	"path/filepath"
	"strings"

	"sessiontree/internal/session/roots"
)

// isWanted reports whether a file is a session or belongs to one. A root may also contain
// files that have nothing to do with agents.
func (k *Keeper) isWanted(at roots.Place, f *os.File) bool {
	if roots.IsIgnoredName(filepath.Base(at.Path)) {
		return false
	}
	if k.archive.Has(at.Path) || k.sessionAbove(at) != "" {
		return true
	}
	if slash := filepath.ToSlash(at.Path); roots.IsSessionName(at.Rel) {
		for _, format := range k.formats {
			if format.IsMember(slash) {
				return true
			}
		}
	} else if at.Path != filepath.Join(at.Dir, filepath.Base(at.Path)) {
		return false // of another kind, and no root of its own
	}
	return k.sniffFormat(f) != nil
}

// sessionAbove returns the session file whose directory contains a file, "" if there is none.
func (k *Keeper) sessionAbove(at roots.Place) string {
	for dir := filepath.Dir(at.Path); len(dir) > len(at.Dir); dir = filepath.Dir(dir) {
		if path := dir + roots.SessionSuffix; k.isSessionFile(path) {
			return path
		}
	}
	return ""
}

// isSessionFile reports whether a session file exists or was copied.
func (k *Keeper) isSessionFile(path string) bool {
	if k.archive.Has(path) {
		return true
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// sessionOf returns the session that a stored file belongs to: the file itself, or the
// topmost stored session file in whose directory it is. has reports whether a file is stored.
func sessionOf(path string, has func(string) bool) string {
	session := path
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if above := dir + roots.SessionSuffix; has(above) {
			session = above
		}
	}
	return session
}

// sessionDir returns the directory for the other files of a session.
func sessionDir(path string) (dir string, ok bool) {
	return strings.CutSuffix(path, roots.SessionSuffix)
}
