package catalog

import (
	"path/filepath"

	"sessiontree/internal/session"
)

// cwdGroup names the sessions of a format in a directory, which may have worked in
// the same one.
type cwdGroup struct{ format, dir string }

func newCwdGroup(it *listedSession) cwdGroup {
	return cwdGroup{it.Summary.Format, filepath.Dir(it.Summary.Path)}
}

// cwdFromPath returns what the path of a file tells of the directory its session
// worked in.
func cwdFromPath(f *session.Format, path string) string {
	var h session.Header
	if f.CompleteHeader != nil {
		f.CompleteHeader(&h, filepath.ToSlash(path))
	}
	return h.Cwd
}

// inferCwds finds the working directories of sessions that record none by those
// that lie beside them, unless they are known. The caller holds the lock.
func (c *Catalog) inferCwds() {
	if c.cwds != nil {
		return
	}
	c.cwds = map[cwdGroup]string{}
	recorded := map[cwdGroup][]string{}
	for _, it := range c.items {
		if it.CwdGuessed {
			recorded[newCwdGroup(it)] = nil
		}
	}
	for _, it := range c.items {
		if key := newCwdGroup(it); !it.CwdGuessed && !it.Summary.Orphaned && it.Summary.Cwd != "" {
			if dirs, wanted := recorded[key]; wanted {
				recorded[key] = append(dirs, it.Summary.Cwd)
			}
		}
	}
	for key, dirs := range recorded {
		c.cwds[key] = c.lib.SharedCwd(key.format, key.dir, dirs)
	}
}
