package store

import (
	"context"
	"path/filepath"
	"slices"

	"sessiontree/internal/session"
)

// relate finds the session files that are shown together with the main one. A
// directory that cannot be read has none. The caller has the turn.
func (s *Session) relate(ctx context.Context, f *session.Format) error {
	if f.Kin == nil || s.at.whole {
		return nil
	}
	names, err := s.lib.related(ctx, s.at, f)
	if err != nil {
		names = nil
	}
	s.mu.Lock()
	s.kin = names
	s.mu.Unlock()
	return ctx.Err()
}

// rejoin takes in the session files that belong to the session by now. The caller
// has the turn.
func (s *Session) rejoin(ctx context.Context, c Change) (Change, error) {
	before := s.kin
	if err := s.relate(ctx, s.Format()); err != nil {
		return c, err
	}
	if slices.Equal(before, s.kin) {
		return c, nil
	}
	s.joined.dirs = nil // look again
	return s.refreshOthers(ctx, c, "")
}

// noteTies notes whether entries that were added to one of the session's files tie
// it to a session file that is not shown with it. The caller has the turn.
func (s *Session) noteTies(parts [][]session.Entry) {
	f := s.Format()
	if s.tied || f.Kin == nil || s.at.whole || len(parts) == 0 {
		return
	}
	s.tied = s.lib.kin.ties(filepath.Dir(s.at.path), s.kin, f.Kin(parts))
}

// tiedBy reports whether the session file at path, which is not shown with the
// session, now holds or names entries of the session, or the session its entries.
func (s *Session) tiedBy(ctx context.Context, path string) bool {
	f := s.Format()
	name := filepath.Base(path)
	if f.Kin == nil || s.at.whole || filepath.Dir(path) != filepath.Dir(s.at.path) || !isSession(name) || f.Part != nil && f.Part(name) {
		return false
	}
	other, err := s.lib.kinOf(ctx, beside(s.at, name), f)
	if err != nil || other == nil {
		return false // what cannot be read is related to none
	}
	own := s.kin
	if len(own) == 0 {
		own = []string{filepath.Base(s.at.rel)}
	}
	return slices.ContainsFunc(own, func(n string) bool {
		k, err := s.lib.kinOf(ctx, beside(s.at, n), f)
		return err == nil && k != nil && tied(k, other)
	})
}

// ties reports whether entries that were added to one of the files called own tie
// it to another session file of the directory.
func (k *kinship) ties(dir string, own []string, added session.Kin) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, f := range k.dirs[dir] {
		if !slices.Contains(own, name) && tied(&added, &f.Kin) {
			return true
		}
	}
	return false
}

// tied reports whether two files hang together: one holds an entry that the other
// holds too, or names.
func tied(a, b *session.Kin) bool {
	return intersect(a.Own, b.Own) || intersect(a.Own, b.Refs) || intersect(a.Refs, b.Own)
}

// intersect reports whether two lists of hashes in order have one in common. It
// looks the fewer up among the others.
func intersect(a, b []uint64) bool {
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

// connected lists the files that hang together with the one called first, directly
// or through others; first comes first, the others by name.
func connected(first string, names []string, files []*session.Kin) []string {
	out, seen := []string{first}, make([]bool, len(names))
	todo := []int{slices.Index(names, first)}
	seen[todo[0]] = true
	for ; len(todo) > 0; todo = todo[1:] {
		at := files[todo[0]]
		for i, other := range files {
			if at != nil && other != nil && !seen[i] && tied(at, other) {
				seen[i] = true
				out, todo = append(out, names[i]), append(todo, i)
			}
		}
	}
	slices.Sort(out[1:])
	return out
}
