package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"sessiontree/internal/session/safefile"
)

// Dir is a Store in a directory. A generation has a tail, with its last bytes, and if it is
// long a pack, to which full segments are appended. A journal lists all generations, so that
// the list is in memory; the tails and packs are the truth.
type Dir struct {
	path string

	writeMu sync.Mutex // held by changes
	journal journal
}

var _ Store = (*Dir)(nil)

// Names in the directory of an archive.
const (
	lockName    = "lock"
	journalName = "journal"
	packsName   = "packs"
	tailSuffix  = ".tail"
	packSuffix  = ".pack"
)

// NewDir returns the archive in a directory. The directory is created by the first change.
func NewDir(path string) *Dir {
	return &Dir{path: path, journal: newJournal(filepath.Join(path, journalName))}
}

// FileID identifies a file in names.
func FileID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

// generationPath returns the path of the files of a generation, without suffix.
func (d *Dir) generationPath(id string, generation int) string {
	return filepath.Join(d.path, packsName, id[:2], id+"-"+strconv.Itoa(generation))
}

// parseTailName returns the id and the generation of the file of a tail.
func parseTailName(name string) (id string, generation int, ok bool) {
	stem, ok := strings.CutSuffix(name, tailSuffix)
	id, number, _ := strings.Cut(stem, "-")
	generation, err := strconv.Atoi(number)
	return id, generation, ok && err == nil && len(id) == 32 && generation > 0
}

// lock prevents changes by other goroutines and processes until unlock is called, and reads
// what they changed before.
func (d *Dir) lock(ctx context.Context) (unlock func(), err error) {
	if !safefile.IsSupported {
		return nil, fmt.Errorf("copies of sessions: %w on this system", errors.ErrUnsupported)
	}
	d.writeMu.Lock()
	defer func() {
		if err != nil {
			d.writeMu.Unlock()
		}
	}()
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(d.path, lockName), os.O_CREATE|os.O_RDWR|safefile.Nonblocking, 0o600)
	if err != nil {
		return nil, err
	}
	if err := safefile.AcquireLock(ctx, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := d.journal.readNew(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		_ = f.Close() // releases the lock
		d.writeMu.Unlock()
	}, nil
}

// readTail reads the tail of a generation.
func (d *Dir) readTail(id string, generation int) (*tail, error) {
	f, info, err := safefile.OpenRegular(d.generationPath(id, generation) + tailSuffix)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, info.Size())
	if err := safefile.ReadFull(f, b, 0); err != nil {
		return nil, err
	}
	t, err := decodeTail(b)
	if err != nil {
		return nil, err
	}
	if FileID(string(t.Path)) != id || t.Generation != generation {
		return nil, fmt.Errorf("tail of another generation: %w", ErrDamaged)
	}
	return t, nil
}

// writeTail replaces the tail of a generation, or creates it, durably.
func (d *Dir) writeTail(t *tail) error {
	b, err := t.encode()
	if err != nil {
		return err
	}
	path := d.generationPath(FileID(string(t.Path)), t.Generation) + tailSuffix
	if err := d.makeShard(filepath.Dir(path)); err != nil {
		return err
	}
	if err := safefile.ReplaceFile(path, b); err != nil {
		return err
	}
	t.size = int64(len(b))
	return safefile.SyncFile(path)
}

// makeShard creates a directory for packs, durably.
func (d *Dir) makeShard(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, made := range []string{dir, filepath.Dir(dir), d.path} {
		if err := safefile.SyncFile(made); err != nil {
			return err
		}
	}
	return nil
}

// headOf returns the head of a generation with that tail.
func headOf(t *tail) Head {
	chain, _ := t.chain()
	return Head{Generation: t.Generation, End: t.end(), Chain: chain, ModTime: timeOf(t.modTime()), Stored: t.PackSize + t.size}
}

// Heads implements Store.
func (d *Dir) Heads(_ context.Context, path string) ([]Head, error) {
	return d.journal.heads(path), nil
}

// ListFiles implements Store.
func (d *Dir) ListFiles(ctx context.Context, fn func(path string, heads []Head) error) error {
	for _, f := range d.journal.allFiles() {
		if err := errors.Join(ctx.Err(), fn(f.path, f.heads)); err != nil {
			return err
		}
	}
	return nil
}

// StoredBytes implements TreeStore.
func (d *Dir) StoredBytes() int64 { return d.journal.storedBytes() }

// DeleteFile implements Store.
func (d *Dir) DeleteFile(ctx context.Context, path string) error {
	return d.deleteGenerations(ctx, path, func(int) bool { return true })
}

// DeleteGeneration implements Store.
func (d *Dir) DeleteGeneration(ctx context.Context, path string, generation int) error {
	return d.deleteGenerations(ctx, path, func(g int) bool { return g == generation })
}

// deleteGenerations deletes the generations of a file that is true for.
func (d *Dir) deleteGenerations(ctx context.Context, path string, is func(generation int) bool) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return fmt.Errorf("copy of %s: %w", path, err)
	}
	defer unlock()
	id := FileID(path)
	for _, h := range d.journal.known(path) {
		if !is(h.Generation) {
			continue
		}
		if err := d.removeGeneration(id, h.Generation); err != nil {
			return fmt.Errorf("copy of %s: %w", path, err)
		}
		if err := d.journal.addRecord(record{id: id, generation: h.Generation, deleted: true}); err != nil {
			return fmt.Errorf("copy of %s: %w", path, err)
		}
	}
	return nil
}

// removeGeneration removes the files of a generation. Without a tail it does not exist.
func (d *Dir) removeGeneration(id string, generation int) error {
	base := d.generationPath(id, generation)
	for _, suffix := range []string{tailSuffix, packSuffix} {
		if err := os.Remove(base + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
