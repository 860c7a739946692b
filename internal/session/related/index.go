// Package related finds the session files that share entry ids.
package related

import (
	"path/filepath"
	"slices"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/scan"
)

// Index caches which entries session files hold and reference, so that related
// sessions are found without reading a directory twice. It is safe for concurrent use.
type Index struct {
	mu      sync.Mutex
	dirs    map[string]*dirIndex
	version uint64 // counts changes
	links   uint64 // counts changes that may change relations between files
}

// dirIndex is the index of one directory.
type dirIndex struct {
	files map[string]File // by name
	named map[uint64]bool // entries that a file references and another one may hold
	links uint64          // Index.links at its last change

	// connected are the files that are related to another one. nil: unknown since the last change.
	connected map[string]bool
}

// File is what a file holds and references up to Checkpoint.
type File struct {
	Checkpoint scan.Checkpoint
	Related    session.Related
}

// FindFile returns the indexed file.
func (k *Index) FindFile(path string) (File, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.find(path)
}

// find is FindFile. The caller holds the lock.
func (k *Index) find(path string) (f File, ok bool) {
	if dir := k.dirs[filepath.Dir(path)]; dir != nil {
		f, ok = dir.files[filepath.Base(path)]
	}
	return f, ok
}

// StoreFile stores what was read of a file.
func (k *Index) StoreFile(path string, f File) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.setFile(path, f).link(k)
}

// setFile stores f. The caller holds the lock.
func (k *Index) setFile(path string, f File) *dirIndex {
	name := filepath.Dir(path)
	if k.dirs == nil {
		k.dirs = map[string]*dirIndex{}
	}
	dir := k.dirs[name]
	if dir == nil {
		dir = &dirIndex{files: map[string]File{}, named: map[uint64]bool{}}
		k.dirs[name] = dir
	}
	dir.files[filepath.Base(path)] = f
	dir.addNamed(f.Related)
	dir.connected = nil
	k.version++
	return dir
}

// addNamed adds the entries that a file references.
func (d *dirIndex) addNamed(related session.Related) {
	for _, id := range related.Refs {
		d.named[id] = true
	}
	for _, s := range related.Titles {
		d.named[s.Entry] = true
	}
}

// link records that the relations between the files of the directory may have changed.
func (d *dirIndex) link(k *Index) {
	k.links++
	d.links = k.links
}

// AddAppended adds what was appended to a file since a checkpoint. That rarely relates it to
// another file.
func (k *Index) AddAppended(path string, since scan.Checkpoint, added session.Related, now scan.Checkpoint) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.find(path)
	if !ok || f.Checkpoint.Off != since.Off {
		return
	}
	grown := f.Related.MergeRelated(added)
	dir := k.setFile(path, File{now, grown})
	if len(grown.Refs) != len(f.Related.Refs) || len(added.Titles) > 0 || slices.ContainsFunc(added.Held, func(id uint64) bool { return dir.named[id] }) {
		dir.link(k)
	}
}

// UpdateCheckpoint replaces the checkpoint of an unchanged file.
func (k *Index) UpdateCheckpoint(path string, mark scan.Checkpoint) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f, ok := k.find(path); ok && f.Checkpoint.Off == mark.Off {
		k.dirs[filepath.Dir(path)].files[filepath.Base(path)] = File{mark, f.Related}
	}
}

// Files returns the index by path, to be stored for a later run, and its version.
func (k *Index) Files() (files map[string]File, version uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	files = map[string]File{}
	for dir, d := range k.dirs {
		for name, f := range d.files {
			files[filepath.Join(dir, name)] = f
		}
	}
	return files, k.version
}

// ChangedSince returns the files, by directory and name, of the directories in which
// relations between files may have changed since the given state, at first 0. It also
// returns the current state. If nothing has changed it returns nil at no cost.
func (k *Index) ChangedSince(state uint64) (dirs map[string]map[string]session.Related, now uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.links == state {
		return nil, state
	}
	dirs = map[string]map[string]session.Related{}
	for name, dir := range k.dirs {
		if dir.links <= state {
			continue
		}
		dirs[name] = make(map[string]session.Related, len(dir.files))
		for file, f := range dir.files {
			dirs[name][file] = f.Related
		}
	}
	return dirs, k.links
}

// Restore adds files that an earlier run indexed, if isKnown returns true for their path.
// It returns how often the version changed. Each file is checked when it is used.
func (k *Index) Restore(files map[string]File, isKnown func(path string) bool) (changes uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	before := k.version
	for path, f := range files {
		if _, indexed := k.find(path); !indexed && isKnown(path) {
			k.setFile(path, f).link(k)
		}
	}
	return k.version - before
}
