package store

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"sessiontree/internal/session"
)

// AddAnnotations writes labels and a name of a session to its sidecar.
func (l *Library) AddAnnotations(ctx context.Context, f *session.Format, id string, a session.Annotations) error {
	if l.sidecars == nil {
		return newRefusal(session.ErrInvalid, "There is no state directory to store labels in.")
	}
	r := sidecarRecord{Format: f.Name, Session: id, Time: l.now().UnixMilli()}
	var all []sidecarRecord
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
	return refusalOf(l.sidecars.appendRecords(ctx, l.sidecars.sidecarPath(f.Name, id), all...))
}

// DeleteAnnotations deletes the sidecar of a session.
func (l *Library) DeleteAnnotations(format, id string) error {
	if l.sidecars == nil {
		return nil
	}
	if err := os.Remove(l.sidecars.sidecarPath(format, id)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
