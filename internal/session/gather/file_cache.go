package gather

import (
	"io/fs"
	"sync"

	"sessiontree/internal/session/scan"
)

// maxCachedFiles is how many results the cache holds.
const maxCachedFiles = 100_000

// FileCache caches what was learned from files until they change. It is safe for
// concurrent use.
type FileCache struct {
	mu    sync.Mutex
	facts map[fileCacheKey]fileCacheEntry
}

// fileCacheKey is the path of a file and what was learned from it.
type fileCacheKey struct{ path, topic string }

type fileCacheEntry struct {
	size, mtime      int64
	recentlyModified bool // a later write may have the same time
	value            any
}

// ReadCachedFile returns the cached value for a file with the given info. what
// distinguishes several values for one file. If there is none, it calls read with the value
// from before the file changed.
func (l *FileCache) ReadCachedFile(path, what string, info fs.FileInfo, read func(old any) any) any {
	key := fileCacheKey{path, what}
	l.mu.Lock()
	fact, ok := l.facts[key]
	l.mu.Unlock()
	if ok && !fact.recentlyModified && fact.size == info.Size() && fact.mtime == info.ModTime().UnixNano() {
		return fact.value
	}
	fact = fileCacheEntry{info.Size(), info.ModTime().UnixNano(), scan.IsRecentlyModified(info), read(fact.value)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.facts == nil || len(l.facts) >= maxCachedFiles {
		l.facts = map[fileCacheKey]fileCacheEntry{}
	}
	l.facts[key] = fact
	return fact.value
}
