package store

import (
	"context"
	"errors"
	"maps"
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
	files map[string]KinFile
	state uint64 // counts changes
}

// KinFile is what a file holds as far as Mark.
type KinFile struct {
	Mark Mark
	Kin  session.Kin
}

func (k *kinship) get(path string) (KinFile, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.files[path]
	return f, ok
}

func (k *kinship) put(path string, f KinFile, news bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil {
		k.files = map[string]KinFile{}
	}
	k.files[path] = f
	if news {
		k.state++
	}
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
	return maps.Clone(l.kin.files), l.kin.state
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
	if l.kin.files == nil {
		l.kin.files = map[string]KinFile{}
	}
	for path, f := range files {
		if _, known := l.kin.files[path]; !known && l.Holds(path) {
			l.kin.files[path] = f
			l.kin.state++
		}
	}
}

// Join looks for the sessions in the directory that go on in this one, or this one
// in them, and takes them in. It reads files that it has not seen before; a
// session whose format knows no such thing is left as it is.
func (s *Session) Join(ctx context.Context) (Change, error) {
	s.turn.Lock()
	c, err := s.join(ctx)
	s.turn.Unlock()
	s.tell(c)
	return c, err
}

// NeedsJoin reports, the first time it is asked, whether Join has something to
// look for.
func (s *Session) NeedsJoin() bool {
	return s.Format().Kin != nil && !s.at.whole && !s.sought.Swap(true)
}

func (s *Session) join(ctx context.Context) (Change, error) {
	f := s.Format()
	if f.Kin == nil || s.at.whole {
		return s.change(Unchanged), nil
	}
	names, err := s.lib.related(ctx, s.at, f)
	if err != nil {
		return s.change(Unchanged), err
	}
	s.mu.Lock()
	fresh := slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(s.kin, name) })
	if fresh {
		s.kin = names
	}
	s.mu.Unlock()
	if !fresh {
		return s.change(Unchanged), nil
	}
	s.joined.dirs = nil // look again
	c, err := s.refreshOthers(ctx, s.change(Unchanged))
	if err != nil {
		return c, err
	}
	return s.refreshAside(c), nil
}

// related lists the names of the session files, the one at a place first, that
// hang together with it.
func (l *Library) related(ctx context.Context, at place, f *session.Format) ([]string, error) {
	dir := filepath.Join(at.dir, filepath.Dir(at.rel))
	names, err := sessionsIn(dir, f)
	if err != nil {
		return nil, at.failed(err)
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
	return component(filepath.Base(at.rel), names, files), nil
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

// component lists the files that hang together with the one called first, which
// stands first: one holds an entry that the other holds too, or names.
func component(first string, names []string, files []*session.Kin) []string {
	holder := map[uint64]int{} // the first file that holds an entry
	near := make([][]int, len(files))
	tie := func(a, b int) {
		if n := len(near[a]); a != b && (n == 0 || near[a][n-1] != b) {
			near[a], near[b] = append(near[a], b), append(near[b], a)
		}
	}
	for i, f := range files {
		if f == nil {
			continue
		}
		for _, id := range f.Own {
			if k, ok := holder[id]; ok {
				tie(i, k)
			} else {
				holder[id] = i
			}
		}
	}
	for i, f := range files {
		if f == nil {
			continue
		}
		for _, id := range f.Refs {
			if k, ok := holder[id]; ok {
				tie(i, k)
			}
		}
	}
	seen := map[int]bool{}
	todo := []int{slices.Index(names, first)}
	var out []string
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i < 0 || seen[i] {
			continue
		}
		seen[i] = true
		out = append(out, names[i])
		todo = append(todo, near[i]...)
	}
	if len(out) > 1 {
		slices.Sort(out[1:])
	}
	return out
}
