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
	"sessiontree/internal/session/store"
)

// Names in the directory of a share, beside its snapshot.
const (
	recordName = "share.json"
	visitsName = "visits" // a byte for each
	tempPrefix = ".new-"  // of what is not written yet
)

// shareRecord is what is kept of a share.
type shareRecord struct {
	Share
	Token tokenHash `json:"token"` // SHA-256
	File  string    `json:"file"`  // base name of the snapshot
	// Format and Session name what is kept of the snapshot outside of its file.
	Format  string      `json:"format"`
	Session string      `json:"session"`
	Part    export.Part `json:"part"`
	// Copied is what of the session stands in the snapshot, of a live share.
	Copied store.CopiedState `json:"copied,omitzero"`
	// SnapshotRedacted is how much was replaced in the snapshot alone, and not beside it.
	SnapshotRedacted []export.Count `json:"written,omitempty"`
}

// setRedacted takes in how much was replaced in the snapshot and beside it.
func (r *shareRecord) setRedacted(written, beside []export.Count) {
	r.SnapshotRedacted, r.Redacted = written, addCounts(written, beside)
}

// exportOptions are those with which the snapshot is made, the same each time. Names are
// hidden unless the share shows them; the record does not keep them.
func (r *shareRecord) exportOptions(redactor export.Redactor, names export.Names) export.Options {
	o := export.Options{Part: r.Part, Kind: export.JSONL, Omit: r.Without, Redactor: redactor, Classes: r.Classes, SidecarAnnotations: true, Origin: r.exportOrigin()}
	if !r.ShowNames {
		o.HideNames(names)
	}
	return o
}

// exportOrigin is what the snapshot tells of its making: the same each time it is made.
func (r *shareRecord) exportOrigin() store.Origin {
	return store.Origin{Seed: r.ID, Made: r.Created, OmitSource: true}
}

// cachedShare is a share in memory. Its record is replaced, never changed.
type cachedShare struct {
	updateMu sync.Mutex // whoever changes the share has it
	epoch    uint64     // of the session, in which the snapshot was only added to; 0 unknown

	record shareRecord // guarded by Shares.mu
	info   fs.FileInfo
}

func (s *Shares) sharePath(id string, name ...string) string {
	return filepath.Join(append([]string{s.dir, id}, name...)...)
}

func (s *Shares) snapshotPath(r *shareRecord) string { return s.sharePath(r.ID, r.File) }

// refreshRecords takes in what was changed in the directory, here or by another process.
func (s *Shares) refreshRecords() error {
	dirs, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("shares: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
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

// refreshRecord takes in one record, if it changed. The caller has mu.
func (s *Shares) refreshRecord(id string) (there bool) {
	path := s.sharePath(id, recordName)
	info, err := os.Lstat(path)
	k := s.byID[id]
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false // not made yet, or forgotten
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
		if k == nil { // there is something all the same, and its owner has to know
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

// sameFileInfo: a record is never written in place, so it is another file when it
// changed.
func sameFileInfo(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// readRecord reads a record, and says what the file is that it stood in.
func readRecord(path string) (r shareRecord, info fs.FileInfo, err error) {
	f, info, err := store.OpenRegular(path)
	if err != nil {
		return r, nil, err
	}
	defer f.Close()
	return r, info, json.NewDecoder(f).Decode(&r)
}

// saveRecord writes a record whole or not at all. The caller has the share's turn.
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

// replaceFile puts a file in the place of another.
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
