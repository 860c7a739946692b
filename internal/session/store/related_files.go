package store

import (
	"context"
	"path/filepath"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// updateRelated finds the session files that are shown together with the main one. If
// the directory cannot be read there are none. The caller holds updateMu.
func (s *Session) updateRelated(ctx context.Context, f *session.Format) error {
	if !f.RelatesSessions() || s.isWholeDir {
		return nil
	}
	names, err := s.lib.findRelated(ctx, s.at, f)
	if err != nil {
		names = nil
	}
	s.mu.Lock()
	s.related = names
	s.mu.Unlock()
	return ctx.Err()
}

// joinNewRelated adds session files that have become related. The caller holds
// updateMu.
func (s *Session) joinNewRelated(ctx context.Context, c Change) (Change, error) {
	before := s.related
	if err := s.updateRelated(ctx, s.Format()); err != nil {
		return c, err
	}
	if slices.Equal(before, s.related) {
		return c, nil
	}
	s.fileSet.dirs = nil // so that the directories are read again
	return s.refreshOtherFiles(ctx, c, "")
}

// noteNewRelations records whether entries added to one of the session's files relate
// it to a session file that is not shown with it. The caller holds updateMu.
func (s *Session) noteNewRelations(parts [][]session.Entry) {
	f := s.Format()
	if s.relatedChanged || !f.RelatesSessions() || s.isWholeDir || len(parts) == 0 {
		return
	}
	s.relatedChanged = s.lib.related.relatesToOther(filepath.Dir(s.at.Path), s.related, f.Graph.Related(parts))
}

// isRelatedFile reports whether the session file at path, which is not shown with the
// session, has become related to it.
func (s *Session) isRelatedFile(ctx context.Context, path string) bool {
	f := s.Format()
	name := filepath.Base(path)
	if !f.RelatesSessions() || s.isWholeDir || filepath.Dir(path) != filepath.Dir(s.at.Path) || !roots.IsSessionName(name) || f.IsMember(name) {
		return false
	}
	other, err := s.lib.readRelated(ctx, s.at.Sibling(name), f)
	if err != nil || other == nil {
		return false // an unreadable file is not related
	}
	own := s.related
	if len(own) == 0 {
		own = []string{filepath.Base(s.at.Rel)}
	}
	return slices.ContainsFunc(own, func(n string) bool {
		k, err := s.lib.readRelated(ctx, s.at.Sibling(n), f)
		return err == nil && k != nil && areRelated(k, other)
	})
}

// relatesToOther reports whether entries added to one of the files own relate it to
// another session file of the directory.
func (k *relatedIndex) relatesToOther(dir string, own []string, added session.Related) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	known := k.dirs[dir]
	if known == nil {
		return false
	}
	for name, f := range known.files {
		if !slices.Contains(own, name) && areRelated(&added, &f.Related) {
			return true
		}
	}
	return false
}

// areRelated reports whether two files are related: one holds an entry that the other
// holds or references.
func areRelated(a, b *session.Related) bool {
	return intersectSorted(a.Held, b.Held) || intersectSorted(a.Held, b.Refs) || intersectSorted(a.Refs, b.Held)
}

// intersectSorted reports whether two sorted lists of hashes have an element in common.
// It looks up the elements of the shorter list in the longer one.
func intersectSorted(a, b []uint64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, h := range a {
		i, found := slices.BinarySearch(b, h)
		if found {
			return true
		}
		b = b[i:]
	}
	return false
}

// connectedFiles returns the files related to the one called first, directly or through
// others. first is the first element; the others are sorted by name.
func connectedFiles(first string, names []string, files []*session.Related) []string {
	out, seen := []string{first}, make([]bool, len(names))
	todo := []int{slices.Index(names, first)}
	seen[todo[0]] = true
	for ; len(todo) > 0; todo = todo[1:] {
		at := files[todo[0]]
		for i, other := range files {
			if at != nil && other != nil && !seen[i] && areRelated(at, other) {
				seen[i] = true
				out, todo = append(out, names[i]), append(todo, i)
			}
		}
	}
	slices.Sort(out[1:])
	return out
}
