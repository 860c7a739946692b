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

// writeSidecar stores what a snapshot needs besides its file: labels and a name
// that the format cannot hold, and images in separate files.
func (s *Shares) writeSidecar(ctx context.Context, r *shareRecord, src *store.Session, job *export.Job, blobs []string) error {
	if err := s.syncAnnotations(ctx, src.Format(), r.Session, job.Annotations()); err != nil {
		return err
	}
	for _, name := range blobs {
		if err := s.copyBlob(ctx, r, src, name); err != nil {
			return err
		}
	}
	return nil
}

// syncAnnotations makes the stored annotations equal to want.
func (s *Shares) syncAnnotations(ctx context.Context, f *session.Format, id string, want session.Annotations) error {
	s.lib.Sidecars().ModTime()
	have, _ := s.lib.Sidecars().Find(f.Name, id, "")
	var change session.Annotations
	for _, l := range want.Labels {
		if !slices.Contains(have.Labels, l) {
			change.Labels = append(change.Labels, l)
		}
	}
	for _, l := range have.Labels {
		if l.Text != "" && !slices.ContainsFunc(want.Labels, func(w session.LabelAnnotation) bool { return w.Target == l.Target }) {
			change.Labels = append(change.Labels, session.LabelAnnotation{Target: l.Target, Time: s.now().UnixMilli()})
		}
	}
	if was, is := annotatedName(have), annotatedName(want); was != is {
		change.Name = &session.NameAnnotation{Text: is}
	}
	err := s.lib.AddAnnotations(ctx, f, id, change)
	if errors.Is(err, session.ErrReadOnly) { // this system cannot store a sidecar
		s.log.Warn("a share is shown without its labels", "session", id, "error", err)
		return nil
	}
	return err
}

func annotatedName(a session.Annotations) string {
	if a.Name == nil {
		return ""
	}
	return a.Name.Text
}

// copyBlob copies a blob that the snapshot refers to. It ignores a blob that the session
// lacks too.
func (s *Shares) copyBlob(ctx context.Context, r *shareRecord, src *store.Session, name string) error {
	dir := s.sharePath(r.ID, src.Format().Blobs.Dir)
	path := filepath.Join(dir, name)
	if _, err := os.Lstat(path); err == nil || !src.HasBlob(name) {
		return nil
	}
	data, err := src.ReadBlob(ctx, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, session.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return err
	}
	return replaceFile(dir, path, data, true)
}
