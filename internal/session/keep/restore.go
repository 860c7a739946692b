package keep

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/blobs"
	"sessiontree/internal/session/safefile"
)

// RestoreFile writes the newest copy of a file to the path to, with the same bytes and the
// same time, and creates missing directories. It replaces nothing: if there is a file, the
// error is fs.ErrExist.
func (k *Keeper) RestoreFile(ctx context.Context, path, to string) error {
	f, err := k.archive.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no copy of %s: %w", path, session.ErrNotFound)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return writeCopy(ctx, f, to)
}

// writeCopy writes an open copy to a new file.
func writeCopy(ctx context.Context, f *archive.File, to string) error {
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
	return os.Chtimes(to, info.ModTime(), info.ModTime())
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

// CopiedFile is a copied file of a session.
type CopiedFile struct {
	Path string
	Size int64 // of the newest copy
	Gone bool  // the original does not exist
}

// SessionFiles returns the copied files of a session: its own first, then those in its
// directory, then its blobs.
func (k *Keeper) SessionFiles(ctx context.Context, path string) (files []CopiedFile, err error) {
	add := func(path string, info fs.FileInfo) error {
		files = append(files, CopiedFile{Path: path, Size: info.Size(), Gone: isGone(path)})
		return ctx.Err()
	}
	info, err := k.archive.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("there is no copy of %s: %w", path, session.ErrNotFound)
	}
	if err := add(path, info); err != nil {
		return nil, err
	}
	if dir, ok := sessionDir(path); ok {
		if err := k.archive.WalkFiles(dir, add); err != nil {
			return nil, err
		}
	}
	names, err := k.copiedBlobs(files)
	for _, path := range names {
		if info, err := k.archive.Stat(path); err == nil {
			files = append(files, CopiedFile{Path: path, Size: info.Size(), Gone: isGone(path)})
		}
	}
	return files, err
}

// copiedBlobs returns the paths of the copied blobs that copied session files refer to.
func (k *Keeper) copiedBlobs(files []CopiedFile) ([]string, error) {
	found := map[string]bool{}
	for _, file := range files {
		if !isLines(file.Path) {
			continue
		}
		f, err := k.archive.OpenFile(file.Path)
		if err != nil {
			return nil, err
		}
		err = k.readBlobNames(f, func(of *session.Blobs, name string) {
			for _, path := range (blobs.Dirs{Session: file.Path, Name: of.Dir}).Paths(name) {
				if k.archive.Has(path) {
					found[path] = true
				}
			}
		})
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	var paths []string
	for path := range found {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths, nil
}

// readBlobNames calls use for each blob that the lines of a copy refer to.
func (k *Keeper) readBlobNames(f *archive.File, use func(of *session.Blobs, name string)) error {
	format := k.sniffFormat(f)
	if format == nil || format.Blobs == nil {
		return nil
	}
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		for _, name := range format.Blobs.Names(line) {
			use(format.Blobs, name)
		}
		if err != nil {
			return safefile.IgnoreError(err, io.EOF)
		}
	}
}

// PurgeSession deletes all copies of a session and of the files in its directory. Blobs stay,
// because other sessions may refer to them. It returns how many bytes became free.
func (k *Keeper) PurgeSession(ctx context.Context, path string) (freed int64, err error) {
	before := k.archive.StoredBytes()
	var paths []string
	if k.archive.Has(path) {
		paths = append(paths, path)
	}
	if dir, ok := sessionDir(path); ok {
		_ = k.archive.WalkFiles(dir, func(path string, _ fs.FileInfo) error {
			paths = append(paths, path)
			return nil
		})
	}
	if len(paths) == 0 {
		return 0, fmt.Errorf("there is no copy of %s: %w", path, session.ErrNotFound)
	}
	for _, path := range paths {
		if err := k.archive.DeleteFile(ctx, path); err != nil {
			return 0, err
		}
	}
	k.onChange()
	return max(before-k.archive.StoredBytes(), 0), nil
}

// PurgeAll deletes all copies. It returns how many sessions there were, and how many bytes
// became free.
func (k *Keeper) PurgeAll(ctx context.Context) (sessions int, freed int64, err error) {
	before := k.archive.StoredBytes()
	all, err := k.storedSessions(ctx)
	for _, s := range all {
		for _, f := range s.files {
			if err == nil {
				err = k.archive.DeleteFile(ctx, f.path)
			}
		}
		if isLines(s.path) && err == nil {
			sessions++
		}
	}
	k.onChange()
	return sessions, max(before-k.archive.StoredBytes(), 0), err
}

// CopiedSessions returns the session files that are copied, the newest first.
func (k *Keeper) CopiedSessions(ctx context.Context) (files []CopiedFile, err error) {
	all, err := k.storedSessions(ctx)
	slices.SortStableFunc(all, func(a, b *storedSession) int { return cmp.Compare(b.modTime.UnixNano(), a.modTime.UnixNano()) })
	for _, s := range all {
		if isLines(s.path) {
			files = append(files, CopiedFile{Path: s.path, Size: s.bytes, Gone: s.gone})
		}
	}
	return files, err
}
