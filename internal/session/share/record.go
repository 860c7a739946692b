package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/safefile"
)

// Names in the directory of a share, next to its snapshot.
const (
	recordName = "share.json"
	visitsName = "visits" // one byte per visit
	tempPrefix = ".new-"  // of temporary files
)

// shareRecord is the stored data of a share.
type shareRecord struct {
	Share
	Token tokenHash `json:"token"` // SHA-256
	File  string    `json:"file"`  // base name of the snapshot
	// Format and Session identify the snapshot's sidecar.
	Format  string      `json:"format"`
	Session string      `json:"session"`
	Part    export.Part `json:"part"`
	// Copied describes which lines of the session a live share's snapshot contains.
	Copied export.CopiedState `json:"copied,omitzero"`
	// SnapshotRedacted counts the values replaced in the snapshot without its sidecar.
	SnapshotRedacted []export.Count `json:"written,omitempty"`
}

// setRedacted records the values replaced in the snapshot and in the sidecar.
func (r *shareRecord) setRedacted(written, beside []export.Count) {
	r.SnapshotRedacted, r.Redacted = written, addCounts(written, beside)
}

// exportOptions returns the options for writing the snapshot, the same each time. It
// hides names unless the share shows them. The record does not contain names.
func (r *shareRecord) exportOptions(redactor export.Redactor, names export.Names) export.Options {
	o := export.Options{Part: r.Part, Kind: export.JSONL, Omit: r.Without, Redactor: redactor, Classes: r.Classes, SidecarAnnotations: true, Origin: r.exportOrigin()}
	if !r.ShowNames {
		o.HideNames(names)
	}
	return o
}

// exportOrigin returns the origin that the snapshot records, the same each time.
func (r *shareRecord) exportOrigin() export.Origin {
	return export.Origin{Seed: r.ID, Made: r.Created, OmitSource: true}
}

// cachedShare is a share in memory. Its record is replaced, never modified.
type cachedShare struct {
	updateMu sync.Mutex // held while the share is changed
	epoch    uint64     // the session's epoch, in which the snapshot was only appended to; 0 if unknown

	record shareRecord // guarded by Shares.mu
	info   fs.FileInfo
}

func (s *Shares) sharePath(id string, name ...string) string {
	return filepath.Join(append([]string{s.dir, id}, name...)...)
}

func (s *Shares) snapshotPath(r *shareRecord) string { return s.sharePath(r.ID, r.File) }

// refreshRecords reads the records that changed in the directory.
func (s *Shares) refreshRecords() error {
	s.mu.Lock()
	defer s.mu.Unlock() // with the lock: an older list than that of another goroutine would lack a new share
	dirs, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("shares: %w", err)
	}
	seen := make(map[string]bool, len(dirs))
	for _, d := range dirs {
		if isShareID(d.Name()) && d.IsDir() && s.refreshRecord(d.Name()) {
			seen[d.Name()] = true
		}
	}
	for id := range s.byID {
		if !seen[id] {
			delete(s.byID, id)
		}
	}
	return nil
}

// refreshRecord reads one record if its file changed. The caller holds mu.
func (s *Shares) refreshRecord(id string) (there bool) {
	path := s.sharePath(id, recordName)
	info, err := os.Lstat(path)
	k := s.byID[id]
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false // not created yet, or deleted
	case err == nil && k != nil && k.info != nil && sameFileInfo(k.info, info):
		return true
	}
	var r shareRecord
	if err == nil {
		r, info, err = readRecord(path)
	}
	if err == nil && (r.ID != id || r.File != filepath.Base(r.File)) {
		err = errors.New("it belongs to another share")
	}
	if err != nil {
		s.log.Warn("a share's record cannot be read", "share", id, "error", err)
		if k == nil { // the owner must see that the share exists
			var bad shareRecord
			bad.ID, bad.Damage = id, "its record cannot be read"
			s.byID[id] = &cachedShare{record: bad}
		}
		return true
	}
	if k == nil {
		k = &cachedShare{}
		s.byID[id] = k
	}
	k.record, k.info = r, info
	return true
}

// sameFileInfo reports whether a record is unchanged. Records are never written in
// place, so a changed record is another file.
func sameFileInfo(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// readRecord reads a record and returns the file's information.
func readRecord(path string) (r shareRecord, info fs.FileInfo, err error) {
	f, info, err := safefile.OpenRegular(path)
	if err != nil {
		return r, nil, err
	}
	defer f.Close()
	return r, info, json.NewDecoder(f).Decode(&r)
}

// saveRecord writes a record atomically. The caller holds the share's updateMu.
func (s *Shares) saveRecord(k *cachedShare, r shareRecord, durable bool) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	dir := s.sharePath(r.ID)
	path := filepath.Join(dir, recordName)
	if err := replaceFile(dir, path, append(text, '\n'), durable); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k.record = r
	k.info, err = os.Lstat(path)
	s.byID[r.ID] = k
	return err
}

// replaceFile replaces a file atomically.
func replaceFile(dir, path string, text []byte, durable bool) error {
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && durable {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if !durable {
		return nil
	}
	return syncDir(dir)
}
