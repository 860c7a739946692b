package catalog

import (
	"path/filepath"

	"sessiontree/internal/session"
)

// cwdGroup identifies the sessions of a format in a directory, which may share a
// working directory.
type cwdGroup struct{ format, dir string }

func newCwdGroup(it *listedSession) cwdGroup {
	return cwdGroup{it.Summary.Format, filepath.Dir(it.Summary.Path)}
}

// cwdFromPath returns the working directory that the path of a session file implies.
func cwdFromPath(f *session.Format, path string) string {
	var h session.Header
	if f.CompleteHeader != nil {
		f.CompleteHeader(&h, filepath.ToSlash(path))
	}
	return h.Cwd
}

// inferCwds computes the working directories of sessions that record none from the
// other sessions of their directory, unless that was done. The caller holds the lock.
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
