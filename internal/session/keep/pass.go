package keep

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// KeepAll copies what is new in all files of the roots, compares earlier bytes of files that
// grew in full, and then keeps the copies below the limit. It continues after an error, and
// returns all of them.
func (k *Keeper) KeepAll(ctx context.Context) error {
	failed := []error{k.archive.Verify(ctx)}
	var sessions []string
	err := k.roots.WalkFiles(ctx, func(f roots.File) {
		if f.Err == nil {
			sessions = append(sessions, f.Path)
		}
	})
	failed = append(failed, err)
	for _, path := range sessions {
		err := k.copySession(ctx, path, true)
		if err == nil {
			err = k.EnforceQuota(ctx)
		}
		if failed = append(failed, err); k.isFatal(ctx, err) {
			break
		}
	}
	err = errors.Join(failed...)
	k.reportPass(err)
	return err
}

// isFatal reports whether an error concerns all files.
func (k *Keeper) isFatal(ctx context.Context, err error) bool {
	return ctx.Err() != nil || err != nil && (isDiskFull(err) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, safefile.ErrLocked) || errors.Is(err, ErrLimit))
}

// copySession copies what is new in a session file and in the files of its directory.
func (k *Keeper) copySession(ctx context.Context, path string, verify bool) error {
	at, err := k.roots.Locate(path)
	if err != nil {
		return err
	}
	if err := k.copyPlace(ctx, at, verify); err != nil {
		return err
	}
	dir, ok := sessionDir(at.Path)
	if !ok {
		return nil
	}
	return k.copyDir(ctx, dir, verify)
}

// copyDir copies what is new in the files below a directory in a root. It need not exist.
func (k *Keeper) copyDir(ctx context.Context, path string, verify bool) error {
	at, err := k.roots.Locate(path)
	if err != nil {
		return err
	}
	dir, err := os.OpenRoot(at.Dir)
	if err != nil {
		return safefile.IgnoreError(err, fs.ErrNotExist)
	}
	defer dir.Close()
	var failed []error
	err = fs.WalkDir(dir.FS(), filepath.ToSlash(at.Rel), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return safefile.IgnoreError(err, fs.ErrNotExist)
		case roots.IsIgnoredName(e.Name()) && e.IsDir() && name != ".":
			return fs.SkipDir
		case e.IsDir() || roots.IsIgnoredName(e.Name()) || !e.Type().IsRegular():
			return nil
		}
		err = k.copyPlace(ctx, at.At(filepath.FromSlash(name)), verify)
		if failed = append(failed, err); k.isFatal(ctx, err) {
			return fs.SkipAll
		}
		return nil
	})
	return errors.Join(append(failed, err)...)
}

// copyPath copies what is new at a changed path, which may be a file, a directory or gone.
func (k *Keeper) copyPath(ctx context.Context, path string) error {
	at, err := k.roots.Locate(path)
	if err != nil {
		return nil // a directory above a root, or a root that does not exist any more
	}
	info, err := os.Lstat(at.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return copyError(at.Path, err)
	case !info.IsDir():
		return k.copyPlace(ctx, at, false)
	}
	return k.copyNewDir(ctx, at)
}

// copyNewDir copies what is new in a directory that has just been created or renamed.
func (k *Keeper) copyNewDir(ctx context.Context, at roots.Place) error {
	if k.sessionAbove(at.At(filepath.Join(at.Rel, "file"))) != "" {
		return k.copyDir(ctx, at.Path, false)
	}
	var paths []string
	if _, err := k.roots.WalkUnder(ctx, at.Path, func(f roots.File) {
		if f.Err == nil {
			paths = append(paths, f.Path)
		}
	}); err != nil {
		return err
	}
	var failed []error
	for _, path := range paths {
		failed = append(failed, k.copySession(ctx, path, false))
	}
	return errors.Join(failed...)
}
