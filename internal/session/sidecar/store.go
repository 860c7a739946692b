// Package sidecar stores annotations of sessions outside the session files: one append-only
// file per session in the state directory.
package sidecar

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/safefile"
)

// Store is the directory of the sidecars. It is safe for concurrent use. A nil Store has
// no annotations.
type Store struct {
	dir    string
	shared Shared

	mu         sync.Mutex
	dirModTime time.Time // of the directory, when names was read
	names      map[string]*cachedFile
	isListed   bool // names was read, or there is no directory
}

// cachedFile is a sidecar as it was last read.
type cachedFile struct {
	stamp       fileStamp
	annotations session.Annotations
	damage      string
}

// fileStamp identifies a state of a file.
type fileStamp struct {
	size  int64
	mtime time.Time
}

// Record is one line of a sidecar: a label, a name, or that the labels before it
// were moved to the session's file.
type Record struct {
	Format  string  `json:"format"`
	Session string  `json:"session"`
	Time    int64   `json:"time"`            // ms
	Entry   string  `json:"entry,omitempty"` // id
	Ordinal int     `json:"ordinal"`         // position of the entry among all, from 0
	Print   string  `json:"print,omitempty"` // hash of its line, ids excluded
	Label   *string `json:"label,omitempty"`
	Name    *string `json:"name,omitempty"`
	Over    string  `json:"over,omitempty"` // the name in the file at that time
	Moved   bool    `json:"moved,omitempty"`
}

// NewStore returns the sidecars in a state directory.
func NewStore(state string) *Store {
	return &Store{dir: filepath.Join(state, "sidecar"), names: map[string]*cachedFile{}}
}

// Shared is how several people use the same sidecars.
type Shared struct {
	// ScopeOf returns the scope of a session by the path of one of its files: sessions with the same
	// id have the same sidecar only in the same scope.
	ScopeOf func(path string) string
	// Write stores a record about the session with a file at path, and writes it to the sidecar.
	Write func(ctx context.Context, path string, r Record) error
}

// NewSharedStore returns the sidecars in a directory that others write to as well.
func NewSharedStore(dir string, s Shared) *Store {
	return &Store{dir: dir, shared: s, names: map[string]*cachedFile{}}
}

// FileName returns the file name of the sidecar of a session. scope is "" unless the sidecars are
// Shared.
func FileName(format, id, scope string) string {
	text := format + "\x00" + id
	if scope != "" {
		text += "\x00" + scope
	}
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:16]) + ".jsonl"
}

// name returns the file name of the sidecar of a session with a file at path.
func (d *Store) name(format, id, path string) string {
	scope := ""
	if d.shared.ScopeOf != nil {
		scope = d.shared.ScopeOf(path)
	}
	return FileName(format, id, scope)
}

// Path returns the path of the sidecar of a session with a file at path, whether it exists or not.
func (d *Store) Path(format, id, path string) string {
	return filepath.Join(d.dir, d.name(format, id, path))
}

// Write writes a record about the session with a file at path. With ErrUnconfirmed it was written.
func (d *Store) Write(ctx context.Context, path string, r Record) error {
	if d.shared.Write != nil {
		return d.shared.Write(ctx, path, r)
	}
	return d.AppendRecords(ctx, d.Path(r.Format, r.Session, path), r)
}

// statFile returns the stamp of a sidecar, zero if there is none.
func (d *Store) statFile(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.Size(), info.ModTime()}
}

// ReadRecords returns all records of a sidecar, and the number of invalid lines.
func (d *Store) ReadRecords(path string) (all []Record, bad int, err error) {
	f, _, err := safefile.OpenRegular(path)
	if err != nil {
		return nil, 0, safefile.IgnoreError(err, fs.ErrNotExist)
	}
	defer f.Close()
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		var rec Record
		if json.Unmarshal(line, &rec) == nil && rec.Session != "" {
			all = append(all, rec)
		} else if len(bytes.TrimSpace(line)) > 0 {
			bad++
		}
		if err == io.EOF {
			return all, bad, nil
		}
		if err != nil {
			return all, bad, err
		}
	}
}

// AppendRecords appends records to a sidecar under its lock. It updates the directory's
// time, by which other processes notice the change. With ErrUnconfirmed they were appended.
func (d *Store) AppendRecords(ctx context.Context, path string, records ...Record) error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return fmt.Errorf("state directory: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	defer f.Close()
	if err := safefile.AcquireLock(ctx, f); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	text, err := encodeRecords(f, info.Size(), records)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if _, err = safefile.AppendOnce(f, text, info.Size()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	now := time.Now()
	if err = errors.Join(f.Sync(), os.Chtimes(d.dir, now, now)); err != nil {
		return safefile.NewUnconfirmedError(path, "the change was written", err)
	}
	return nil
}

// encodeRecords returns the lines of records, after a newline if a crash left the last
// line open.
func encodeRecords(f io.ReaderAt, size int64, records []Record) ([]byte, error) {
	text, err := jsonl.EncodeLines(records)
	if err != nil || size == 0 {
		return text, err
	}
	whole, err := safefile.EndsWithNewline(f, size)
	if err == nil && !whole {
		text = append([]byte{'\n'}, text...)
	}
	return text, err
}

// EffectiveRecords returns the last label record of each entry since the labels were
// moved to the file, in the order of the first ones, and the last name record.
func EffectiveRecords(all []Record) (labels []Record, name *Record) {
	index := map[string]int{}
	for i, r := range all {
		switch at, known := index[r.Entry]; {
		case r.Moved:
			labels, index = nil, map[string]int{}
		case r.Name != nil:
			name = &all[i]
		case r.Label != nil && known:
			labels[at] = r
		case r.Label != nil:
			index[r.Entry] = len(labels)
			labels = append(labels, r)
		}
	}
	if name != nil && *name.Name == "" {
		name = nil
	}
	return labels, name
}

// newNameAnnotation returns the annotation of a name record.
func newNameAnnotation(r *Record) *session.NameAnnotation {
	if r == nil {
		return nil
	}
	return &session.NameAnnotation{Text: *r.Name, Over: r.Over}
}
