// Package ownwrites remembers what this program wrote to session files.
package ownwrites

import (
	"sync"
	"time"

	"sessiontree/internal/session/scan"
)

// A Log records which state of a file this program wrote, so that its own lines do not
// count as a sign of a running agent. It outlives open sessions.
type Log struct {
	mu    sync.Mutex
	files map[string]write // by canonical path
}

// write is the state of a file after it was last written here.
type write struct {
	size, mtime int64 // of the file; mtime in ns
	agentWrote  int64 // when another program last wrote before, in ns
	writing     bool  // the file is being written: its state is not known yet
}

// Begin records that this program is about to write to a file, which another program
// last wrote at agentWrote.
func (l *Log) Begin(path string, agentWrote time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.files[path]
	w.agentWrote, w.writing = agentWrote.UnixNano(), true
	l.set(path, w)
}

// End records the state of the file after the write, nil if another program wrote to it
// too or if nothing was written.
func (l *Log) End(path string, after *scan.Checkpoint) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.files[path]
	if w.writing = false; after != nil {
		w.size, w.mtime = after.Size, after.Mtime
	}
	l.set(path, w)
}

// set replaces the record of a path. The caller holds the lock.
func (l *Log) set(path string, w write) {
	if l.files == nil {
		l.files = map[string]write{}
	}
	l.files[path] = w
}

// AgentWrote returns when another program last wrote to a file with the given size and
// modification time (ns).
func (l *Log) AgentWrote(path string, size, mtime int64) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w, ok := l.files[path]; ok && (w.writing || w.size == size && w.mtime == mtime) {
		return time.Unix(0, w.agentWrote)
	}
	return time.Unix(0, mtime)
}

// Restore records a result of AgentWrote in an earlier run. m is the checkpoint of the file.
func (l *Log) Restore(path string, m *scan.Checkpoint, wrote time.Time) {
	if wrote.UnixNano() == m.Mtime {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.files[path]; !ok {
		l.set(path, write{size: m.Size, mtime: m.Mtime, agentWrote: wrote.UnixNano()})
	}
}
