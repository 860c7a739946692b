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
	"sessiontree/internal/session/store"
)

// Find answers the share of a token. It looks at every share whatever the token
// is, so that the time it takes tells nothing. Errors: session.ErrNotFound;
// ErrGone, beside the share.
func (s *Shares) Find(token string) (Share, error) {
	r, err := s.find(token)
	return r.Share, err
}

func (s *Shares) find(token string) (record, error) {
	if err := s.scan(); err != nil {
		return record{}, err
	}
	sum, ok := parseToken(token)
	all := s.records()
	at := -1
	for i := range all {
		at = subtle.ConstantTimeSelect(all[i].Token.same(sum), i, at)
	}
	if !ok || at < 0 {
		return record{}, fmt.Errorf("%w: there is no such share", session.ErrNotFound)
	}
	r := all[at]
	s.look(&r)
	return r, s.gone(&r)
}

// records lists all records, in no order.
func (s *Shares) records() []record {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]record, 0, len(s.all))
	for _, k := range s.all {
		all = append(all, k.rec)
	}
	return all
}

// gone is why a share is not shown, nil when it is.
func (s *Shares) gone(r *record) error {
	switch r.State(s.now()) {
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

// look fills in what is not recorded.
func (s *Shares) look(r *record) {
	if info, err := os.Stat(s.path(r.ID, visitsName)); err == nil && info.Size() > 0 {
		r.Visits, r.Visited = int(info.Size()), info.ModTime()
	}
	_, err := os.Lstat(s.snapshot(r))
	r.Lost = errors.Is(err, fs.ErrNotExist)
	if r.Damage == "" && !r.Lost && r.Revoked.IsZero() && !r.Live && !intact(s.snapshot(r)) {
		r.Damage = "its copy is damaged"
	}
}

// intact reports whether a file begins and ends as a session file does. A live one may
// be written to now.
func intact(path string) bool {
	f, info, err := store.OpenRegular(path)
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

// Open answers the snapshot of a token's share, open. Errors: those of Find, fs
// errors.
func (s *Shares) Open(ctx context.Context, token string) (*store.Session, Share, error) {
	r, err := s.find(token)
	if err != nil {
		return nil, r.Share, err
	}
	snapshot, err := s.lib.Open(ctx, s.snapshot(&r))
	if errors.Is(err, fs.ErrNotExist) { // it went since it was looked at
		r.Lost = true
		err = s.gone(&r)
	}
	if err != nil {
		return nil, r.Share, err
	}
	return snapshot, r.Share, nil
}

// Visited counts one more visit. It is one byte at the end of a file, so that
// neither a crash nor another process makes the count wrong.
func (s *Shares) Visited(id string) {
	err := fmt.Errorf("%w: %q is no share", session.ErrNotFound, id)
	if isID(id) {
		err = s.visit(id)
	}
	if err != nil {
		s.log.Warn("a visit of a share cannot be counted", "share", id, "error", err)
	}
}

func (s *Shares) visit(id string) error {
	f, err := os.OpenFile(s.path(id, visitsName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte{'.'})
	return errors.Join(err, f.Close())
}

// List lists all shares, the newest first.
func (s *Shares) List() []Share {
	if err := s.scan(); err != nil {
		s.log.Warn("shares cannot be listed", "error", err)
	}
	var all []Share
	for _, r := range s.records() {
		s.look(&r)
		all = append(all, r.Share)
	}
	slices.SortFunc(all, func(a, b Share) int { return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.ID, b.ID)) })
	return all
}

// Live lists the files of sessions that live shares follow.
func (s *Shares) Live() []string {
	if err := s.scan(); err != nil {
		s.log.Warn("live shares cannot be listed", "error", err)
	}
	var all []string
	for _, r := range s.records() {
		if s.look(&r); r.Live && r.State(s.now()) == Open {
			all = append(all, r.Source.Path)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
