package store

import (
	"io/fs"
	"sync"
	"time"
)

// maxCachedFiles is how many facts about files are remembered.
const maxCachedFiles = 100_000

// fileCache remembers what was read of files, as long as they do not change. It is
// safe for concurrent use.
type fileCache struct {
	mu    sync.Mutex
	facts map[fileCacheKey]fileCacheEntry
}

// fileCacheKey is a file by its path, and what was learned of it.
type fileCacheKey struct{ path, topic string }

type fileCacheEntry struct {
	size, mtime      int64
	recentlyModified bool // another write may have the same time
	value            any
}

// readCachedFile returns what parse makes of the file that looks like info. It is given what
// it made of it before.
func (l *fileCache) readCachedFile(path, what string, info fs.FileInfo, read func(old any) any) any {
	key := fileCacheKey{path, what}
	l.mu.Lock()
	fact, ok := l.facts[key]
	l.mu.Unlock()
	if ok && !fact.recentlyModified && fact.size == info.Size() && fact.mtime == info.ModTime().UnixNano() {
		return fact.value
	}
	fact = fileCacheEntry{info.Size(), info.ModTime().UnixNano(), time.Since(info.ModTime()) < mtimeTrustAge, read(fact.value)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.facts == nil || len(l.facts) >= maxCachedFiles {
		l.facts = map[fileCacheKey]fileCacheEntry{}
	}
	l.facts[key] = fact
	return fact.value
}
