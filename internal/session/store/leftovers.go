package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"sessiontree/internal/session/safefile"
)

// RemoveLeftovers removes the temporary files of dead processes from the roots and the
// state directory.
func (l *Library) RemoveLeftovers(ctx context.Context) error {
	if l.readOnly {
		return nil
	}
	var failed []error
	err := l.roots.WalkTempFiles(ctx, func(dir *os.Root, rel string) { failed = append(failed, safefile.RemoveLeftover(dir, rel, l.now())) })
	failed = append(failed, err)
	if l.sidecars != nil {
		failed = append(failed, safefile.RemoveLeftoversUnder(filepath.Dir(l.sidecars.dir), l.now()))
	}
	return errors.Join(failed...)
}
