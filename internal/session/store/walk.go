package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is one session file found under a root.
type File struct {
	Path  string // absolute
	Root  string // the root it is in
	Size  int64
	Mtime int64 // ns
	Err   error // why it cannot be read, or nil

	info fs.FileInfo // nil when it cannot be read
}

// Unchanged reports whether nothing happened to the file since a mark of it was made,
// without opening it. It may report false although nothing did.
func (f File) Unchanged(m Mark) bool { return f.info != nil && m.unchanged(f.info) }

// Walk calls fn for every session file under every root, sub-directories
// included; dot files and files not ending in .jsonl are passed by. fn must not
// walk.
func (l *Library) Walk(ctx context.Context, fn func(File)) error {
	w := l.walker(ctx)
	w.file = fn
	return w.run()
}

// Dirs visits the directories to watch, each before it is read. A root that does not
// exist is visited too: it is waited for. visit must not walk.
func (l *Library) Dirs(ctx context.Context, visit func(dir string)) {
	w := l.walker(ctx)
	w.dir = visit
	_ = w.run() // only a context ends it early
}

// DirsUnder visits the directories to watch at or below a path, each before it is
// read. visit must not walk.
func (l *Library) DirsUnder(ctx context.Context, path string, visit func(dir string)) {
	w := l.walker(ctx)
	w.dir = visit
	_, _ = w.under(path) // outside the roots is nothing to watch
}

// Under calls fn for the session files at or below path, which must lie in a
// root. It answers the canonical paths whose files are all told by that: path
// itself, and what a link at path led to while it was there. fn must not walk.
func (l *Library) Under(ctx context.Context, path string, fn func(File)) ([]string, error) {
	w := l.walker(ctx)
	w.file = fn
	return w.under(path)
}

// under visits what lies at and below a path, as Under says.
func (w *walker) under(path string) ([]string, error) {
	at, err := w.lib.locate(path)
	if err != nil {
		return nil, err
	}
	defer w.lib.lockLinks()()
	told := append(w.lib.unlink(at.path), at.path)
	if err := w.walk(at); err != nil {
		return nil, err
	}
	return told, w.followed()
}

// lockLinks lets one walk at a time find links, and none wait where links are not
// followed.
func (l *Library) lockLinks() (unlock func()) {
	if !l.follow {
		return func() {}
	}
	l.walking.Lock()
	return l.walking.Unlock
}

// unlink forgets the roots that a link at or below path led to, and answers
// their paths. A walk finds them again if the link is still there.
func (l *Library) unlink(path string) (told []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.links = slices.DeleteFunc(slices.Clone(l.links), func(r *root) bool {
		_, below := within(path, r.link)
		if below {
			told = append(told, r.label())
		}
		return below
	})
	return told
}

// isSession reports whether a file of this name may hold a session.
func isSession(name string) bool {
	name = filepath.Base(name)
	return strings.HasSuffix(name, ".jsonl") && !strings.HasPrefix(name, ".")
}

// hidden reports whether a file or a directory above it is a dot file.
func hidden(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(name string) bool {
		return len(name) > 1 && name[0] == '.'
	})
}

// walker visits the roots. Links it follows become roots, visited in turn.
type walker struct {
	lib   *Library
	ctx   context.Context
	links []*root
	seen  map[string]bool // canonical paths visited: roots may overlap
	file  func(File)
	dir   func(path string)
	temp  func(dir *os.Root, rel string) // files of writers, of which some were killed
}

func (l *Library) walker(ctx context.Context) *walker {
	nop := func(string) {}
	return &walker{lib: l, ctx: ctx, seen: map[string]bool{}, file: func(File) {}, dir: nop, temp: func(*os.Root, string) {}}
}

// run visits all roots, and forgets links that are gone.
func (w *walker) run() error {
	defer w.lib.lockLinks()()
	w.lib.mu.Lock()
	roots := slices.Clone(w.lib.roots)
	w.lib.mu.Unlock()
	for _, r := range roots {
		if err := w.root(r); err != nil {
			return err
		}
	}
	if err := w.followed(); err != nil {
		return err
	}
	w.lib.mu.Lock()
	w.lib.links = w.links
	w.lib.mu.Unlock()
	return nil
}

// followed visits the roots that links led to; they may hold further links.
func (w *walker) followed() error {
	for n := 0; n < len(w.links); n++ {
		if err := w.root(w.links[n]); err != nil {
			return err
		}
	}
	w.lib.mu.Lock()
	defer w.lib.mu.Unlock()
	for _, r := range w.links {
		if !slices.ContainsFunc(w.lib.links, func(o *root) bool { return o.arg == r.arg }) {
			w.lib.links = append(w.lib.links, r)
		}
	}
	return nil
}

// root visits one root. A missing one has no files.
func (w *walker) root(r *root) error {
	err := r.resolve()
	dir, only := r.where()
	if err != nil {
		w.dir(dir)
		if !errors.Is(err, fs.ErrNotExist) {
			w.file(File{Path: r.arg, Root: r.arg, Err: err})
		}
		return nil
	}
	at := place{root: r, dir: dir, rel: ".", path: dir}
	if only != "" {
		w.dir(dir)
		at.rel, at.path, at.single = only, filepath.Join(dir, only), true
	}
	return w.walk(at)
}

// walk visits what lies at and below a place, directory by directory.
func (w *walker) walk(at place) error {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.file(File{Path: at.dir, Root: at.root.label(), Err: at.failed(err)})
		}
		return nil
	}
	defer dir.Close()
	info, err := dir.Lstat(at.rel)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.file(File{Path: at.path, Root: at.root.label(), Err: at.failed(err)})
		}
		return nil
	}
	if hidden(at.rel) || !info.IsDir() && !isLink(info.Mode()) && !isSession(at.rel) && !at.single {
		return nil
	}
	todo := w.visit(at, info, nil)
	for len(todo) > 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		d := todo[len(todo)-1]
		todo = w.list(dir, d, todo[:len(todo)-1])
	}
	return nil
}

// list visits the entries of directory d in the order of their names, and
// answers todo with the sub-directories added.
func (w *walker) list(dir *os.Root, d place, todo []place) []place {
	w.dir(d.path)
	f, err := dir.OpenFile(d.rel, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		w.unreadable(d, err)
		return todo
	}
	entries, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		w.unreadable(d, err)
	}
	known := len(todo)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		if isTemp(e.Name()) {
			w.temp(dir, filepath.Join(d.rel, e.Name()))
		}
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() && !isLink(e.Type()) && !isSession(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // gone since the directory was read
		}
		at := d
		at.rel, at.path = filepath.Join(d.rel, e.Name()), filepath.Join(d.path, e.Name())
		todo = w.visit(at, info, todo)
	}
	slices.Reverse(todo[known:]) // they are taken from the end
	return todo
}

// visit tells of a file, or adds a directory to todo.
func (w *walker) visit(at place, info fs.FileInfo, todo []place) []place {
	if w.seen[at.path] {
		return todo
	}
	w.seen[at.path] = true
	switch mode := info.Mode(); {
	case isLink(mode):
		w.link(at)
	case mode.IsDir():
		return append(todo, at)
	case !mode.IsRegular():
		w.unreadable(at, errors.New("it is no regular file"))
	default:
		w.file(File{Path: at.path, Root: at.root.label(), Size: info.Size(), Mtime: info.ModTime().UnixNano(), info: info})
	}
	return todo
}

func (w *walker) unreadable(at place, err error) {
	w.file(File{Path: at.path, Root: at.root.label(), Err: at.failed(err)})
}

func isLink(m fs.FileMode) bool { return m.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// link decides on a link inside a root: what it leads to becomes a root of its
// own when links are followed and it belongs to the root's owner.
func (w *walker) link(at place) {
	target, err := filepath.EvalSymlinks(at.path)
	if err != nil {
		w.unreadable(at, fmt.Errorf("link that leads nowhere: %v", reasonOf(err)))
		return
	}
	info, err := os.Stat(target)
	if err != nil {
		w.unreadable(at, reasonOf(err))
		return
	}
	if !info.IsDir() && (!isSession(target) || !info.Mode().IsRegular()) {
		return // no session either way
	}
	if w.within(target) {
		return // met under its own name
	}
	if !w.lib.follow {
		w.unreadable(at, fmt.Errorf("link to %s, and links are not followed", target))
		return
	}
	home, err := os.Stat(at.dir)
	if err != nil || !sameOwner(home, info) {
		w.unreadable(at, fmt.Errorf("link to %s, which belongs to another user", target))
		return
	}
	if r, err := newRoot(target); err == nil {
		r.link = at.path
		w.links = append(w.links, r)
	}
}

// within reports whether a configured root holds path.
func (w *walker) within(path string) bool {
	w.lib.mu.Lock()
	defer w.lib.mu.Unlock()
	return slices.ContainsFunc(w.lib.roots, func(r *root) bool {
		_, ok := r.holds(path)
		return ok
	})
}

// reasonOf is an error of the file system without the path.
func reasonOf(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
