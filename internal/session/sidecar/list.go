package sidecar

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// ModTime returns when the sidecar of any session last changed, the zero time if there
// are none.
func (d *Store) ModTime() time.Time {
	if d == nil {
		return time.Time{}
	}
	info, err := os.Stat(d.dir) // before the lock, which each request needs
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.refreshNames(info, err)
}

// Damage returns a sentence about what cannot be read in the sidecar of a session, "" if
// all can.
func (d *Store) Damage(format, id, path string) string {
	d.Find(format, id, path)
	if d == nil {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.names[d.name(format, id, path)]; c != nil {
		return c.damage
	}
	return ""
}

// Delete deletes the sidecar of a session, unless sidecars are shared.
func (d *Store) Delete(format, id string) error {
	if d == nil {
		return nil
	}
	return safefile.IgnoreError(os.Remove(d.Path(format, id, "")), fs.ErrNotExist)
}

// describeDamage returns a sentence about what could not be read of a sidecar, "" for
// nothing.
func describeDamage(path string, bad int, err error) string {
	switch {
	case err != nil:
		return fmt.Sprintf("The data stored for this session in %s cannot be read: %v.", path, safefile.Reason(err))
	case bad > 0:
		return fmt.Sprintf("Unreadable lines in the data stored for this session in %s: %d.", path, bad)
	}
	return ""
}

// Find returns the annotations of a session with a file at path from its sidecar; ok is false
// if there is none. It is fast for sessions for which the last ModTime found no sidecar.
func (d *Store) Find(format, id, path string) (a session.Annotations, ok bool) {
	if d == nil {
		return a, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.isListed {
		d.refreshNames(os.Stat(d.dir))
	}
	if len(d.names) == 0 {
		return session.Annotations{}, false
	}
	base := d.name(format, id, path)
	c, ok := d.names[base]
	if !ok {
		return session.Annotations{}, false
	}
	file := filepath.Join(d.dir, base)
	if now := d.statFile(file); now != c.stamp {
		all, bad, err := d.ReadRecords(file)
		c.damage = describeDamage(file, bad, err)
		if err != nil {
			return c.annotations, true // the last ones that were read
		}
		c.stamp, c.annotations = now, recordedAnnotations(all)
	}
	return c.annotations, true
}

// refreshNames lists the sidecars again if the directory has changed, and returns its
// modification time. info and err are of the directory. The caller holds the lock.
func (d *Store) refreshNames(info fs.FileInfo, err error) time.Time {
	d.isListed = true
	if err != nil {
		return time.Time{}
	}
	if info.ModTime().Equal(d.dirModTime) {
		return d.dirModTime
	}
	files, err := os.ReadDir(d.dir)
	if err != nil {
		return d.dirModTime
	}
	d.dirModTime = info.ModTime()
	for _, f := range files {
		if d.names[f.Name()] == nil {
			d.names[f.Name()] = &cachedFile{}
		}
	}
	return d.dirModTime
}

// recordedAnnotations returns the annotations of records. Their targets are the recorded
// ids, which may be outdated.
func recordedAnnotations(all []Record) session.Annotations {
	labels, name := EffectiveRecords(all)
	sum := session.Annotations{Name: newNameAnnotation(name)}
	for _, r := range labels {
		sum.Labels = append(sum.Labels, session.LabelAnnotation{Target: r.Entry, Text: *r.Label, Time: r.Time})
	}
	return sum
}
