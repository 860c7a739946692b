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
	files map[string]*kinFile
}

// kinFile is what a file of that size and time holds.
type kinFile struct {
	size, mtime int64
	kin         session.Kin
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

// kinOf reads which entries a file holds and names.
func (l *Library) kinOf(ctx context.Context, at place, format *session.Format) (*session.Kin, error) {
	f, info, err := at.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l.kin.mu.Lock()
	old := l.kin.files[at.path]
	l.kin.mu.Unlock()
	if old != nil && old.size == info.Size() && old.mtime == info.ModTime().UnixNano() {
		return &old.kin, nil
	}
	if own, err := l.sniff(f, at.path); err != nil || own != format {
		return nil, err
	}
	r := l.newReading(format, at.path)
	if err := r.part(ctx, f, info.Size()); err != nil {
		return nil, at.failed(err)
	}
	k := &kinFile{info.Size(), info.ModTime().UnixNano(), format.Kin(r.entries)}
	l.kin.mu.Lock()
	defer l.kin.mu.Unlock()
	if l.kin.files == nil {
		l.kin.files = map[string]*kinFile{}
	}
	l.kin.files[at.path] = k
	return &k.kin, nil
}

// component lists the files that hang together with the one called first, which
// stands first: one holds an entry that the other holds too, or names.
func component(first string, names []string, files []*session.Kin) []string {
	holders := map[uint64][]int{} // files by the entries they hold
	for i, f := range files {
		if f != nil {
			for _, id := range f.Own {
				holders[id] = append(holders[id], i)
			}
		}
	}
	near := make([][]int, len(files))
	tie := func(a, b int) {
		if a != b {
			near[a], near[b] = append(near[a], b), append(near[b], a)
		}
	}
	for _, in := range holders {
		for _, i := range in[1:] {
			tie(in[0], i)
		}
	}
	for i, f := range files {
		if f != nil {
			for _, id := range f.Refs {
				for _, k := range holders[id] {
					tie(i, k)
				}
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
