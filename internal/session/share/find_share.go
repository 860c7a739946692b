package share

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

// FindByToken returns the share of a token. It compares the token with every share, so
// that its duration reveals nothing. Errors: session.ErrNotFound; ErrGone together with
// the share.
func (s *Shares) FindByToken(token string) (Share, error) {
	r, err := s.findRecord(token)
	return r.Share, err
}

func (s *Shares) findRecord(token string) (shareRecord, error) {
	if err := s.refreshRecords(); err != nil {
		return shareRecord{}, err
	}
	sum, ok := hashToken(token)
	all := s.listRecords()
	at := -1
	for i := range all {
		at = subtle.ConstantTimeSelect(all[i].Token.equalConstantTime(sum), i, at)
	}
	if !ok || at < 0 {
		return shareRecord{}, fmt.Errorf("%w: there is no such share", session.ErrNotFound)
	}
	r := all[at]
	s.loadStatus(&r)
	return r, s.checkAvailable(&r)
}

// listRecords returns all records in no particular order.
func (s *Shares) listRecords() []shareRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]shareRecord, 0, len(s.byID))
	for _, k := range s.byID {
		all = append(all, k.record)
	}
	return all
}

// checkAvailable returns the reason why a share is not shown, nil if it is.
func (s *Shares) checkAvailable(r *shareRecord) error {
	switch r.StateAt(s.now()) {
	case Revoked:
		return fmt.Errorf("%w: it was revoked", ErrGone)
	case Expired:
		return fmt.Errorf("%w: it has expired", ErrGone)
	case Lost:
		return fmt.Errorf("%w: its file was deleted", ErrGone)
	case Damaged:
		return fmt.Errorf("%w: %s", ErrGone, r.Damage)
	}
	return nil
}

// loadStatus fills in the fields that are not recorded.
func (s *Shares) loadStatus(r *shareRecord) {
	if info, err := os.Stat(s.sharePath(r.ID, visitsName)); err == nil && info.Size() > 0 {
		r.Visits, r.Visited = int(info.Size()), info.ModTime()
	}
	_, err := os.Lstat(s.snapshotPath(r))
	r.Lost = errors.Is(err, fs.ErrNotExist)
	if r.Damage == "" && !r.Lost && r.Revoked.IsZero() && !r.Live && !isIntact(s.snapshotPath(r)) {
		r.Damage = "its copy is damaged"
	}
}

// isIntact reports whether a file begins and ends like a session file. Do not call it for
// a live share, which may be written at the moment.
func isIntact(path string) bool {
	f, info, err := safefile.OpenRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	ends := make([]byte, 2)
	if info.Size() < 2 {
		return false
	}
	_, err = f.ReadAt(ends[:1], 0)
	if err == nil {
		_, err = f.ReadAt(ends[1:], info.Size()-1)
	}
	return err == nil && ends[0] == '{' && ends[1] == '\n'
}

// OpenSnapshot opens the snapshot of a token's share. Errors: those of FindByToken, fs
// errors.
func (s *Shares) OpenSnapshot(ctx context.Context, token string) (*store.Session, Share, error) {
	r, err := s.findRecord(token)
	if err != nil {
		return nil, r.Share, err
	}
	snapshot, err := s.lib.Open(ctx, s.snapshotPath(&r))
	if errors.Is(err, fs.ErrNotExist) { // it was deleted after loadStatus
		r.Lost = true
		err = s.checkAvailable(&r)
	}
	if err != nil {
		return nil, r.Share, err
	}
	return snapshot, r.Share, nil
}

// CountVisit counts one more visit. A visit is one byte in a file, so that neither a
// crash nor another process makes the count wrong.
func (s *Shares) CountVisit(id string) {
	err := fmt.Errorf("%w: %q is not a share", session.ErrNotFound, id)
	if isShareID(id) {
		err = s.appendVisit(id)
	}
	if err != nil {
		s.log.Warn("a visit of a share cannot be counted", "share", id, "error", err)
	}
}

func (s *Shares) appendVisit(id string) error {
	f, err := os.OpenFile(s.sharePath(id, visitsName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte{'.'})
	return errors.Join(err, f.Close())
}

// List returns all shares, newest first.
func (s *Shares) List() []Share {
	if err := s.refreshRecords(); err != nil {
		s.log.Warn("shares cannot be listed", "error", err)
	}
	var all []Share
	for _, r := range s.listRecords() {
		s.loadStatus(&r)
		all = append(all, r.Share)
	}
	slices.SortFunc(all, func(a, b Share) int { return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.ID, b.ID)) })
	return all
}

// LivePaths returns the paths of the sessions that live shares follow.
func (s *Shares) LivePaths() []string {
	if err := s.refreshRecords(); err != nil {
		s.log.Warn("live shares cannot be listed", "error", err)
	}
	var all []string
	for _, r := range s.listRecords() {
		if s.loadStatus(&r); r.Live && r.StateAt(s.now()) == Open {
			all = append(all, r.Source.Path)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
