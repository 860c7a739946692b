package store

import (
	"sync"
	"time"

	"sessiontree/internal/session/scan"
)

// ownWrites records which state of a file this program wrote, so that its own lines do
// not count as a sign of a running agent. It outlives open sessions.
type ownWrites struct {
	mu    sync.Mutex
	files map[string]ownWrite // by canonical path
}

// ownWrite is the state of a file after it was last written here.
type ownWrite struct {
	size, mtime int64 // of the file; mtime in ns
	agentWrote  int64 // when another program last wrote before, in ns
	writing     bool  // the file is being written: its state is not known yet
}

// begin records that this program is about to write to a file, which another program
// last wrote at agentWrote.
func (o *ownWrites) begin(path string, agentWrote time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	w := o.files[path]
	w.agentWrote, w.writing = agentWrote.UnixNano(), true
	o.set(path, w)
}

// end records the state of the file after the write, nil if another program wrote to it
// too or if nothing was written.
func (o *ownWrites) end(path string, after *scan.Checkpoint) {
	o.mu.Lock()
	defer o.mu.Unlock()
	w := o.files[path]
	if w.writing = false; after != nil {
		w.size, w.mtime = after.Size, after.Mtime
	}
	o.set(path, w)
}

// set replaces the record of a path. The caller holds the lock.
func (o *ownWrites) set(path string, w ownWrite) {
	if o.files == nil {
		o.files = map[string]ownWrite{}
	}
	o.files[path] = w
}

// agentWrote returns when another program last wrote to a file with the given size and
// modification time (ns).
func (o *ownWrites) agentWrote(path string, size, mtime int64) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w, ok := o.files[path]; ok && (w.writing || w.size == size && w.mtime == mtime) {
		return time.Unix(0, w.agentWrote)
	}
	return time.Unix(0, mtime)
}

// AgentWrote returns when another program last wrote to the file at a canonical path. m
// is the checkpoint of the file.
func (l *Library) AgentWrote(path string, m *scan.Checkpoint) time.Time {
	return l.own.agentWrote(path, m.Size, m.Mtime)
}

// RestoreAgentWrote records a result of AgentWrote in an earlier run.
func (l *Library) RestoreAgentWrote(path string, m *scan.Checkpoint, wrote time.Time) {
	if wrote.UnixNano() == m.Mtime {
		return
	}
	l.own.mu.Lock()
	defer l.own.mu.Unlock()
	if _, ok := l.own.files[path]; !ok {
		l.own.set(path, ownWrite{size: m.Size, mtime: m.Mtime, agentWrote: wrote.UnixNano()})
	}
}
