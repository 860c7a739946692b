package store

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/related"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// updateRelated finds the session files that are shown together with the main one. If
// the directory cannot be read there are none.
func (u update) updateRelated(ctx context.Context, f *session.Format) error {
	if !f.RelatesSessions() || u.s.isWholeDir {
		return nil
	}
	names, err := u.s.lib.findRelated(ctx, u.s.at, f)
	if err != nil {
		names = nil
	}
	u.s.mu.Lock()
	u.s.related = names
	u.s.mu.Unlock()
	return ctx.Err()
}

// DependsOnOtherFiles reports whether the tree may change with a file for which isOwn returns
// false.
func (s *Session) DependsOnOtherFiles(isOwn func(path string) bool) bool {
	s.mu.RLock()
	dependsOnContent := s.fileSet != nil && s.fileSet.group.DependsOnContent
	s.mu.RUnlock()
	return dependsOnContent || slices.ContainsFunc(s.Files(), func(path string) bool { return !isOwn(path) })
}

// memberNames returns the names of the session files whose members are gathered, nil for
// all in the directory.
func (u update) memberNames() []string {
	switch {
	case u.s.isWholeDir:
		return nil
	case len(u.s.related) == 0:
		return []string{filepath.Base(u.s.at.Rel)}
	}
	return u.s.related
}

// joinNewRelated adds session files that have become related.
func (u update) joinNewRelated(ctx context.Context, c Change) (Change, error) {
	before := u.s.related
	if err := u.updateRelated(ctx, u.s.Format()); err != nil {
		return c, err
	}
	if slices.Equal(before, u.s.related) {
		return c, nil
	}
	u.s.mu.Lock()
	u.s.fileSet.state.Reset() // so that the directories are read again
	u.s.mu.Unlock()
	return u.refreshOtherFiles(ctx, c, "")
}

// noteNewRelations records whether entries added to one of the session's files relate
// it to a session file that is not shown with it.
func (u update) noteNewRelations(parts [][]session.Entry) {
	f := u.s.Format()
	if u.s.relatedChanged || !f.RelatesSessions() || u.s.isWholeDir || len(parts) == 0 {
		return
	}
	u.s.relatedChanged = u.s.lib.related.RelatesToOther(filepath.Dir(u.s.at.Path), u.s.related, f.Graph.Related(parts))
}

// isRelatedFile reports whether the session file at path, which is not shown with the
// session, has become related to it.
func (u update) isRelatedFile(ctx context.Context, path string) bool {
	f := u.s.Format()
	name := filepath.Base(path)
	if !f.RelatesSessions() || u.s.isWholeDir || filepath.Dir(path) != filepath.Dir(u.s.at.Path) || !roots.IsSessionName(name) || f.IsMember(name) {
		return false
	}
	other, err := u.s.lib.readRelated(ctx, u.s.at.Sibling(name), f)
	if err != nil || other == nil {
		return false // an unreadable file is not related
	}
	own := u.s.related
	if len(own) == 0 {
		own = []string{filepath.Base(u.s.at.Rel)}
	}
	return slices.ContainsFunc(own, func(n string) bool {
		k, err := u.s.lib.readRelated(ctx, u.s.at.Sibling(n), f)
		return err == nil && k != nil && related.AreRelated(k, other)
	})
}

// findRelated returns the names of the session files related to the one at a place,
// which is the first.
func (l *Library) findRelated(ctx context.Context, at roots.Place, f *session.Format) ([]string, error) {
	names, err := listSessionFiles(at, f)
	if err != nil {
		return nil, at.PathError(err)
	}
	if own := filepath.Base(at.Rel); !slices.Contains(names, own) {
		return []string{own}, nil // a sub-agent's file whose session is gone
	}
	files := make([]*session.Related, len(names))
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		g.Go(func() (err error) {
			files[i], err = l.readRelated(running, at.Sibling(name), f)
			if running.Err() == nil {
				return nil // an unreadable file is not related
			}
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return related.ConnectedFiles(filepath.Base(at.Rel), names, files), nil
}

// listSessionFiles lists the files in the directory of a file that are sessions themselves.
func listSessionFiles(at roots.Place, f *session.Format) ([]string, error) {
	entries, err := at.ReadDir()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && roots.IsSessionName(e.Name()) && !f.IsMember(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readRelated returns which entries a file holds and references. It reads only what was
// appended since the last call.
func (l *Library) readRelated(ctx context.Context, at roots.Place, format *session.Format) (*session.Related, error) {
	if old, ok := l.related.FindFile(at.Path); ok {
		if info, err := at.StatPath(); err == nil && old.Checkpoint.MatchesFileInfo(info) {
			return &old.Related, nil
		}
		_, ok, err := l.ReadAdded(ctx, at.Path, old.Checkpoint)
		switch {
		case err != nil:
			return nil, err
		case ok:
			now, _ := l.related.FindFile(at.Path)
			return &now.Related, nil
		}
	}
	f, info, err := at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if own, err := scan.SniffFormat(l.formats, f, at.Path); err != nil || own != format {
		return nil, err
	}
	r := scan.NewReader(format, at.Path, l.scanOptions)
	if err := r.ReadTo(ctx, f, info.Size()); err != nil {
		return nil, at.PathError(err)
	}
	k := related.File{Checkpoint: scan.NewCheckpoint(r, info), Related: format.Graph.Related(r.Entries)}
	l.related.StoreFile(at.Path, k)
	return &k.Related, nil
}
