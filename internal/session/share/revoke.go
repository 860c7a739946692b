package share

import (
	"context"
	"errors"
	"fmt"
	"os"

	"sessiontree/internal/session"
)

// known finds a share by its id.
func (s *Shares) known(id string) (*kept, error) {
	if err := s.scan(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.all[id]
	if !ok {
		return nil, fmt.Errorf("%w: there is no share %q", session.ErrNotFound, id)
	}
	return k, nil
}

func (s *Shares) record(k *kept) record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return k.rec
}

// change calls fn when nobody else changes the share, here or in another process.
func (s *Shares) change(ctx context.Context, id string, fn func(k *kept) error) error {
	k, err := s.known(id)
	if err != nil {
		return err
	}
	k.turn.Lock()
	defer k.turn.Unlock()
	unlock, err := lock(ctx, s.path(id))
	if err != nil {
		return err
	}
	defer unlock()
	now, err := s.known(id) // what was done while we waited
	if err == nil && now != k {
		err = fmt.Errorf("%w: share %q was made anew", session.ErrConflict, id)
	}
	if err != nil {
		return err
	}
	return fn(k)
}

// Revoke ends a share at once. Its snapshot is deleted; what it was stays in the
// list. One that was revoked before stays as it is. Errors: session.ErrNotFound, fs
// errors.
func (s *Shares) Revoke(ctx context.Context, id string) error {
	return s.change(ctx, id, func(k *kept) error { return s.revoke(ctx, k, "") })
}

// revoke ends a share. The caller has its turn. The record comes first: from then
// on nobody is shown the snapshot, whatever becomes of its file. Where there is no
// room for it, deleting the snapshot makes some.
func (s *Shares) revoke(ctx context.Context, k *kept, why string) error {
	r := s.record(k)
	var failed error
	if r.Revoked.IsZero() {
		r.Revoked, r.Why = s.now(), why
		failed = s.save(k, r, true)
	}
	if err := s.empty(&r); err != nil {
		return fmt.Errorf("the share's files cannot be deleted: %w", errors.Join(failed, err))
	}
	if failed != nil {
		if err := s.save(k, r, true); err != nil {
			return fmt.Errorf("the share's files are deleted, but not noted as revoked: %w", err)
		}
	}
	if open, ok := s.lib.Opened(s.snapshot(&r)); ok {
		_, err := open.Refresh(ctx) // tells its readers
		return err
	}
	return nil
}

// empty deletes all that is kept of a share but its record and its visits.
func (s *Shares) empty(r *record) error {
	files, err := os.ReadDir(s.path(r.ID))
	for _, f := range files {
		if f.Name() != recordName && f.Name() != visitsName {
			err = errors.Join(err, os.RemoveAll(s.path(r.ID, f.Name())))
		}
	}
	return errors.Join(err, s.lib.Unkeep(r.Format, r.Session))
}

// Forget takes a share that is not shown any more out of the list, and all that is
// kept of it away. Errors: session.ErrNotFound, ErrConflict when it is shown, fs
// errors.
func (s *Shares) Forget(ctx context.Context, id string) error {
	return s.change(ctx, id, func(k *kept) error {
		r := s.record(k)
		s.look(&r)
		if r.State(s.now()) == Open {
			return fmt.Errorf("%w: the share is shown. Revoke it first", session.ErrConflict)
		}
		err := s.empty(&r)
		if err == nil { // the record goes last: what cannot be removed stays in the list
			err = os.RemoveAll(s.path(id))
		}
		if err != nil {
			return fmt.Errorf("the share cannot be forgotten: %w", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, id)
		return nil
	})
}
