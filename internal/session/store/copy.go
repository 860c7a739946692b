package store

import (
	"context"
	"path/filepath"
)

// OpenCopy opens a file that was made of this session, as what it says by itself:
// nothing is kept of it, nothing of it can be changed, and no other file has to do
// with it.
func (s *Session) OpenCopy(ctx context.Context, path string) (*Session, error) {
	lib, err := New(Config{Formats: s.lib.formats, Home: s.lib.home, Roots: []string{filepath.Dir(path)}, ReadOnly: true, Clock: s.lib.now, Alone: true})
	if err != nil {
		return nil, err
	}
	return lib.Open(ctx, path)
}
