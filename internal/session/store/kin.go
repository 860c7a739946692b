package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// kinship remembers of session files which entries they hold and name, so that
// the sessions that go on in one another are found without reading a directory
// twice.
type kinship struct {
	mu    sync.Mutex
	dirs  map[string]map[string]KinFile // by directory and name
	state uint64                        // counts changes
}

// KinFile is what a file holds as far as Mark.
type KinFile struct {
	Mark Mark
	Kin  session.Kin
}

func (k *kinship) get(path string) (KinFile, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.dirs[filepath.Dir(path)][filepath.Base(path)]
	return f, ok
}

func (k *kinship) put(path string, f KinFile, news bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.set(path, f)
	if news {
		k.state++
	}
}

// set needs the lock.
func (k *kinship) set(path string, f KinFile) {
	dir := filepath.Dir(path)
	if k.dirs == nil {
		k.dirs = map[string]map[string]KinFile{}
	}
	if k.dirs[dir] == nil {
		k.dirs[dir] = map[string]KinFile{}
	}
	k.dirs[dir][filepath.Base(path)] = f
}

// grew takes in what was added to a file since it was read as far as a mark.
func (k *kinship) grew(path string, since Mark, added session.Kin, now Mark) {
	if f, ok := k.get(path); ok && f.Mark.Off == since.Off {
		k.put(path, KinFile{now, f.Kin.With(added)}, true)
	}
}

// seen takes in that a file is as it was.
func (k *kinship) seen(path string, mark Mark) {
	if f, ok := k.get(path); ok && f.Mark.Off == mark.Off {
		k.put(path, KinFile{mark, f.Kin}, false)
	}
}

// Kin answers what is known of files by their paths, for a later run, and the state
// of it.
func (l *Library) Kin() (files map[string]KinFile, state uint64) {
	l.kin.mu.Lock()
	defer l.kin.mu.Unlock()
	files = map[string]KinFile{}
	for dir, names := range l.kin.dirs {
		for name, f := range names {
			files[filepath.Join(dir, name)] = f
		}
	}
	return files, l.kin.state
}

// KinState changes whenever more is known of files.
func (l *Library) KinState() uint64 {
	l.kin.mu.Lock()
	defer l.kin.mu.Unlock()
	return l.kin.state
}

// AdoptKin takes over what an earlier run knew of files. Each is checked against
// its file when it is used.
func (l *Library) AdoptKin(files map[string]KinFile) {
	l.kin.mu.Lock()
	defer l.kin.mu.Unlock()
	for path, f := range files {
		if _, known := l.kin.dirs[filepath.Dir(path)][filepath.Base(path)]; !known && l.Holds(path) {
			l.kin.set(path, f)
			l.kin.state++
		}
	}
}

// related lists the names of the session files, the one at a place first, that
// hang together with it.
func (l *Library) related(ctx context.Context, at place, f *session.Format) ([]string, error) {
	dir := filepath.Join(at.dir, filepath.Dir(at.rel))
	names, err := sessionsIn(dir, f)
	if err != nil {
		return nil, at.failed(err)
	}
	if own := filepath.Base(at.rel); !slices.Contains(names, own) {
		return []string{own}, nil // an agent's file whose session is gone
	}
	files := make([]*session.Kin, len(names))
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		g.Go(func() (err error) {
			files[i], err = l.kinOf(running, beside(at, name), f)
			if running.Err() == nil {
				return nil // one that cannot be read is related to none
			}
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return connected(filepath.Base(at.rel), names, files), nil
}

// sessionsIn lists the files of a directory that are sessions of their own.
func sessionsIn(dir string, f *session.Format) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && isSession(e.Name()) && (f.Part == nil || !f.Part(e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// kinOf reads which entries a file holds and names: only what was added since it
// was read last.
func (l *Library) kinOf(ctx context.Context, at place, format *session.Format) (*session.Kin, error) {
	if old, ok := l.kin.get(at.path); ok {
		if old.Mark.still(at.path) {
			return &old.Kin, nil
		}
		_, ok, err := l.Added(ctx, at.path, old.Mark)
		switch {
		case err != nil:
			return nil, err
		case ok:
			now, _ := l.kin.get(at.path)
			return &now.Kin, nil
		}
	}
	f, info, err := at.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if own, err := l.sniff(f, at.path); err != nil || own != format {
		return nil, err
	}
	r := l.newReading(format, at.path)
	if err := r.part(ctx, f, info.Size()); err != nil {
		return nil, at.failed(err)
	}
	k := KinFile{newMark(r, info), format.Kin(r.entries)}
	l.kin.put(at.path, k, true)
	return &k.Kin, nil
}
