package visits

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/safefile"
)

// record is a line of the file: it changes the state of a session.
type record struct {
	Format  string `json:"format"`
	Session string `json:"session"`
	Star    *bool  `json:"star,omitempty"`
	Seen    *Seen  `json:"seen,omitempty"` // a visit, which also makes the session read
	Unread  bool   `json:"unread,omitempty"`
}

func (r record) apply(s State) State {
	if r.Star != nil {
		s.Starred = *r.Star
	}
	if r.Seen != nil {
		s.Seen, s.Unread = r.Seen, false
	}
	s.Unread = s.Unread || r.Unread
	return s
}

// minCompactSize is the size from which the file is rewritten if most of its lines are
// outdated.
const minCompactSize = 256 << 10

// bytesPerState is more than a line usually takes.
const bytesPerState = 160

// readMark is what was read of the file: the file itself, and how many bytes.
type readMark struct {
	info fs.FileInfo
	off  int64
}

// readNew reads the lines that were appended to the file, or all of it if it was replaced.
// The caller holds the lock.
func (s *Store) readNew() error {
	if s.path == "" {
		return nil
	}
	if info, err := os.Stat(s.path); err == nil && s.read.covers(info) {
		return nil
	}
	f, info, err := safefile.OpenRegular(s.path)
	if err != nil {
		return safefile.IgnoreError(err, fs.ErrNotExist)
	}
	defer f.Close()
	return s.readFile(f, info)
}

// covers reports whether all of the file was read.
func (m readMark) covers(info fs.FileInfo) bool {
	return m.info != nil && os.SameFile(m.info, info) && m.off == info.Size()
}

// readFile reads the lines of f that were not read yet. An unfinished last line waits for
// its end, and a line that is not a record is skipped.
func (s *Store) readFile(f io.ReaderAt, info fs.FileInfo) error {
	if s.read.info == nil || !os.SameFile(s.read.info, info) || info.Size() < s.read.off {
		s.read, s.states = readMark{}, Snapshot{}
	}
	data := make([]byte, info.Size()-s.read.off)
	if err := safefile.ReadFull(f, data, s.read.off); err != nil {
		return err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	s.read = readMark{info: info, off: s.read.off + int64(len(whole))}
	var records []record
	for line := range bytes.Lines(whole) {
		var r record
		if json.Unmarshal(line, &r) == nil && r.Session != "" {
			records = append(records, r)
		}
	}
	s.applyRecords(records)
	return nil
}

// appendToFile appends records under the lock of the file. The caller holds the lock of the
// Store.
func (s *Store) appendToFile(ctx context.Context, durable bool, records []record) error {
	f, info, err := s.openLocked(ctx)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.readFile(f, info); err != nil {
		return err
	}
	if size := info.Size(); size > minCompactSize && size > 4*bytesPerState*int64(len(s.states)) {
		s.applyRecords(records)
		return s.compactFile()
	}
	text, err := jsonl.EncodeLines(records)
	if err != nil {
		return err
	}
	if s.read.off < info.Size() { // a crash left the last line open
		text = append([]byte{'\n'}, text...)
	}
	if _, err := safefile.AppendOnce(f, text, info.Size()); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	if !durable {
		return nil
	}
	if err := f.Sync(); err != nil {
		return safefile.NewUnconfirmedError(s.path, "the change was written", err)
	}
	return nil
}

// openLocked opens the file, creates it if necessary, and takes its lock. Another process
// may have replaced the file meanwhile; then the new one is locked.
func (s *Store) openLocked(ctx context.Context) (*os.File, fs.FileInfo, error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return nil, nil, err
	}
	for {
		f, err := os.OpenFile(s.path, os.O_CREATE|os.O_RDWR|os.O_APPEND|safefile.Nonblocking, 0o600)
		if err != nil {
			return nil, nil, err
		}
		info, err := lockFile(ctx, f)
		if err != nil {
			return nil, nil, errors.Join(err, f.Close())
		}
		if now, err := os.Stat(s.path); err == nil && os.SameFile(now, info) {
			return f, info, nil
		}
		if err := errors.Join(f.Close(), ctx.Err()); err != nil {
			return nil, nil, err
		}
	}
}

// lockFile takes the lock of a regular file and returns its state.
func lockFile(ctx context.Context, f *os.File) (fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, safefile.ErrNotRegular
	}
	if err := safefile.AcquireLock(ctx, f); err != nil {
		return nil, err
	}
	return f.Stat()
}

// compactFile replaces the file by one with a line for each session. The caller holds the
// locks.
func (s *Store) compactFile() error {
	var records []record
	for k, state := range s.states {
		r := record{Format: k.Format, Session: k.Session, Seen: state.Seen, Unread: state.Unread}
		if state.Starred {
			r.Star = &state.Starred
		}
		records = append(records, r)
	}
	text, err := jsonl.EncodeLines(records)
	if err != nil {
		return err
	}
	return safefile.ReplaceFile(s.path, text)
}
