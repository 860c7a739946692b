package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/sidecar"
	"sessiontree/internal/session/team"
)

// labelFiles are the labels of the registry as sidecars, which the explorers of people read.
type labelFiles struct {
	dir string

	mu      sync.Mutex
	version int64                 // of the registry that the sidecars are from; -1 = none
	written map[string]labelsText // by file name
}

// labelsText is the content of a sidecar.
type labelsText struct {
	session string // path in the archive
	text    []byte
}

// SidecarsOf returns the sidecars with the labels of all sessions, for the explorer of a person.
// titleOf returns the title of a session by its path. The scope is the session's path in the archive:
// its labels are not shown in another session with its id or its entries, which others may read.
func (h *Hub) SidecarsOf(f *Files, titleOf func(path string) string) *sidecar.Store {
	return sidecar.NewSharedStore(h.labels.dir, sidecar.Shared{
		ScopeOf: func(path string) string {
			archived, _ := f.ArchivePath(path)
			return archived
		},
		Write: func(ctx context.Context, path string, r sidecar.Record) error {
			return h.setLabel(ctx, f, path, r, titleOf(path))
		},
	})
}

// maxLabelBytes is how long a label may be: the registry has all labels in memory.
const maxLabelBytes = 1000

// NoLabel returns why a person with a role sets no labels, "" if they may.
func NoLabel(r team.Role) string {
	if r == team.Member || r == team.Admin {
		return ""
	}
	return "Readers cannot label entries on a hub."
}

// setLabel stores a label of a session that the owner of files may read.
func (h *Hub) setLabel(ctx context.Context, files *Files, path string, r sidecar.Record, title string) error {
	if r.Label == nil || len(*r.Label) > maxLabelBytes {
		return fmt.Errorf("%w: a label has at most %d bytes", session.ErrInvalid, maxLabelBytes)
	}
	f, err := h.findLabeledFile(ctx, files, path)
	if err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	action := team.AddLabel
	if *r.Label == "" {
		action = team.RemoveLabel
	}
	if err := h.record(ctx, team.Event{Person: files.viewer, Device: f.Device, Action: action, Session: f.Session, Title: title}); err != nil {
		return err
	}
	if err := h.Registry.SetLabel(ctx, team.Label{Session: f.Session, Entry: r.Entry, Record: string(text)}); err != nil {
		return err
	}
	if err := h.UpdateLabels(ctx); err != nil {
		return safefile.NewUnconfirmedError(f.Session, "the label was stored", err)
	}
	return nil
}

// findLabeledFile returns the file of a session that the owner of files may read and label.
func (h *Hub) findLabeledFile(ctx context.Context, files *Files, path string) (team.File, error) {
	archived, _ := files.ArchivePath(path)
	f, err := h.Registry.FindFile(ctx, archived)
	if errors.Is(err, team.ErrNotFound) || err == nil && (f.Session != f.Path || !files.mayRead(archived)) {
		return f, fmt.Errorf("%w: the session file is not on the hub", session.ErrNotFound)
	}
	if err != nil {
		return f, err
	}
	p, err := h.Registry.FindPerson(ctx, files.viewer)
	if why := NoLabel(p.Role); err == nil && why != "" {
		err = fmt.Errorf("%w: %s", session.ErrReadOnly, why)
	}
	return f, err
}

// UpdateLabels writes the labels of the registry to the sidecars if it may have others, and notes
// their sessions as changed. Only a process that serves people calls it, first when it starts.
func (h *Hub) UpdateLabels(ctx context.Context) error {
	changed, err := h.labels.update(ctx, h.Registry)
	if len(changed) > 0 {
		h.notify(Change{Paths: changed})
	}
	return err
}

// update returns the paths of the sessions with other labels than before.
func (l *labelFiles) update(ctx context.Context, r team.Registry) (changed []string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	version, err := r.Version(ctx)
	if err != nil || version == l.version {
		return nil, err
	}
	labels, err := r.ListLabels(ctx)
	if err == nil && l.version == -1 {
		err = l.clear()
	}
	if err != nil {
		return nil, err
	}
	all := sidecarsOfLabels(labels)
	for name, now := range all {
		if bytes.Equal(l.written[name].text, now.text) {
			continue
		}
		changed = append(changed, now.session)
		if err := safefile.ReplaceFile(filepath.Join(l.dir, name), now.text); err != nil {
			return changed, err
		}
		l.written[name] = now
	}
	removed, err := l.removeOthers(all)
	if err == nil {
		l.version = version
	}
	return append(changed, removed...), err
}

// removeOthers removes the sidecars of sessions that have no labels any more.
func (l *labelFiles) removeOthers(now map[string]labelsText) (sessions []string, err error) {
	for name, was := range l.written {
		if _, ok := now[name]; ok {
			continue
		}
		if err := safefile.IgnoreError(os.Remove(filepath.Join(l.dir, name)), fs.ErrNotExist); err != nil {
			return sessions, err
		}
		delete(l.written, name)
		sessions = append(sessions, was.session)
	}
	return sessions, nil
}

// sidecarsOfLabels returns the sidecars of labels by their file names.
func sidecarsOfLabels(labels []team.Label) map[string]labelsText {
	sidecars := map[string]labelsText{}
	for _, l := range labels {
		var r sidecar.Record
		if json.Unmarshal([]byte(l.Record), &r) != nil {
			continue // of another version of the program
		}
		name := sidecar.FileName(r.Format, r.Session, l.Session)
		text := append(append(sidecars[name].text, l.Record...), '\n')
		sidecars[name] = labelsText{l.Session, text}
	}
	return sidecars
}

// newLabelFiles returns the sidecars in a directory, none before the first update.
func newLabelFiles(dir string) *labelFiles {
	return &labelFiles{dir: dir, version: -1, written: map[string]labelsText{}}
}

// clear removes the sidecars of an earlier process.
func (l *labelFiles) clear() error {
	clear(l.written)
	if err := os.RemoveAll(l.dir); err != nil {
		return err
	}
	return os.MkdirAll(l.dir, 0o700)
}
