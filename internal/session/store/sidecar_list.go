package store

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// AnnotationsModTime returns when the sidecar of any session last changed, the zero
// time if there are none.
func (l *Library) AnnotationsModTime() time.Time {
	if l.sidecars == nil {
		return time.Time{}
	}
	l.sidecars.mu.Lock()
	defer l.sidecars.mu.Unlock()
	return l.sidecars.refreshNames()
}

// FindAnnotations returns the annotations of a session from its sidecar; ok is false if
// there is none. It is fast for sessions for which the last AnnotationsModTime found no
// sidecar.
func (l *Library) FindAnnotations(format, id string) (session.Annotations, bool) {
	if l.sidecars == nil {
		return session.Annotations{}, false
	}
	return l.sidecars.sessionAnnotations(format, id)
}

// AsideDamage says what cannot be read of what is kept of a session outside of its file,
// "" when all can.
func (l *Library) AsideDamage(format, id string) string {
	if l.sidecars == nil {
		return ""
	}
	l.sidecars.sessionAnnotations(format, id)
	l.sidecars.mu.Lock()
	defer l.sidecars.mu.Unlock()
	if c := l.sidecars.names[l.sidecars.sidecarName(format, id)]; c != nil {
		return c.damage
	}
	return ""
}

// damageOf words what reading a sidecar found, "" when all was well.
func damageOf(path string, bad int, err error) string {
	switch {
	case err != nil:
		return fmt.Sprintf("What is kept of this session in %s cannot be read: %v.", path, safefile.Reason(err))
	case bad > 0:
		return fmt.Sprintf("Lines that cannot be read in what is kept of this session in %s: %d.", path, bad)
	}
	return ""
}

func (a *sidecarStore) sessionAnnotations(format, id string) (session.Annotations, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.dirModTime.IsZero() {
		a.refreshNames()
	}
	if len(a.names) == 0 {
		return session.Annotations{}, false
	}
	base := a.sidecarName(format, id)
	c, ok := a.names[base]
	if !ok {
		return session.Annotations{}, false
	}
	path := filepath.Join(a.dir, base)
	if now := a.statSidecar(path); now != c.stamp {
		all, bad, err := a.readRecords(path)
		c.damage = damageOf(path, bad, err)
		if err != nil {
			return c.annotations, true // as it was
		}
		c.stamp, c.annotations = now, recordedAnnotations(all)
	}
	return c.annotations, true
}

// refreshNames looks again which sessions something is kept of, if that may have changed,
// and answers when it did.
func (a *sidecarStore) refreshNames() time.Time {
	info, err := os.Stat(a.dir)
	if err != nil {
		return time.Time{}
	}
	if info.ModTime().Equal(a.dirModTime) {
		return a.dirModTime
	}
	files, err := os.ReadDir(a.dir)
	if err != nil {
		return a.dirModTime
	}
	a.dirModTime = info.ModTime()
	for _, f := range files {
		if a.names[f.Name()] == nil {
			a.names[f.Name()] = &sidecar{}
		}
	}
	return a.dirModTime
}

// recordedAnnotations is what records come to for a list, which knows ids only.
func recordedAnnotations(all []sidecarRecord) session.Annotations {
	labels, name := effectiveRecords(all)
	sum := session.Annotations{Name: newNameAnnotation(name)}
	for _, r := range labels {
		sum.Labels = append(sum.Labels, session.LabelAnnotation{Target: r.Entry, Text: *r.Label, Time: r.Time})
	}
	return sum
}
