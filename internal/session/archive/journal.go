package archive

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"sessiontree/internal/session/safefile"
)

// minCompactLines is how many lines the journal has before it is rewritten because most of
// them are outdated.
const minCompactLines = 2000

// journal is the list of all generations: an append-only file, and what was read of it.
// Changes of it need the lock of the archive; reading does not.
type journal struct {
	path string

	mu    sync.RWMutex
	info  fs.FileInfo // of the file that was read, nil if none
	off   int64       // how much of it was read
	lines int
	index index
}

func newJournal(path string) journal { return journal{path: path, index: newIndex()} }

// withIndex calls fn with the current list. If the journal cannot be read, it is the last
// one that was. fn must not keep the list.
func (j *journal) withIndex(fn func(x *index)) {
	_ = j.readNew()
	j.mu.RLock()
	defer j.mu.RUnlock()
	fn(&j.index)
}

// heads returns the heads of a file.
func (j *journal) heads(path string) (heads []Head) {
	j.withIndex(func(x *index) { heads = x.headsOf(path) })
	return heads
}

// known returns the heads of a file without reading the journal, for callers that hold the
// lock.
func (j *journal) known(path string) []Head {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.index.headsOf(path)
}

// allFiles returns all stored files.
func (j *journal) allFiles() (all []storedFile) {
	j.withIndex(func(x *index) { all = x.allFiles() })
	return all
}

// storedBytes returns how many bytes all generations take.
func (j *journal) storedBytes() (n int64) {
	j.withIndex(func(x *index) { n = x.stored })
	return n
}

// readNew reads the lines that were added since the last call, or all if the file was
// replaced.
func (j *journal) readNew() error {
	info, err := os.Stat(j.path)
	j.mu.RLock()
	current := err == nil && j.covers(info)
	j.mu.RUnlock()
	if current {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	f, info, err := safefile.OpenRegular(j.path)
	if err != nil {
		return safefile.IgnoreError(err, fs.ErrNotExist)
	}
	defer f.Close()
	return j.readLines(f, info)
}

// covers reports whether all of the file was read.
func (j *journal) covers(info fs.FileInfo) bool {
	return j.info != nil && info.Size() == j.off && os.SameFile(j.info, info)
}

// readLines reads lines that were not read yet. An unfinished last line waits for its end,
// and a line that is not a record is skipped. The caller holds mu.
func (j *journal) readLines(f io.ReaderAt, info fs.FileInfo) error {
	if j.info == nil || !os.SameFile(j.info, info) || info.Size() < j.off {
		j.info, j.off, j.lines, j.index = nil, 0, 0, newIndex()
	}
	data := make([]byte, info.Size()-j.off)
	if err := safefile.ReadFull(f, data, j.off); err != nil {
		return fmt.Errorf("%s: %w", j.path, err)
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	j.info, j.off = info, j.off+int64(len(whole))
	for line := range bytes.Lines(whole) {
		j.lines++
		if r, ok := parseRecord(string(line)); ok {
			j.index.apply(r)
		}
	}
	return nil
}

// recordHead adds the head of a generation. The caller holds the lock of the archive.
func (j *journal) recordHead(path string, h Head) error {
	r := newRecord(FileID(path), "", h)
	heads := j.known(path)
	if len(heads) == 0 {
		r.path = path
	}
	for _, old := range heads {
		if old.Generation == h.Generation && old.isSame(h) {
			return nil
		}
	}
	return j.addRecord(r)
}

// isSame reports whether two heads are equal.
func (h Head) isSame(other Head) bool {
	same := h.ModTime.Equal(other.ModTime)
	h.ModTime, other.ModTime = time.Time{}, time.Time{}
	return same && h == other
}

// addRecord appends a record. It is not made durable: whatever is missing after a crash of the
// system is found by Verify. The caller holds the lock of the archive.
func (j *journal) addRecord(r record) error {
	if err := j.appendLine(r); err != nil {
		return err
	}
	if err := j.readNew(); err != nil {
		return err
	}
	return j.compactIfOutdated()
}

func (j *journal) appendLine(r record) error {
	line := r.encodeLine()
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND|safefile.Nonblocking, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); size > 0 {
		if whole, err := safefile.EndsWithNewline(f, size); err != nil {
			return err
		} else if !whole { // a crash left the last line open
			line = "\n" + line
		}
	}
	_, err = safefile.AppendOnce(f, []byte(line), info.Size())
	return err
}

// compactIfOutdated rewrites the journal if most of its lines are outdated. The caller holds
// the lock of the archive.
func (j *journal) compactIfOutdated() error {
	j.mu.RLock()
	outdated := j.lines > minCompactLines && j.lines > 2*j.index.generations
	j.mu.RUnlock()
	if !outdated {
		return nil
	}
	return j.rewrite()
}

// rewrite replaces the journal by one with a line for each generation.
func (j *journal) rewrite() error {
	var b bytes.Buffer
	for _, f := range j.allFiles() {
		for i, h := range f.heads {
			r := newRecord(FileID(f.path), "", h)
			if i == 0 {
				r.path = f.path
			}
			b.WriteString(r.encodeLine())
		}
	}
	if err := safefile.ReplaceFile(j.path, b.Bytes()); err != nil {
		return err
	}
	return j.readNew()
}
