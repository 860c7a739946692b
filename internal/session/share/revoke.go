package share

import (
	"context"
	"errors"
	"fmt"
	"os"

	"sessiontree/internal/session"
)

// lookupShare returns the share with an id.
func (s *Shares) lookupShare(id string) (*cachedShare, error) {
	if err := s.refreshRecords(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.byID[id]
	if !ok {
		return nil, fmt.Errorf("%w: there is no share %q", session.ErrNotFound, id)
	}
	return k, nil
}

func (s *Shares) currentRecord(k *cachedShare) shareRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	return k.record
}

// withUpdateLock calls fn while no other goroutine or process changes the share.
func (s *Shares) withUpdateLock(ctx context.Context, id string, fn func(k *cachedShare) error) error {
	k, err := s.lookupShare(id)
	if err != nil {
		return err
	}
	k.updateMu.Lock()
	defer k.updateMu.Unlock()
	unlock, err := lockDir(ctx, s.sharePath(id))
	if err != nil {
		return err
	}
	defer unlock()
	now, err := s.lookupShare(id) // it may have changed while waiting
	if err == nil && now != k {
		err = fmt.Errorf("%w: share %q was created again", session.ErrConflict, id)
	}
	if err != nil {
		return err
	}
	return fn(k)
}

// Revoke ends a share at once and deletes its snapshot. The share remains in the list. A
// share that was revoked before is not changed. Errors: session.ErrNotFound, fs errors.
func (s *Shares) Revoke(ctx context.Context, id string) error {
	return s.withUpdateLock(ctx, id, func(k *cachedShare) error { return s.revokeShare(ctx, k, "") })
}

// revokeShare ends a share. The caller holds its updateMu. It writes the record first, so
// that the snapshot is not shown even if deleting it fails. If the disk is full, deleting
// the snapshot makes room for the record.
func (s *Shares) revokeShare(ctx context.Context, k *cachedShare, why string) error {
	r := s.currentRecord(k)
	var failed error
	if r.Revoked.IsZero() {
		r.Revoked, r.RevokeReason = s.now(), why
		failed = s.saveRecord(k, r, true)
	}
	if err := s.deleteContents(&r); err != nil {
		return fmt.Errorf("the share's files cannot be deleted: %w", errors.Join(failed, err))
	}
	if failed != nil {
		if err := s.saveRecord(k, r, true); err != nil {
			return fmt.Errorf("the share's files are deleted, but not noted as revoked: %w", err)
		}
	}
	if open, ok := s.lib.FindOpen(s.snapshotPath(&r)); ok {
		_, err := open.Refresh(ctx) // notifies its viewers
		return err
	}
	return nil
}

// deleteContents deletes everything of a share except its record and its visits.
func (s *Shares) deleteContents(r *shareRecord) error {
	files, err := os.ReadDir(s.sharePath(r.ID))
	for _, f := range files {
		if f.Name() != recordName && f.Name() != visitsName {
			err = errors.Join(err, os.RemoveAll(s.sharePath(r.ID, f.Name())))
		}
	}
	return errors.Join(err, s.lib.Sidecars().Delete(r.Format, r.Session))
}

// Forget deletes a share that is not shown and removes it from the list. Errors:
// session.ErrNotFound, ErrConflict if it is shown, fs errors.
func (s *Shares) Forget(ctx context.Context, id string) error {
	return s.withUpdateLock(ctx, id, func(k *cachedShare) error {
		r := s.currentRecord(k)
		s.loadStatus(&r)
		if r.StateAt(s.now()) == Open {
			return fmt.Errorf("%w: the share is shown. Revoke it first", session.ErrConflict)
		}
		err := s.deleteContents(&r)
		if err == nil { // the record goes last: a share that cannot be deleted remains in the list
			err = os.RemoveAll(s.sharePath(id))
		}
		if err != nil {
			return fmt.Errorf("the share cannot be forgotten: %w", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.byID, id)
		return nil
	})
}
