package team

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// Names in the directory of a Dir.
const (
	journalName = "team.jsonl"
	lockName    = "team.lock"
)

// record is a line of the journal: one change, which is stored as a whole or not at all.
// Values replace those of the same key.
type record struct {
	Person  *Person      `json:"person,omitempty"`
	Code    *Code        `json:"code,omitempty"`
	Login   *Login       `json:"login,omitempty"`
	Device  *Device      `json:"device,omitempty"`
	Project *Project     `json:"project,omitempty"`
	File    *File        `json:"file,omitempty"`
	Session *sessionRule `json:"session,omitempty"`
	Label   *Label       `json:"label,omitempty"`
	Event   *Event       `json:"event,omitempty"`

	RemovedLogin  *Hash  `json:"removedLogin,omitempty"`
	RemovedDevice string `json:"removedDevice,omitempty"`
}

// sessionRule is what was decided about a session.
type sessionRule struct {
	Path       string     `json:"path"`
	Visibility Visibility `json:"visibility,omitempty"`
	Deleted    bool       `json:"deleted,omitempty"`
	Person     string     `json:"person,omitempty"` // id of the owner of a deleted session
	Files      []string   `json:"files,omitempty"`  // that it had when it was deleted
}

// journal is a file of records, which several processes append to. Its methods are called
// by one goroutine at a time.
type journal struct {
	path string
	id   string         // of the file that was read: its first line, "" if none was
	off  int64          // bytes that were read
	read int            // records that were read
	seen scan.FileStamp // of the file when it was read last

	state *state
	slack int // records that may be obsolete before the file is rewritten
}

// newFirstLine returns the first line of a journal. It differs between files, as their inodes
// need not.
func newFirstLine() string { return `{"journal":"` + rand.Text() + "\"}\n" }

// firstLineLen is how long a first line is.
var firstLineLen = len(newFirstLine())

// readNew applies the records that were appended since the last call.
func (j *journal) readNew() error {
	if info, err := os.Lstat(j.path); err == nil && j.seen.Matches(info) {
		return nil
	}
	f, _, err := safefile.OpenRegular(j.path)
	if errors.Is(err, fs.ErrNotExist) && j.off == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = j.readFrom(f)
	return err
}

// readFrom reads new records from f, or all if another process has rewritten the file. It
// returns the size of f. An unfinished last line is not read: its writer has not finished, or
// was killed.
func (j *journal) readFrom(f *os.File) (size int64, err error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, safefile.ErrNotRegular
	}
	if size = info.Size(); size < int64(firstLineLen) && j.off == 0 {
		return size, nil
	}
	if err := j.readFirstLine(f); err != nil {
		return 0, err
	}
	if size < j.off {
		return 0, fmt.Errorf("%s was shortened by another program; restart to read it again", j.path)
	}
	data := make([]byte, size-j.off)
	if err := safefile.ReadFull(f, data, j.off); err != nil {
		return 0, err
	}
	for line := range bytes.Lines(data[:bytes.LastIndexByte(data, '\n')+1]) {
		r, err := parseRecord(line)
		if err != nil {
			return 0, fmt.Errorf("%s is damaged at byte %d: %w", j.path, j.off, err)
		}
		j.state.apply(&r)
		j.off += int64(len(line))
		j.read++
	}
	j.seen = scan.NewFileStamp(info)
	return size, nil
}

// readFirstLine begins again if the file is another one.
func (j *journal) readFirstLine(f io.ReaderAt) error {
	line := make([]byte, firstLineLen)
	if err := safefile.ReadFull(f, line, 0); err != nil {
		return err
	}
	if string(line) == j.id {
		return nil
	}
	if !bytes.HasPrefix(line, []byte(`{"journal":"`)) || !bytes.HasSuffix(line, []byte("\"}\n")) {
		return fmt.Errorf("%s is damaged at byte 0: it is not the list of a team", j.path)
	}
	version := j.state.version + 1
	j.id, j.off, j.read, *j.state = string(line), int64(len(line)), 0, *newState()
	j.state.version = version
	return nil
}

// parseRecord parses a line. A line that changes nothing was not written by this version;
// it may revoke something, so it is an error and not skipped.
func parseRecord(line []byte) (r record, err error) {
	if err := json.Unmarshal(line, &r); err != nil {
		return r, err
	}
	if r == (record{}) {
		return r, errors.New("unknown record, perhaps of a newer version")
	}
	return r, nil
}

// change reads what is new, and then appends the record that decide returns, if any. Other
// processes cannot change the journal meanwhile.
func (j *journal) change(ctx context.Context, decide func() (*record, error)) error {
	f, unlock, err := j.openLocked(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	size, err := j.readFrom(f)
	if err != nil {
		return err
	}
	r, err := decide()
	if err != nil || r == nil {
		return err
	}
	if err := j.appendTo(f, size, r); err != nil {
		return fmt.Errorf("%s: %w", j.path, err)
	}
	j.state.apply(r)
	if j.read++; j.read > 2*j.state.size()+j.slack {
		_ = j.rewrite() // the change is stored in any case
	}
	return nil
}

// appendTo appends a record durably to a file of that size. What a killed process left of a
// line is removed.
func (j *journal) appendTo(f *os.File, size int64, r *record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	id := j.id
	if j.off == 0 {
		id = newFirstLine()
		text = append([]byte(id), text...)
	}
	if size > j.off {
		if err := f.Truncate(j.off); err != nil {
			return err
		}
	}
	if _, err := safefile.AppendOnce(f, text, j.off); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Truncate(j.off)) // what is not durable must not look stored
	}
	j.id, j.off = id, j.off+int64(len(text))
	return nil
}

// openLocked takes the lock of the directory and opens the file. The first one creates both,
// durably.
func (j *journal) openLocked(ctx context.Context) (f *os.File, unlock func(), err error) {
	dir := filepath.Dir(j.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, err
	}
	locked, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR|safefile.Nonblocking, 0o600)
	if err != nil {
		return nil, nil, err
	}
	if err := safefile.AcquireLock(ctx, locked); err != nil {
		return nil, nil, errors.Join(err, locked.Close())
	}
	f, err = os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND|safefile.Nonblocking, 0o600)
	if err == nil && j.off == 0 {
		err = safefile.SyncFile(dir)
	}
	if err != nil {
		return nil, nil, errors.Join(err, locked.Close())
	}
	return f, func() { _ = errors.Join(f.Close(), locked.Close()) }, nil
}
