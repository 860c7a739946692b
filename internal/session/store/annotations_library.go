package store

import (
	"context"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sidecar"
)

// AddAnnotations writes labels and a name of a session to its sidecar.
func (l *Library) AddAnnotations(ctx context.Context, f *session.Format, id string, a session.Annotations) error {
	if l.sidecars == nil {
		return newRefusal(session.ErrInvalid, "There is no state directory to store labels in.")
	}
	r := sidecar.Record{Format: f.Name, Session: id, Time: l.now().UnixMilli()}
	var all []sidecar.Record
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
	return refusalOf(l.sidecars.AppendRecords(ctx, l.sidecars.Path(f.Name, id), all...))
}

// Sidecars returns the sidecars of all sessions, nil without a state directory.
func (l *Library) Sidecars() *sidecar.Store { return l.sidecars }
