package roots

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sessiontree/internal/session/safefile"
)

// lockLinks locks walkMu if links are followed.
func (s *Set) lockLinks() (unlock func()) {
	if !s.followLinks {
		return func() {}
	}
	s.walkMu.Lock()
	return s.walkMu.Unlock
}

// forgetLinksUnder removes the roots of links at or below path and returns their paths.
// A walk adds them again if the links still exist.
func (s *Set) forgetLinksUnder(path string) (visited []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.links = slices.DeleteFunc(slices.Clone(s.links), func(r *root) bool {
		_, below := RelativeTo(path, r.link)
		if below {
			visited = append(visited, r.canonicalPath())
		}
		return below
	})
	return visited
}

// walkLinks visits the targets of links, which may contain further links.
func (w *walker) walkLinks() error {
	for n := 0; n < len(w.links); n++ {
		if err := w.walkRoot(w.links[n]); err != nil {
			return err
		}
	}
	w.set.mu.Lock()
	defer w.set.mu.Unlock()
	for _, r := range w.links {
		if !slices.ContainsFunc(w.set.links, func(o *root) bool { return o.configured == r.configured }) {
			w.set.links = append(w.set.links, r)
		}
	}
	return nil
}

func isLink(m fs.FileMode) bool { return m.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// followLink makes the target of a link a root if links are followed and the target has
// the same owner.
func (w *walker) followLink(at Place) {
	target, err := filepath.EvalSymlinks(at.Path)
	if err != nil {
		w.reportUnreadable(at, fmt.Errorf("broken link: %v", safefile.Reason(err)))
		return
	}
	info, err := os.Stat(target)
	if err != nil {
		w.reportUnreadable(at, safefile.Reason(err))
		return
	}
	if !info.IsDir() && (!IsSessionName(target) || !info.Mode().IsRegular()) {
		return // not a session
	}
	if w.isInConfiguredRoot(target) {
		return // visited under its own name
	}
	if !w.set.followLinks {
		w.reportUnreadable(at, fmt.Errorf("link to %s, and links are not followed", target))
		return
	}
	home, err := os.Stat(at.Dir)
	if err != nil || !hasSameOwner(home, info) {
		w.reportUnreadable(at, fmt.Errorf("link to %s, which belongs to another user", target))
		return
	}
	if r, err := newRoot(target, w.set.copies); err == nil {
		r.link = at.Path
		w.links = append(w.links, r)
	}
}

// isInConfiguredRoot reports whether a configured root contains path.
func (w *walker) isInConfiguredRoot(path string) bool {
	w.set.mu.Lock()
	defer w.set.mu.Unlock()
	return slices.ContainsFunc(w.set.configured, func(r *root) bool {
		_, ok := r.placeInRoot(path)
		return ok
	})
}
