package team

import (
	"context"
	"slices"
)

// Label is what somebody labeled on the hub: an entry of a session.
type Label struct {
	Session string // path of the session file
	Entry   string // id
	Record  string // of package sidecar, in JSON
}

// key returns what a label replaces an earlier one by.
func (l *Label) key() [2]string { return [2]string{l.Session, l.Entry} }

// SetLabel implements Registry.
func (d *Dir) SetLabel(ctx context.Context, l Label) error {
	return d.change(ctx, func(s *state) (*record, error) {
		if len(s.sessions[l.Session]) == 0 {
			return nil, ErrNotFound
		}
		return &record{Label: &l}, nil
	})
}

// ListLabels implements Registry.
func (d *Dir) ListLabels(context.Context) (labels []Label, err error) {
	err = d.read(func(s *state) error {
		labels = slices.Collect(s.labels.all())
		return nil
	})
	return labels, err
}
