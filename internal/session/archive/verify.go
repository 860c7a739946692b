package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session/safefile"
)

// Verify makes the list of generations agree with the files of the archive, which a crash of
// the system can prevent. It compares sizes only, and removes what nothing refers to.
func (d *Dir) Verify(ctx context.Context) error {
	if _, err := os.Stat(d.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	v := verifier{dir: d, sizes: map[string]int64{}, listed: map[string]Head{}}
	if err := v.run(ctx); err != nil {
		return fmt.Errorf("copies of sessions: %w", err)
	}
	return nil
}

// verifier compares the list with the files.
type verifier struct {
	dir    *Dir
	sizes  map[string]int64 // of tails, by name
	listed map[string]Head
	packs  []string // paths of packs
}

func (v *verifier) run(ctx context.Context) error {
	unlock, err := v.dir.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := safefile.RemoveLeftoversUnder(v.dir.path, time.Now()); err != nil {
		return err
	}
	if err := v.findFiles(); err != nil {
		return err
	}
	for _, f := range v.dir.journal.allFiles() {
		for _, h := range f.heads {
			v.listed[filepath.Base(v.dir.generationPath(FileID(f.path), h.Generation))+tailSuffix] = h
		}
	}
	for name, size := range v.sizes {
		if err := errors.Join(ctx.Err(), v.compareTail(name, size)); err != nil {
			return err
		}
	}
	for name := range v.listed {
		if err := v.dropMissing(name); err != nil {
			return err
		}
	}
	return v.removeOrphans()
}

// findFiles finds the tails and packs, with their sizes.
func (v *verifier) findFiles() error {
	err := filepath.WalkDir(filepath.Join(v.dir.path, packsName), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case tailSuffix:
			v.sizes[e.Name()] += info.Size()
		case packSuffix:
			v.packs = append(v.packs, path)
			v.sizes[tailNameOf(path)] += info.Size()
		}
		return nil
	})
	return safefile.IgnoreError(err, fs.ErrNotExist)
}

// tailNameOf returns the name of the tail that a pack belongs to.
func tailNameOf(pack string) string {
	base := filepath.Base(pack)
	return base[:len(base)-len(packSuffix)] + tailSuffix
}

// compareTail lists a generation again unless its files have the listed size.
func (v *verifier) compareTail(name string, size int64) error {
	h, ok := v.listed[name]
	if ok && h.Stored == size {
		return nil
	}
	id, generation, valid := parseTailName(name)
	if !valid {
		return nil
	}
	t, err := v.dir.readTail(id, generation)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		return nil // a pack without a tail, or reading reports it
	}
	if err != nil {
		return err
	}
	return v.dir.journal.recordHead(string(t.Path), headOf(t))
}

// dropMissing removes a generation from the list if its tail is missing.
func (v *verifier) dropMissing(name string) error {
	id, generation, _ := parseTailName(name)
	if _, err := os.Lstat(v.dir.generationPath(id, generation) + tailSuffix); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return v.dir.journal.addRecord(record{id: id, generation: generation, deleted: true})
}

// removeOrphans removes packs without a tail, which a deletion left that was killed.
func (v *verifier) removeOrphans() error {
	for _, pack := range v.packs {
		tail := filepath.Join(filepath.Dir(pack), tailNameOf(pack))
		if _, err := os.Lstat(tail); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.Remove(pack); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
