package archive

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"
)

// Listing is a Store with the list of its files in memory. A Dir has one of its own; a store in
// a database would be asked too often without one. The list knows at once what is changed by
// the methods of the Listing, and by Refresh what others change.
type Listing struct {
	store Store

	refreshMu sync.Mutex // held while the store is asked
	mu        sync.RWMutex
	index     index
}

// NewListing reads the list of a store. Refresh keeps it up to date.
func NewListing(ctx context.Context, s Store) (*Listing, error) {
	l := &Listing{store: s}
	return l, l.Refresh(ctx)
}

// Refresh reads again what is stored of some files, of all without any paths. After an error
// the list is as it was.
func (l *Listing) Refresh(ctx context.Context, paths ...string) error {
	l.refreshMu.Lock()
	defer l.refreshMu.Unlock()
	if len(paths) == 0 {
		return l.refreshAll(ctx)
	}
	for _, path := range paths {
		heads, err := l.store.Heads(ctx, path)
		if err != nil {
			return err
		}
		l.mu.Lock()
		l.index.setHeads(path, heads)
		l.mu.Unlock()
	}
	return nil
}

func (l *Listing) refreshAll(ctx context.Context) error {
	next := newIndex()
	err := l.store.ListFiles(ctx, func(path string, heads []Head) error {
		next.setHeads(path, heads)
		return nil
	})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.index = next
	return nil
}

// setHeads makes heads the generations of a file.
func (x *index) setHeads(path string, heads []Head) {
	id := FileID(path)
	for _, old := range x.headsOf(path) {
		x.apply(record{id: id, path: path, generation: old.Generation, deleted: true})
	}
	for _, h := range heads {
		x.apply(record{id: id, path: path, generation: h.Generation, end: h.End, chain: h.Chain, modTime: h.ModTime.UnixNano(), stored: h.Stored})
	}
}

func (l *Listing) withIndex(fn func(*index)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	fn(&l.index)
}

// StoredBytes implements TreeStore.
func (l *Listing) StoredBytes() (n int64) {
	l.withIndex(func(x *index) { n = x.stored })
	return n
}

// Heads implements Store.
func (l *Listing) Heads(ctx context.Context, path string) ([]Head, error) {
	return l.store.Heads(ctx, path)
}

// ListFiles implements Store.
func (l *Listing) ListFiles(ctx context.Context, fn func(path string, heads []Head) error) error {
	return l.store.ListFiles(ctx, fn)
}

// OpenGeneration implements Store.
func (l *Listing) OpenGeneration(ctx context.Context, path string, generation int) (*File, error) {
	return l.store.OpenGeneration(ctx, path, generation)
}

// Append implements Store.
func (l *Listing) Append(ctx context.Context, s Segment) (Head, error) {
	head, err := l.store.Append(ctx, s)
	if err == nil {
		l.noteHead(s.Path, head)
	}
	return head, err
}

// noteHead adds a head to the list, unless it has a newer one of the same generation.
func (l *Listing) noteHead(path string, h Head) {
	l.refreshMu.Lock() // what is being read may be older
	defer l.refreshMu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	heads := l.index.headsOf(path)
	if i := slices.IndexFunc(heads, func(x Head) bool { return x.Generation == h.Generation }); i < 0 || heads[i].End <= h.End {
		l.index.setHeads(path, replaceHead(heads, h))
	}
}

// DeleteFile implements Store.
func (l *Listing) DeleteFile(ctx context.Context, path string) error {
	return l.refreshAfter(ctx, path, l.store.DeleteFile(ctx, path))
}

// DeleteGeneration implements Store.
func (l *Listing) DeleteGeneration(ctx context.Context, path string, generation int) error {
	return l.refreshAfter(ctx, path, l.store.DeleteGeneration(ctx, path, generation))
}

// refreshAfter reads a file again after a deletion, also one that failed: some of it may be
// done.
func (l *Listing) refreshAfter(ctx context.Context, path string, err error) error {
	return errors.Join(err, l.Refresh(ctx, path))
}

// Has implements Tree.
func (l *Listing) Has(path string) (has bool) {
	l.withIndex(func(x *index) { has = len(x.headsOf(path)) > 0 })
	return has
}

// Stat implements Tree.
func (l *Listing) Stat(path string) (fs.FileInfo, error) { return statIn(l.withIndex, path) }

// openTimeout is how long a store may take to open a file.
const openTimeout = 30 * time.Second

// OpenFile implements Tree.
func (l *Listing) OpenFile(path string) (*File, error) {
	var heads []Head
	l.withIndex(func(x *index) { heads = x.headsOf(path) })
	head, ok := newestOf(heads)
	if !ok {
		return nil, notStored("open", path)
	}
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	return l.store.OpenGeneration(ctx, path, head.Generation)
}

// ReadDir implements Tree.
func (l *Listing) ReadDir(dir string) ([]fs.DirEntry, error) { return readDirIn(l.withIndex, dir) }

// WalkFiles implements Tree.
func (l *Listing) WalkFiles(path string, fn func(path string, info fs.FileInfo) error) error {
	return walkFilesIn(l.withIndex, path, fn)
}
