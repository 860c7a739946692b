package keep

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/blobs"
	"sessiontree/internal/session/safefile"
)

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
			if err := add(path, info); err != nil {
				return nil, err
			}
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
	return slices.Sorted(maps.Keys(found)), nil
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
