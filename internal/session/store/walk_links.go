package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sessiontree/internal/session/safefile"
)

// lockLinks locks walkMu if links are followed.
func (l *Library) lockLinks() (unlock func()) {
	if !l.followLinks {
		return func() {}
	}
	l.walkMu.Lock()
	return l.walkMu.Unlock
}

// forgetLinksUnder removes the roots of links at or below path and returns their paths.
// A walk adds them again if the links still exist.
func (l *Library) forgetLinksUnder(path string) (visited []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.links = slices.DeleteFunc(slices.Clone(l.links), func(r *root) bool {
		_, below := relativeTo(path, r.link)
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
	w.lib.mu.Lock()
	defer w.lib.mu.Unlock()
	for _, r := range w.links {
		if !slices.ContainsFunc(w.lib.links, func(o *root) bool { return o.configured == r.configured }) {
			w.lib.links = append(w.lib.links, r)
		}
	}
	return nil
}

func isLink(m fs.FileMode) bool { return m.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// followLink makes the target of a link a root if links are followed and the target has
// the same owner.
func (w *walker) followLink(at place) {
	target, err := filepath.EvalSymlinks(at.path)
	if err != nil {
		w.reportUnreadable(at, fmt.Errorf("broken link: %v", safefile.Reason(err)))
		return
	}
	info, err := os.Stat(target)
	if err != nil {
		w.reportUnreadable(at, safefile.Reason(err))
		return
	}
	if !info.IsDir() && (!isSessionName(target) || !info.Mode().IsRegular()) {
		return // not a session
	}
	if w.isInConfiguredRoot(target) {
		return // visited under its own name
	}
	if !w.lib.followLinks {
		w.reportUnreadable(at, fmt.Errorf("link to %s, and links are not followed", target))
		return
	}
	home, err := os.Stat(at.dir)
	if err != nil || !hasSameOwner(home, info) {
		w.reportUnreadable(at, fmt.Errorf("link to %s, which belongs to another user", target))
		return
	}
	if r, err := newRoot(target); err == nil {
		r.link = at.path
		w.links = append(w.links, r)
	}
}

// isInConfiguredRoot reports whether a configured root contains path.
func (w *walker) isInConfiguredRoot(path string) bool {
	w.lib.mu.Lock()
	defer w.lib.mu.Unlock()
	return slices.ContainsFunc(w.lib.roots, func(r *root) bool {
		_, ok := r.placeInRoot(path)
		return ok
	})
}
