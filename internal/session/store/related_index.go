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
	"sessiontree/internal/session/roots"
)

// relatedIndex caches which entries session files hold and reference, so that related
// sessions are found without reading a directory twice.
type relatedIndex struct {
	mu      sync.Mutex
	dirs    map[string]*relatedDirIndex
	version uint64 // counts changes
	links   uint64 // counts changes that may change relations between files
}

// relatedDirIndex is the index of one directory.
type relatedDirIndex struct {
	files map[string]RelatedFile // by name
	named map[uint64]bool        // entries that a file references and another one may hold
	links uint64                 // relatedIndex.links at its last change
}

// RelatedFile is what a file holds and references up to Checkpoint.
type RelatedFile struct {
	Checkpoint Checkpoint
	Related    session.Related
}

func (k *relatedIndex) findRelatedFile(path string) (RelatedFile, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.find(path)
}

// find returns the indexed file. The caller holds the lock.
func (k *relatedIndex) find(path string) (f RelatedFile, ok bool) {
	if dir := k.dirs[filepath.Dir(path)]; dir != nil {
		f, ok = dir.files[filepath.Base(path)]
	}
	return f, ok
}

// storeRelatedFile stores what was read of a file.
func (k *relatedIndex) storeRelatedFile(path string, f RelatedFile) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.setRelatedFile(path, f).link(k)
}

// setRelatedFile stores f. The caller holds the lock.
func (k *relatedIndex) setRelatedFile(path string, f RelatedFile) *relatedDirIndex {
	name := filepath.Dir(path)
	if k.dirs == nil {
		k.dirs = map[string]*relatedDirIndex{}
	}
	dir := k.dirs[name]
	if dir == nil {
		dir = &relatedDirIndex{files: map[string]RelatedFile{}, named: map[uint64]bool{}}
		k.dirs[name] = dir
	}
	dir.files[filepath.Base(path)] = f
	dir.name(f.Related)
	k.version++
	return dir
}

// name adds the entries that a file references.
func (d *relatedDirIndex) name(kin session.Related) {
	for _, id := range kin.Refs {
		d.named[id] = true
	}
	for _, s := range kin.Titles {
		d.named[s.Entry] = true
	}
}

// link records that the relations between the files of the directory may have changed.
func (d *relatedDirIndex) link(k *relatedIndex) {
	k.links++
	d.links = k.links
}

// addRelated adds what was appended to a file since a checkpoint. That rarely relates it to
// another file.
func (k *relatedIndex) addRelated(path string, since Checkpoint, added session.Related, now Checkpoint) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.find(path)
	if !ok || f.Checkpoint.Off != since.Off {
		return
	}
	grown := f.Related.MergeRelated(added)
	dir := k.setRelatedFile(path, RelatedFile{now, grown})
	if len(grown.Refs) != len(f.Related.Refs) || len(added.Titles) > 0 || slices.ContainsFunc(added.Held, func(id uint64) bool { return dir.named[id] }) {
		dir.link(k)
	}
}

// updateCheckpoint replaces the checkpoint of an unchanged file.
func (k *relatedIndex) updateCheckpoint(path string, mark Checkpoint) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f, ok := k.find(path); ok && f.Checkpoint.Off == mark.Off {
		k.dirs[filepath.Dir(path)].files[filepath.Base(path)] = RelatedFile{mark, f.Related}
	}
}

// RelatedFiles returns the index by path, to be stored for a later run, and its
// version.
func (l *Library) RelatedFiles() (files map[string]RelatedFile, state uint64) {
	l.related.mu.Lock()
	defer l.related.mu.Unlock()
	files = map[string]RelatedFile{}
	for dir, d := range l.related.dirs {
		for name, f := range d.files {
			files[filepath.Join(dir, name)] = f
		}
	}
	return files, l.related.version
}

// RelatedSince returns, by directory and name, what is known of the files of directories
// where what files say of each other may have changed since links was returned, at
// first 0. It returns nothing, at no cost, where that is nowhere.
func (l *Library) RelatedSince(since uint64) (dirs map[string]map[string]session.Related, links uint64) {
	l.related.mu.Lock()
	defer l.related.mu.Unlock()
	if l.related.links == since {
		return nil, since
	}
	dirs = map[string]map[string]session.Related{}
	for name, dir := range l.related.dirs {
		if dir.links <= since {
			continue
		}
		dirs[name] = make(map[string]session.Related, len(dir.files))
		for file, f := range dir.files {
			dirs[name][file] = f.Related
		}
	}
	return dirs, l.related.links
}

// RestoreRelatedFiles takes over what an earlier run knew of files, and returns how many times
// that changed the state. Each is checked against its file when it is used.
func (l *Library) RestoreRelatedFiles(files map[string]RelatedFile) (changes uint64) {
	l.related.mu.Lock()
	defer l.related.mu.Unlock()
	before := l.related.version
	for path, f := range files {
		if _, known := l.related.find(path); !known && l.roots.ContainsPath(path) {
			l.related.setRelatedFile(path, f).link(&l.related)
		}
	}
	return l.related.version - before
}

// findRelated returns the names of the session files related to the one at a place,
// which is the first.
func (l *Library) findRelated(ctx context.Context, at roots.Place, f *session.Format) ([]string, error) {
	dir := filepath.Join(at.Dir, filepath.Dir(at.Rel))
	names, err := listSessionFiles(dir, f)
	if err != nil {
		return nil, at.PathError(err)
	}
	if own := filepath.Base(at.Rel); !slices.Contains(names, own) {
		return []string{own}, nil // a sub-agent's file whose session is gone
	}
	files := make([]*session.Related, len(names))
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		g.Go(func() (err error) {
			files[i], err = l.readRelated(running, at.Sibling(name), f)
			if running.Err() == nil {
				return nil // an unreadable file is not related
			}
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return connectedFiles(filepath.Base(at.Rel), names, files), nil
}

// listSessionFiles lists the files of a directory that are sessions themselves.
func listSessionFiles(dir string, f *session.Format) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && roots.IsSessionName(e.Name()) && !f.IsMember(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readRelated returns which entries a file holds and references. It reads only what was
// appended since the last call.
func (l *Library) readRelated(ctx context.Context, at roots.Place, format *session.Format) (*session.Related, error) {
	if old, ok := l.related.findRelatedFile(at.Path); ok {
		if old.Checkpoint.isFileUnchanged(at.Path) {
			return &old.Related, nil
		}
		_, ok, err := l.ReadAdded(ctx, at.Path, old.Checkpoint)
		switch {
		case err != nil:
			return nil, err
		case ok:
			now, _ := l.related.findRelatedFile(at.Path)
			return &now.Related, nil
		}
	}
	f, info, err := at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if own, err := l.sniffFormat(f, at.Path); err != nil || own != format {
		return nil, err
	}
	r := l.newFileReader(format, at.Path)
	if err := r.readTo(ctx, f, info.Size()); err != nil {
		return nil, at.PathError(err)
	}
	k := RelatedFile{newCheckpoint(r, info), format.Graph.Related(r.entries)}
	l.related.storeRelatedFile(at.Path, k)
	return &k.Related, nil
}
