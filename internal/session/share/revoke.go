package share

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// Revoke ends a share at once. Its snapshot is deleted; what it was stays in the
// list. One that was revoked before stays as it is. Errors: session.ErrNotFound, fs
// errors.
func (s *Shares) Revoke(ctx context.Context, id string) error {
	k, err := s.known(id)
	if err != nil {
		return err
	}
	k.turn.Lock()
	defer k.turn.Unlock()
	return s.revoke(ctx, k, "")
}

// revoke ends a share. The caller has its turn. The record comes first: from then
// on nobody is shown the snapshot, whatever becomes of its file.
func (s *Shares) revoke(ctx context.Context, k *kept, why string) error {
	r := s.record(k)
	if r.Revoked.IsZero() {
		r.Revoked, r.Why = s.now(), why
		if err := s.save(k, r); err != nil {
			return fmt.Errorf("the share cannot be revoked: %w", err)
		}
	}
	if err := os.Remove(s.snapshot(&r)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the share is revoked, but its file cannot be deleted: %w", err)
	}
	if open, ok := s.lib.Opened(s.snapshot(&r)); ok {
		_, err := open.Refresh(ctx) // tells its readers
		return err
	}
	return nil
}

// Forget takes a share that is not shown any more out of the list, and all that is
// kept of it away. Errors: session.ErrNotFound, ErrConflict when it is shown, fs
// errors.
func (s *Shares) Forget(_ context.Context, id string) error {
	k, err := s.known(id)
	if err != nil {
		return err
	}
	k.turn.Lock()
	defer k.turn.Unlock()
	r := s.record(k)
	s.look(&r)
	if r.State(s.now()) == Open {
		return fmt.Errorf("%w: the share is shown. Revoke it first", session.ErrConflict)
	}
	// The record goes last: what cannot be removed stays in the list.
	if err := os.Remove(s.snapshot(&r)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the share cannot be forgotten: %w", err)
	}
	if err := os.RemoveAll(s.path(id)); err != nil {
		return fmt.Errorf("the share cannot be forgotten: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
	return nil
}
