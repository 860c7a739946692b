package team

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

	"sessiontree/internal/session/safefile"
)

// journalName is the name of the file in the directory of a Dir.
const journalName = "team.jsonl"

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
	Event   *Event       `json:"event,omitempty"`

	RemovedLogin  *Hash  `json:"removedLogin,omitempty"`
	RemovedDevice string `json:"removedDevice,omitempty"`
}

// sessionRule is what was decided about a session.
type sessionRule struct {
	Path       string     `json:"path"`
	Visibility Visibility `json:"visibility,omitempty"`
	Deleted    bool       `json:"deleted,omitempty"`
	Files      []string   `json:"files,omitempty"` // that it had when it was deleted
}

// journal is a file of records, which several processes append to. Its methods are called
// by one goroutine at a time.
type journal struct {
	path string
	info fs.FileInfo // of the file that was read, nil if none was
	off  int64       // bytes that were read
}

// readNew calls apply for the records that were appended since the last call.
func (j *journal) readNew(apply func(*record)) error {
	f, info, err := safefile.OpenRegular(j.path)
	if errors.Is(err, fs.ErrNotExist) && j.info == nil {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return j.readFrom(f, info, apply)
}

// readFrom reads new records from f. An unfinished last line is not read: its writer has
// not finished, or was killed.
func (j *journal) readFrom(f io.ReaderAt, info fs.FileInfo, apply func(*record)) error {
	if j.info != nil && (!os.SameFile(j.info, info) || info.Size() < j.off) {
		return fmt.Errorf("%s was replaced or shortened by another program; restart to read it again", j.path)
	}
	data := make([]byte, info.Size()-j.off)
	if err := safefile.ReadFull(f, data, j.off); err != nil {
		return err
	}
	j.info = info
	for line := range bytes.Lines(data[:bytes.LastIndexByte(data, '\n')+1]) {
		r, err := parseRecord(line)
		if err != nil {
			return fmt.Errorf("%s is damaged at byte %d: %w", j.path, j.off, err)
		}
		apply(&r)
		j.off += int64(len(line))
	}
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
func (j *journal) change(ctx context.Context, apply func(*record), decide func() (*record, error)) error {
	f, info, err := j.openLocked(ctx)
	if err != nil {
		return err
	}
	defer f.Close() // releases the lock
	if err := j.readFrom(f, info, apply); err != nil {
		return err
	}
	r, err := decide()
	if err != nil || r == nil {
		return err
	}
	if err := j.appendTo(f, info, r); err != nil {
		return fmt.Errorf("%s: %w", j.path, err)
	}
	apply(r)
	return nil
}

// appendTo appends a record durably. What a killed process left of a line is removed.
func (j *journal) appendTo(f *os.File, info fs.FileInfo, r *record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if info.Size() > j.off {
		if err := f.Truncate(j.off); err != nil {
			return err
		}
	}
	text = append(text, '\n')
	if _, err := safefile.AppendOnce(f, text, j.off); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Truncate(j.off)) // what is not durable must not look stored
	}
	j.off += int64(len(text))
	return nil
}

// openLocked opens the file and takes its lock. The first one creates it, durably.
func (j *journal) openLocked(ctx context.Context) (*os.File, fs.FileInfo, error) {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o700); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND|safefile.Nonblocking, 0o600)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = safefile.ErrNotRegular
	}
	if err == nil {
		err = safefile.AcquireLock(ctx, f)
	}
	if err == nil {
		info, err = f.Stat()
	}
	if err == nil && info.Size() == 0 {
		err = safefile.SyncFile(filepath.Dir(j.path))
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}
