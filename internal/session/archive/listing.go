package archive

import (
	"context"
	"io/fs"
	"sync"
	"time"
)

// Listing is the list of a Store in memory. A Dir has one of its own; a store in a database
// would be asked too often without one.
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

// StoredBytes returns how many bytes all files take.
func (l *Listing) StoredBytes() (n int64) {
	l.withIndex(func(x *index) { n = x.stored })
	return n
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
