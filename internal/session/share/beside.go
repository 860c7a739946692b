package share

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
)

// beside keeps what belongs to a snapshot and is not in its file: labels and a name
// that the file has no place for, images that lie in files of their own.
func (s *Shares) beside(ctx context.Context, r *record, src *store.Session, job *export.Job, blobs []string) error {
	if err := s.keep(ctx, src.Format(), r.Session, job.Aside()); err != nil {
		return err
	}
	for _, name := range blobs {
		if err := s.blob(ctx, r, src, name); err != nil {
			return err
		}
	}
	return nil
}

// keep makes what is kept outside of a file what it should be.
func (s *Shares) keep(ctx context.Context, f *session.Format, id string, want session.Aside) error {
	s.lib.AsideStamp()
	have, _ := s.lib.Aside(f.Name, id)
	var change session.Aside
	for _, l := range want.Labels {
		if !slices.Contains(have.Labels, l) {
			change.Labels = append(change.Labels, l)
		}
	}
	for _, l := range have.Labels {
		if l.Text != "" && !slices.ContainsFunc(want.Labels, func(w session.AsideLabel) bool { return w.Target == l.Target }) {
			change.Labels = append(change.Labels, session.AsideLabel{Target: l.Target, Time: s.now().UnixMilli()})
		}
	}
	if was, is := nameOf(have), nameOf(want); was != is {
		change.Name = &session.AsideName{Text: is}
	}
	err := s.lib.Keep(ctx, f, id, change)
	if errors.Is(err, session.ErrReadOnly) { // on this system nothing can be kept
		s.log.Warn("a share is shown without its labels", "session", id, "error", err)
		return nil
	}
	return err
}

func nameOf(a session.Aside) string {
	if a.Name == nil {
		return ""
	}
	return a.Name.Text
}

// blob copies a blob of the session that the snapshot names. One that the session
// does not have either is missing in both.
func (s *Shares) blob(ctx context.Context, r *record, src *store.Session, name string) error {
	dir := s.path(r.ID, src.Format().BlobDir)
	path := filepath.Join(dir, name)
	if _, err := os.Lstat(path); err == nil || !src.HasBlob(name) {
		return nil
	}
	data, err := src.Blob(ctx, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, session.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return err
	}
	return replace(dir, path, data, true)
}
