package catalog

import (
	"path/filepath"

	"sessiontree/internal/session"
)

// cwdKey names the sessions of a format in a directory, which may have worked in
// the same one.
type cwdKey struct{ format, dir string }

func cwdKeyOf(it *item) cwdKey { return cwdKey{it.Summary.Format, filepath.Dir(it.Summary.Path)} }

// guessedCwd returns what the path of a file tells of the directory its session
// worked in.
func guessedCwd(f *session.Format, path string) string {
	var h session.Header
	if f.Named != nil {
		f.Named(&h, filepath.ToSlash(path))
	}
	return h.Cwd
}

// shareCwds finds the working directories of sessions that record none by those
// that lie beside them, unless they are known. The caller holds the lock.
func (c *Catalog) shareCwds() {
	if c.cwds != nil {
		return
	}
	c.cwds = map[cwdKey]string{}
	recorded := map[cwdKey][]string{}
	for _, it := range c.items {
		if it.CwdGuessed {
			recorded[cwdKeyOf(it)] = nil
		}
	}
	for _, it := range c.items {
		if key := cwdKeyOf(it); !it.CwdGuessed && !it.Summary.Lost && it.Summary.Cwd != "" {
			if dirs, wanted := recorded[key]; wanted {
				recorded[key] = append(dirs, it.Summary.Cwd)
			}
		}
	}
	for key, dirs := range recorded {
		c.cwds[key] = c.lib.SharedCwd(key.format, key.dir, dirs)
	}
}
