package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// relatedIndex remembers of session files which entries they hold and name, so that
// the sessions that go on in one another are found without reading a directory
// twice.
type relatedIndex struct {
	mu      sync.Mutex
	dirs    map[string]map[string]RelatedFile // by directory and name
	version uint64                            // counts changes
}

// RelatedFile is what a file holds as far as Mark.
type RelatedFile struct {
	Checkpoint Checkpoint
	Related    session.Related
}

func (k *relatedIndex) findRelatedFile(path string) (RelatedFile, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.dirs[filepath.Dir(path)][filepath.Base(path)]
	return f, ok
}

func (k *relatedIndex) storeRelatedFile(path string, f RelatedFile, news bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.setRelatedFile(path, f)
	if news {
		k.version++
	}
}

// setRelatedFile needs the lock.
func (k *relatedIndex) setRelatedFile(path string, f RelatedFile) {
	dir := filepath.Dir(path)
	if k.dirs == nil {
		k.dirs = map[string]map[string]RelatedFile{}
	}
	if k.dirs[dir] == nil {
		k.dirs[dir] = map[string]RelatedFile{}
	}
	k.dirs[dir][filepath.Base(path)] = f
}

// addRelated takes in what was added to a file since it was read as far as a mark.
func (k *relatedIndex) addRelated(path string, since Checkpoint, added session.Related, now Checkpoint) {
	if f, ok := k.findRelatedFile(path); ok && f.Checkpoint.Off == since.Off {
		k.storeRelatedFile(path, RelatedFile{now, f.Related.MergeRelated(added)}, true)
	}
}

// updateCheckpoint takes in that a file is as it was.
func (k *relatedIndex) updateCheckpoint(path string, mark Checkpoint) {
	if f, ok := k.findRelatedFile(path); ok && f.Checkpoint.Off == mark.Off {
		k.storeRelatedFile(path, RelatedFile{mark, f.Related}, false)
	}
}

// RelatedFiles answers what is known of files by their paths, for a later run, and the state
// of it.
func (l *Library) RelatedFiles() (files map[string]RelatedFile, state uint64) {
	l.related.mu.Lock()
	defer l.related.mu.Unlock()
	files = map[string]RelatedFile{}
	for dir, names := range l.related.dirs {
		for name, f := range names {
			files[filepath.Join(dir, name)] = f
		}
	}
	return files, l.related.version
}

// RelatedVersion changes whenever more is known of files.
func (l *Library) RelatedVersion() uint64 {
	l.related.mu.Lock()
	defer l.related.mu.Unlock()
	return l.related.version
}

// RestoreRelatedFiles takes over what an earlier run knew of files, and returns how many times
// that changed the state. Each is checked against its file when it is used.
func (l *Library) RestoreRelatedFiles(files map[string]RelatedFile) (changes uint64) {
	l.related.mu.Lock()
	defer l.related.mu.Unlock()
	for path, f := range files {
		if _, known := l.related.dirs[filepath.Dir(path)][filepath.Base(path)]; !known && l.ContainsPath(path) {
			l.related.setRelatedFile(path, f)
			changes++
		}
	}
	l.related.version += changes
	return changes
}

// findRelated lists the names of the session files, the one at a place first, that
// hang together with it.
func (l *Library) findRelated(ctx context.Context, at place, f *session.Format) ([]string, error) {
	dir := filepath.Join(at.dir, filepath.Dir(at.rel))
	names, err := listSessionFiles(dir, f)
	if err != nil {
		return nil, at.pathError(err)
	}
	if own := filepath.Base(at.rel); !slices.Contains(names, own) {
		return []string{own}, nil // an agent's file whose session is gone
	}
	files := make([]*session.Related, len(names))
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		g.Go(func() (err error) {
			files[i], err = l.readRelated(running, siblingPlace(at, name), f)
			if running.Err() == nil {
				return nil // one that cannot be read is related to none
			}
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return connectedFiles(filepath.Base(at.rel), names, files), nil
}

// listSessionFiles lists the files of a directory that are sessions of their own.
func listSessionFiles(dir string, f *session.Format) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && isSessionName(e.Name()) && (f.IsMember == nil || !f.IsMember(e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readRelated reads which entries a file holds and names: only what was added since it
// was read last.
func (l *Library) readRelated(ctx context.Context, at place, format *session.Format) (*session.Related, error) {
	if old, ok := l.related.findRelatedFile(at.path); ok {
		if old.Checkpoint.isFileUnchanged(at.path) {
			return &old.Related, nil
		}
		_, ok, err := l.ReadAdded(ctx, at.path, old.Checkpoint)
		switch {
		case err != nil:
			return nil, err
		case ok:
			now, _ := l.related.findRelatedFile(at.path)
			return &now.Related, nil
		}
	}
	f, info, err := at.openFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if own, err := l.sniffFormat(f, at.path); err != nil || own != format {
		return nil, err
	}
	r := l.newFileReader(format, at.path)
	if err := r.readTo(ctx, f, info.Size()); err != nil {
		return nil, at.pathError(err)
	}
	k := RelatedFile{newCheckpoint(r, info), format.Related(r.entries)}
	l.related.storeRelatedFile(at.path, k, true)
	return &k.Related, nil
}
