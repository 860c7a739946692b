package store

import (
	"context"
	"errors"
	"path/filepath"

	"sessiontree/internal/session"
)

// OpenCopy opens a file that was made of this session, as what it says by itself and
// what is told beside it: nothing of it can be changed, and no other file has to do
// with it. id is that of the session that it holds. What is told is kept in the file's
// directory, which is the caller's to remove.
func (s *Session) OpenCopy(ctx context.Context, path, id string, beside session.Annotations) (*Session, error) {
	dir := filepath.Dir(path)
	c := Config{Formats: s.lib.formats, Home: s.lib.home, Roots: []string{dir}, ReadOnly: true, Clock: s.lib.now, Standalone: true}
	if beside.HasAny() {
		c.StateDir = filepath.Join(dir, "beside")
	}
	lib, err := New(c)
	if err != nil {
		return nil, err
	}
	if beside.HasAny() {
		if err := lib.AddAnnotations(ctx, s.Format(), id, beside); err != nil && !errors.Is(err, session.ErrReadOnly) { // or on this system nothing can be kept
			return nil, err
		}
	}
	return lib.Open(ctx, path)
}
