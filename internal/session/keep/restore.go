package keep

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/safefile"
)

// RestoreFile writes the newest copy of a file to the path to, with the same bytes, and creates
// missing directories. It replaces nothing: if there is a file, the error is fs.ErrExist. The
// modification time is the same, too, unless an agent would delete the file because of it.
func (k *Keeper) RestoreFile(ctx context.Context, path, to string) error {
	f, err := k.archive.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no copy of %s: %w", path, session.ErrNotFound)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return k.writeCopy(ctx, f, to)
}

// RestoreGeneration is RestoreFile for an earlier generation. They are numbered from 1.
func (k *Keeper) RestoreGeneration(ctx context.Context, path string, generation int, to string) error {
	f, err := k.archive.OpenGeneration(ctx, path, generation)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no copy %d of %s: %w", generation, path, session.ErrNotFound)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return k.writeCopy(ctx, f, to)
}

// writeCopy writes an open copy to a new file.
func (k *Keeper) writeCopy(ctx context.Context, f *archive.File, to string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("%s: %w", to, safefile.Reason(err))
	}
	disk := safefile.SystemDisk()
	err = disk.CreateFile(to, 0o600, true, func(w *bufio.Writer) error {
		if _, err := io.Copy(w, f); err != nil {
			return err
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	at := k.restoredTime(to, info.ModTime())
	return os.Chtimes(to, at, at)
}

// restoredAge is the age of a restored file that has not its own time. A new file would look as
// if its agent was working.
const restoredAge = time.Hour

// restoredTime returns the modification time of a restored file: modTime, or a recent time if
// the clean-up of an agent would soon delete the file because of modTime.
func (k *Keeper) restoredTime(path string, modTime time.Time) time.Time {
	const soon = 24 * time.Hour
	for _, rule := range k.cleanUpsFor(path) {
		if k.now().Add(soon).After(modTime.Add(rule.After)) {
			return k.now().Add(-restoredAge)
		}
	}
	return modTime
}

// FindSession returns the copied session that a person names: by its path, or by its id or the
// beginning of it, of at least four characters. The error is session.ErrNotFound if there is
// none, and session.ErrInvalid if there are several.
func (k *Keeper) FindSession(ctx context.Context, name string) (path string, err error) {
	if abs, err := filepath.Abs(name); err == nil {
		if k.archive.Has(abs) {
			return abs, nil
		}
		if real, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil && k.archive.Has(filepath.Join(real, filepath.Base(abs))) {
			return filepath.Join(real, filepath.Base(abs)), nil
		}
	}
	const shortest = 4
	var found []string
	err = k.archive.ListFiles(ctx, func(path string, _ []archive.Head) error {
		if len(name) >= shortest && isLines(path) && hasSessionID(filepath.Base(path), name) && sessionOf(path, k.archive.Has) == path {
			found = append(found, path)
		}
		return nil
	})
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", fmt.Errorf("there is no copy of %s: %w", name, session.ErrNotFound)
	case len(found) > 1:
		slices.Sort(found)
		return "", fmt.Errorf("%w: %d copied sessions begin with %s, such as %s", session.ErrInvalid, len(found), name, found[0])
	}
	return found[0], nil
}

// hasSessionID reports whether the name of a session file contains an id that begins like
// this one. Agents write a time before the id, or nothing.
func hasSessionID(name, id string) bool {
	_, after, timed := strings.Cut(name, "_")
	return strings.HasPrefix(name, id) || timed && strings.HasPrefix(after, id)
}
