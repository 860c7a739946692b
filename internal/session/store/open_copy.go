package store

import (
	"context"
	"errors"
	"path/filepath"

	"sessiontree/internal/session"
)

// OpenCopy opens a file that was made from this session. It cannot be changed, and
// other files do not affect it. id is the session id in the file. The annotations are
// written to a sidecar in the file's directory, which the caller removes.
func (s *Session) OpenCopy(ctx context.Context, path, id string, beside session.Annotations) (*Session, error) {
	dir := filepath.Dir(path)
	c := Config{Formats: s.lib.formats, Home: s.lib.scanOptions.Home, Roots: []string{dir}, ReadOnly: true, Clock: s.lib.now, Standalone: true}
	if beside.HasAny() {
		c.StateDir = filepath.Join(dir, "beside")
	}
	lib, err := New(c)
	if err != nil {
		return nil, err
	}
	if beside.HasAny() {
		if err := lib.AddAnnotations(ctx, s.Format(), id, beside); err != nil && !errors.Is(err, session.ErrReadOnly) { // or sidecars cannot be written on this system
			return nil, err
		}
	}
	return lib.Open(ctx, path)
}
