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

// record is what is kept of a share.
type record struct {
	Share
	Token sum    `json:"token"` // SHA-256
	File  string `json:"file"`  // base name of the snapshot
	// Format and Session name what is kept of the snapshot outside of its file.
	Format  string      `json:"format"`
	Session string      `json:"session"`
	Part    export.Part `json:"part"`
	// Copied is what of the session stands in the snapshot, of a live share.
	Copied store.Copied `json:"copied,omitzero"`
	// Written is how much was replaced in the snapshot alone, and not beside it.
	Written []export.Count `json:"written,omitempty"`
}

// counted takes in how much was replaced in the snapshot and beside it.
func (r *record) counted(written, beside []export.Count) {
	r.Written, r.Redacted = written, added(written, beside)
}

// options are those with which the snapshot is made, the same each time. Names are
// hidden unless the share shows them; the record does not keep them.
func (r *record) options(redactor export.Redactor, names export.Names) export.Options {
	o := export.Options{Part: r.Part, As: export.JSONL, Without: r.Without, Redactor: redactor, Classes: r.Classes, Beside: true, Origin: r.origin()}
	if !r.Names {
		o.HideNames(names)
	}
	return o
}

// origin is what the snapshot tells of its making: the same each time it is made.
func (r *record) origin() store.Origin {
	return store.Origin{Seed: r.ID, Made: r.Created, Untold: true}
}

// kept is a share in memory. Its record is replaced, never changed.
type kept struct {
	turn  sync.Mutex // whoever changes the share has it
	epoch uint64     // of the session, in which the snapshot was only added to; 0 unknown

	rec  record // guarded by Shares.mu
	info fs.FileInfo
}

func (s *Shares) path(id string, name ...string) string {
	return filepath.Join(append([]string{s.dir, id}, name...)...)
}

func (s *Shares) snapshot(r *record) string { return s.path(r.ID, r.File) }

// scan takes in what was changed in the directory, here or by another process.
func (s *Shares) scan() error {
	dirs, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("shares: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[string]bool, len(dirs))
	for _, d := range dirs {
		if isID(d.Name()) && d.IsDir() && s.read(d.Name()) {
			seen[d.Name()] = true
		}
	}
	for id := range s.all {
		if !seen[id] {
			delete(s.all, id)
		}
	}
	return nil
}

// read takes in one record, if it changed. The caller has mu.
func (s *Shares) read(id string) (there bool) {
	path := s.path(id, recordName)
	info, err := os.Lstat(path)
	k := s.all[id]
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false // not made yet, or forgotten
	case err == nil && k != nil && k.info != nil && unchanged(k.info, info):
		return true
	}
	var r record
	if err == nil {
		r, info, err = load(path)
	}
	if err == nil && (r.ID != id || r.File != filepath.Base(r.File)) {
		err = errors.New("it is of another share")
	}
	if err != nil {
		s.log.Warn("a share's record cannot be read", "share", id, "error", err)
		if k == nil { // there is something all the same, and its owner has to know
			var bad record
			bad.ID, bad.Damage = id, "its record cannot be read"
			s.all[id] = &kept{rec: bad}
		}
		return true
	}
	if k == nil {
		k = &kept{}
		s.all[id] = k
	}
	k.rec, k.info = r, info
	return true
}

// unchanged: a record is never written in place, so it is another file when it
// changed.
func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// load reads a record, and says what the file is that it stood in.
func load(path string) (r record, info fs.FileInfo, err error) {
	f, info, err := store.OpenRegular(path)
	if err != nil {
		return r, nil, err
	}
	defer f.Close()
	return r, info, json.NewDecoder(f).Decode(&r)
}

// save writes a record whole or not at all. The caller has the share's turn.
func (s *Shares) save(k *kept, r record, durable bool) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	dir := s.path(r.ID)
	path := filepath.Join(dir, recordName)
	if err := replace(dir, path, append(text, '\n'), durable); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k.rec = r
	k.info, err = os.Lstat(path)
	s.all[r.ID] = k
	return err
}

// replace puts a file in the place of another.
func replace(dir, path string, text []byte, durable bool) error {
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
