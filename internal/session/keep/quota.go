package keep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/roots"
)

// ErrLimit is returned if the copies of files that still exist take more than the limit.
var ErrLimit = errors.New("the limit for copies is reached: no more is copied")

// storedSession is the copies of a session and of the files that belong to it.
type storedSession struct {
	path    string // of the session file
	files   []storedCopy
	bytes   int64 // of the originals' newest generations
	stored  int64
	modTime time.Time // the newest
	gone    bool      // the session file does not exist
}

// storedCopy is the copies of a file.
type storedCopy struct {
	path  string
	heads []archive.Head
}

// storedSessions returns all copies by session, the oldest first.
func (k *Keeper) storedSessions(ctx context.Context) ([]*storedSession, error) {
	byPath := map[string]*storedSession{}
	err := k.archive.ListFiles(ctx, func(path string, heads []archive.Head) error {
		of := sessionOf(path, k.archive.Has)
		s := byPath[of]
		if s == nil {
			s = &storedSession{path: of}
			byPath[of] = s
		}
		s.addFile(storedCopy{path, heads})
		return nil
	})
	all := make([]*storedSession, 0, len(byPath))
	for _, s := range byPath {
		s.gone = isGone(s.path)
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *storedSession) int {
		return cmp.Or(a.modTime.Compare(b.modTime), cmp.Compare(a.path, b.path))
	})
	return all, err
}

func (s *storedSession) addFile(f storedCopy) {
	s.files = append(s.files, f)
	for _, h := range f.heads {
		s.stored += h.Stored
	}
	newest := f.heads[len(f.heads)-1]
	s.bytes += newest.End
	if newest.ModTime.After(s.modTime) {
		s.modTime = newest.ModTime
	}
}

// isGone reports whether a file does not exist.
func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// isRootMissing reports whether the root that contains a path does not exist at the moment,
// such as on a disk that is not mounted. Its files are then not known to be deleted.
func (k *Keeper) isRootMissing(path string) bool {
	for _, root := range k.roots.Paths() {
		if _, ok := roots.RelativeTo(root, path); ok && isGone(root) {
			return true
		}
	}
	return false
}

// EnforceQuota removes copies until they take no more than the limit: first those of sessions
// whose files are gone, the oldest first, then earlier generations of others. The report says
// what was removed. If the rest takes more than the limit, the error is ErrLimit.
func (k *Keeper) EnforceQuota(ctx context.Context) error {
	settings, err := k.settings.load()
	if err != nil || k.archive.StoredBytes() <= settings.Limit() {
		return err
	}
	limitErr := fmt.Errorf("%w: %d bytes", ErrLimit, settings.Limit())
	if k.isLimitReached(settings.Limit()) {
		return limitErr
	}
	all, err := k.storedSessions(ctx)
	if err != nil {
		return err
	}
	isOver := func() bool { return k.archive.StoredBytes() > settings.Limit() }
	for _, s := range all {
		if s.gone && isOver() && !k.isRootMissing(s.path) {
			if err := k.removeSession(ctx, s); err != nil {
				return err
			}
		}
	}
	if err := k.removeEarlier(ctx, all, isOver); err != nil {
		return err
	}
	if isOver() {
		k.mu.Lock()
		k.full = limitReached{settings.Limit(), k.now()}
		k.mu.Unlock()
		return limitErr
	}
	return nil
}

// limitReached says that copies took more than a limit, and nothing could be removed.
type limitReached struct {
	limit int64
	time  time.Time
}

// isLimitReached reports whether it was found a short time ago that nothing can be removed.
func (k *Keeper) isLimitReached(limit int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.full.limit == limit && k.now().Sub(k.full.time) < retryAfter
}

// removeSession removes the copies of a session whose file is gone, but those of files that
// still exist.
func (k *Keeper) removeSession(ctx context.Context, s *storedSession) error {
	removed := Removed{Path: s.path, ModTime: s.modTime, Time: k.now()}
	for _, f := range s.files {
		if !isGone(f.path) {
			continue
		}
		if err := k.archive.DeleteFile(ctx, f.path); err != nil {
			return err
		}
		removed.Bytes += f.heads[len(f.heads)-1].End
	}
	k.noteRemoved(removed)
	return nil
}

// removeEarlier removes generations that are not the newest, the oldest first.
func (k *Keeper) removeEarlier(ctx context.Context, all []*storedSession, isOver func() bool) error {
	for _, s := range all {
		if k.isRootMissing(s.path) {
			continue
		}
		for _, f := range s.files {
			for _, h := range f.heads[:len(f.heads)-1] {
				if !isOver() {
					return nil
				}
				if err := k.archive.DeleteGeneration(ctx, f.path, h.Generation); err != nil {
					return err
				}
				k.noteRemoved(Removed{Path: f.path, Bytes: h.End, ModTime: h.ModTime, Time: k.now(), Earlier: true})
			}
		}
	}
	return nil
}

// noteRemoved adds to the report what was removed.
func (k *Keeper) noteRemoved(removed Removed) {
	k.log.Warn("a copy was removed because of the limit", "path", removed.Path, "bytes", removed.Bytes)
	k.updateReport(func(r *Report) bool {
		r.Removed = append(r.Removed, removed)
		return true
	})
}
