package push

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/safefile"
)

// progressName is the name of the file in the state directory. Without it, all files are read
// and redacted again to find what the hub has of them.
const progressName = "push-progress.json"

// progress is how far a file was sent.
type progress struct {
	Generation int
	End        int64  // bytes that were sent
	Chain      []byte // archive.Chain of them
	Hash       []byte // archive.ChainState
	Read       int64  // bytes of the file that they were made of
	Edges      []byte // hash of the first and the last of these
	Size       int64  // of the file when it was sent
	ModTime    int64  // in ns
}

// progressFile is the progress of all files, in memory and in the state directory.
type progressFile struct {
	path  string // "" stores nothing
	files map[string]progress
	of    string // the hub, the device and the rules that it is valid for
	dirty bool
}

// progressContent is what is stored.
type progressContent struct {
	Of    string
	Files map[string]progress
}

// open reads what was stored for the same hub, device and rules. A damaged file is ignored: it
// only saves time.
func (p *progressFile) open(stateDir, of string) error {
	p.files, p.of = map[string]progress{}, of
	if stateDir == "" {
		return nil
	}
	p.path = filepath.Join(stateDir, progressName)
	text, err := os.ReadFile(p.path)
	if err != nil {
		return safefile.IgnoreError(err, fs.ErrNotExist)
	}
	var c progressContent
	if json.Unmarshal(text, &c) == nil && c.Of == of && c.Files != nil {
		p.files = c.Files
	}
	return nil
}

// save stores the progress if it has changed.
func (p *progressFile) save() error {
	if p.path == "" || !p.dirty {
		return nil
	}
	text, err := json.Marshal(progressContent{p.of, p.files})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
		return err
	}
	if err := safefile.ReplaceFile(p.path, text); err != nil {
		return fmt.Errorf("what was pushed cannot be noted, so the next start takes longer: %w", err)
	}
	p.dirty = false
	return nil
}

// isComplete reports whether all of a file was sent, as its size and time show.
func (p *progressFile) isComplete(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return false, err
	}
	known, ok := p.files[path]
	return ok && known.Size == info.Size() && known.ModTime == info.ModTime().UnixNano(), nil
}

func (p *progressFile) forget(path string) {
	delete(p.files, path)
	p.dirty = true
}

// resume returns how far a file was sent, unless it was rewritten since then.
func (p *progressFile) resume(path string, f io.ReaderAt, info fs.FileInfo) (known progress, ok bool, err error) {
	known, ok = p.files[path]
	if !ok || info.Size() < known.Read || len(known.Chain) != len(archive.Chain{}) || len(known.Hash) != archive.ChainStateSize {
		return known, false, nil
	}
	edges, err := safefile.HashEdges(f, known.Read)
	return known, string(edges[:]) == string(known.Edges), err
}

// put stores how far a file was sent.
func (p *progressFile) put(path string, at progress, f io.ReaderAt, info fs.FileInfo) error {
	edges, err := safefile.HashEdges(f, at.Read)
	if err != nil {
		return err
	}
	at.Edges, at.Size, at.ModTime = edges[:], info.Size(), info.ModTime().UnixNano()
	p.files[path], p.dirty = at, true
	return nil
}
