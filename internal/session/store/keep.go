package store

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"sessiontree/internal/session"
)

// Keep keeps labels and a name of a session outside of its file: those that were
// told beside a file that cannot hold them.
func (l *Library) Keep(ctx context.Context, f *session.Format, id string, a session.Aside) error {
	if l.asides == nil {
		return refuse(session.ErrInvalid, "There is no state directory to keep labels in.")
	}
	r := asideRecord{Format: f.Name, Session: id, Time: l.now().UnixMilli()}
	var all []asideRecord
	for _, x := range a.Labels {
		r := r
		r.Entry, r.Label, r.Time = x.Target, &x.Text, x.Time
		all = append(all, r)
	}
	if a.Name != nil {
		r.Name, r.Over = &a.Name.Text, a.Name.Over
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil
	}
	return l.asides.add(ctx, l.asides.path(f.Name, id), all...)
}

// Unkeep deletes what is kept of a session outside of its file.
func (l *Library) Unkeep(format, id string) error {
	if l.asides == nil {
		return nil
	}
	if err := os.Remove(l.asides.path(format, id)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
