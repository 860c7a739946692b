// Package hub stores the sessions that the devices of a team push, and decides who may read
// them: their owner, and everybody in the team once the owner shares them.
package hub

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/team"
	"sessiontree/internal/session/textcache"
)

// Change is a change of pushed files.
type Change struct {
	Paths []string // in the archive; without any, all files may have changed
	// Hidden is set if people may not be allowed to read the files any more.
	Hidden bool
	// Person is the id of a person whose name or role was changed. Then there are no Paths, and no
	// files have changed.
	Person string
}

// Hub is the store of a team.
type Hub struct {
	Archive  archive.TreeStore
	Registry team.Registry
	// Texts is what people and models wrote in the sessions of everybody, so that a search need not
	// read their files. A search of the library of a person finds only texts of this person.
	Texts *textcache.Cache
	// Lists is what the lists of sessions of all people have read, so that each file is read once. A
	// list takes only files that its person may read.
	Lists    *catalog.Shared
	cacheDir string
	viewDir  string // below which files of the archive seem to be; has none
	labels   *labelFiles
	now      func() time.Time

	mu       sync.Mutex
	onChange []func(Change)

	hasDeletedBytes func(context.Context) (bool, error) // nil = never
	purgesMu        sync.Mutex
	purges          []team.Event // deletions of sessions whose bytes may still exist
}

// Config configures a Hub.
type Config struct {
	// Dir is a directory of the hub, which is created if it does not exist.
	Dir string
	// CacheDir is a directory of this process for what can be made again; "" = one in Dir.
	CacheDir string
	// Archive and Registry are where bytes and people are stored; nil stores them in Dir.
	Archive  archive.TreeStore
	Registry team.Registry
	Clock    func() time.Time // nil = time.Now
	// HasDeletedBytes reports whether bytes of files that were deleted from Archive are still
	// stored somewhere. nil: DeleteFile of Archive leaves none.
	HasDeletedBytes func(context.Context) (bool, error)
}

// New opens a hub.
func New(c Config) (*Hub, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	h := &Hub{Archive: c.Archive, Registry: c.Registry, cacheDir: filepath.Join(dir, "cache"), viewDir: filepath.Join(dir, "sessions"), labels: newLabelFiles(filepath.Join(dir, "labels")), now: c.Clock, hasDeletedBytes: c.HasDeletedBytes}
	if h.now == nil {
		h.now = time.Now
	}
	if err := h.makeDirs(c.CacheDir); err != nil {
		return nil, err
	}
	if err := h.openStore(dir); err != nil {
		return nil, err
	}
	if h.Texts, err = textcache.Open(h.cacheDir); err != nil {
		return nil, err
	}
	stored := h.cacheDir
	if !h.Texts.IsWritable() { // it is another process's
		stored = ""
	}
	h.Lists = catalog.OpenShared(stored)
	return h, nil
}

// FilesOf returns the files that a person may read, none if person is "".
func (h *Hub) FilesOf(person string) *Files { return newFiles(h, person) }

// Subscribe adds a function that is called after each change. It must not block.
func (h *Hub) Subscribe(fn func(Change)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.onChange = append(h.onChange, fn)
}

// notify calls the functions of Subscribe.
func (h *Hub) notify(c Change) {
	h.mu.Lock()
	subscribers := h.onChange
	h.mu.Unlock()
	for _, fn := range subscribers {
		fn(c)
	}
}

// FileGrew notes that a file in the archive has grown.
func (h *Hub) FileGrew(archived string) { h.notify(Change{Paths: []string{archived}}) }

// FilesChanged notes that files have changed: that bytes were appended, or that another
// process of the hub has changed who may read them. Without paths, all may have changed.
func (h *Hub) FilesChanged(paths []string) { h.notify(Change{Paths: paths, Hidden: true}) }

// ownFile returns a session file of a person. The error is session.ErrNotFound for one that
// the person does not own but may read, too.
func (h *Hub) ownFile(ctx context.Context, person, archived string) (team.File, error) {
	f, err := h.Registry.FindFile(ctx, archived)
	if err == nil && (f.Person != person || f.Session != f.Path) {
		err = team.ErrNotFound
	}
	if errors.Is(err, team.ErrNotFound) {
		return f, fmt.Errorf("%w: you have no such session", session.ErrNotFound)
	}
	return f, err
}

// record adds an event about a session, now.
func (h *Hub) record(ctx context.Context, e team.Event) error {
	e.Time = h.now()
	return h.Registry.AddEvent(ctx, e)
}

// ListFiles returns the files that a person may read, all files if viewer is "".
func (h *Hub) ListFiles(ctx context.Context, viewer string) (files []team.File, err error) {
	err = h.Registry.ListFiles(ctx, viewer, func(f team.File) error {
		files = append(files, f)
		return nil
	})
	return files, err
}

// sessionPaths returns the paths of the files that match.
func (h *Hub) sessionPaths(ctx context.Context, is func(*team.File) bool) (paths []string, err error) {
	err = h.Registry.ListFiles(ctx, "", func(f team.File) error {
		if is(&f) {
			paths = append(paths, f.Path)
		}
		return nil
	})
	return paths, err
}

// SetVisibility sets who may read a session of a person. title is for the record.
func (h *Hub) SetVisibility(ctx context.Context, person, archived string, v team.Visibility, title string) error {
	if v != team.Private && v != team.Team {
		return fmt.Errorf("%w: the visibility %q is unknown", session.ErrInvalid, v)
	}
	f, err := h.ownFile(ctx, person, archived)
	if err != nil {
		return err
	}
	action := team.Share
	if v == team.Private {
		action = team.Unshare
	}
	if err := h.record(ctx, team.Event{Person: person, Action: action, Session: f.Session, Title: title}); err != nil {
		return err
	}
	if err := h.Registry.SetVisibility(ctx, f.Session, v); err != nil {
		return err
	}
	paths, err := h.sessionPaths(ctx, func(o *team.File) bool { return o.Session == f.Session })
	h.notify(Change{Paths: paths, Hidden: v == team.Private})
	return err
}

// DeleteSession deletes a session of a person with all of its bytes, and refuses it from now
// on.
func (h *Hub) DeleteSession(ctx context.Context, person, archived, title string) error {
	f, err := h.ownFile(ctx, person, archived)
	if err != nil {
		return err
	}
	return h.deleteSession(ctx, person, f, title)
}

// deleteSession deletes a session for a person, or for the hub if person is "".
func (h *Hub) deleteSession(ctx context.Context, person string, f team.File, title string) error {
	e := team.Event{Time: h.now(), Person: person, Device: f.Device, Action: team.Delete, Session: f.Session, Title: title}
	if err := h.record(ctx, e); err != nil {
		return err
	}
	paths, err := h.Registry.DeleteSession(ctx, f.Session)
	if err != nil {
		return err
	}
	h.notify(Change{Paths: paths, Hidden: true})
	if err := h.purgeFiles(ctx, e, paths); err != nil {
		return err
	}
	return h.RecordPurges(ctx)
}

// SetProject sets the rules of a project for an admin.
func (h *Hub) SetProject(ctx context.Context, admin string, p team.Project) error {
	if err := h.requireAdmin(ctx, admin); err != nil {
		return err
	}
	switch {
	case p.Name == "" || p.Visibility != team.Private && p.Visibility != team.Team:
		return fmt.Errorf("%w: the project or its visibility is missing", session.ErrInvalid)
	case p.RetainDays < 0 || p.RetainDays > 36500:
		return fmt.Errorf("%w: sessions cannot be kept for %d days", session.ErrInvalid, p.RetainDays)
	case p.SearchDays < 0 || p.SearchDays > AllDays:
		return fmt.Errorf("%w: sessions cannot be searched for %d days", session.ErrInvalid, p.SearchDays)
	}
	detail := describeRules(p)
	if err := h.record(ctx, team.Event{Person: admin, Action: team.SetProject, Title: p.Name, Detail: detail}); err != nil {
		return err
	}
	if err := h.Registry.SetProject(ctx, p); err != nil {
		return err
	}
	paths, err := h.sessionPaths(ctx, func(f *team.File) bool { return f.Project == p.Name })
	h.notify(Change{Paths: paths, Hidden: p.Visibility == team.Private})
	return err
}

// requireAdmin returns an error unless a person is an admin.
func (h *Hub) requireAdmin(ctx context.Context, person string) error {
	p, err := h.Registry.FindPerson(ctx, person)
	if err == nil && p.Role != team.Admin {
		err = fmt.Errorf("%w: only an admin may do this", session.ErrReadOnly)
	}
	return err
}
