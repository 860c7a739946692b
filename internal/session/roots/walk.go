package roots

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session/safefile"
)

// File is a session file found under a root.
type File struct {
	Path  string // absolute
	Root  string // the root that contains it
	Size  int64
	Mtime int64 // ns
	Err   error // why it cannot be read, or nil

	Info fs.FileInfo // nil if it cannot be read; for a deleted file that of its copy
}

// WalkFiles calls fn for every session file under every root and its sub-directories.
// It skips dot files and files not ending in .jsonl. Of deleted files it visits the copies.
// fn must not walk.
func (s *Set) WalkFiles(ctx context.Context, fn func(File)) error {
	w := s.newWalker(ctx)
	w.onFile, w.wantsCopies = fn, true
	return w.walkAllRoots()
}

// VisitDirs calls visit for each directory to watch, before the directory is read, and
// for roots that do not exist yet. visit must not walk.
func (s *Set) VisitDirs(ctx context.Context, visit func(dir string)) {
	w := s.newWalker(ctx)
	w.onDir = visit
	_ = w.walkAllRoots() // fails only if ctx is done
}

// VisitDirsUnder is VisitDirs for the directories at or below a path.
func (s *Set) VisitDirsUnder(ctx context.Context, path string, visit func(dir string)) {
	w := s.newWalker(ctx)
	w.onDir = visit
	_, _ = w.walkUnder(path) // outside the roots there is nothing to watch
}

// WalkUnder calls fn for the session files at or below path, which must be in a root, as
// WalkFiles does.
// It returns the canonical paths whose files were all visited: path itself, and the
// targets of links there. fn must not walk.
func (s *Set) WalkUnder(ctx context.Context, path string, fn func(File)) ([]string, error) {
	w := s.newWalker(ctx)
	w.onFile, w.wantsCopies = fn, true
	return w.walkUnder(path)
}

// WalkTempFiles calls fn for every temporary file of package safefile under every root.
// rel is relative to dir. fn must not walk.
func (s *Set) WalkTempFiles(ctx context.Context, fn func(dir *os.Root, rel string)) error {
	w := s.newWalker(ctx)
	w.onTempFile = fn
	return w.walkAllRoots()
}

// walkUnder visits the files at or below a path, see WalkUnder.
func (w *walker) walkUnder(path string) ([]string, error) {
	at, err := w.set.Locate(path)
	if err != nil {
		return nil, err
	}
	defer w.set.lockLinks()()
	visited := append(w.set.forgetLinksUnder(at.Path), at.Path)
	if err := w.walkPlace(at); err != nil {
		return nil, err
	}
	return visited, w.walkLinks()
}

// walker visits the roots. Targets of links become roots and are visited later.
type walker struct {
	set        *Set
	ctx        context.Context
	links      []*root
	visited    map[string]bool // canonical paths; roots may overlap
	onFile     func(File)
	onDir      func(path string)
	onTempFile func(dir *os.Root, rel string) // temporary files, some of dead processes
	// wantsCopies is set if the copies of deleted files are visited too.
	wantsCopies bool
}

func (s *Set) newWalker(ctx context.Context) *walker {
	nop := func(string) {}
	return &walker{set: s, ctx: ctx, visited: map[string]bool{}, onFile: func(File) {}, onDir: nop, onTempFile: func(*os.Root, string) {}}
}

// walkAllRoots visits all roots and removes links that are gone.
func (w *walker) walkAllRoots() error {
	defer w.set.lockLinks()()
	w.set.mu.Lock()
	roots := slices.Clone(w.set.configured)
	w.set.mu.Unlock()
	for _, r := range roots {
		if err := w.walkRoot(r); err != nil {
			return err
		}
	}
	if err := w.walkLinks(); err != nil {
		return err
	}
	w.set.mu.Lock()
	w.set.links = w.links
	w.set.mu.Unlock()
	return nil
}

// walkRoot visits one root. A missing root has only copies of files.
func (w *walker) walkRoot(r *root) error {
	err := r.resolveRoot()
	dir, only := r.canonicalDir()
	at := Place{root: r, copies: r.copies, Dir: dir, Rel: ".", Path: dir}
	if only != "" {
		at.Rel, at.Path, at.isFileRoot = only, filepath.Join(dir, only), true
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.visitMissing(at, dir, err)
		return nil
	case err != nil:
		w.onDir(dir)
		w.onFile(File{Path: r.configured, Root: r.configured, Err: err})
		return nil
	case only != "":
		w.onDir(dir)
	}
	return w.walkPlace(at)
}

// walkPlace visits the files at or below a place, directory by directory, and then the
// copies of deleted files.
func (w *walker) walkPlace(at Place) error {
	dir, err := os.OpenRoot(at.Dir)
	if err != nil {
		w.visitMissing(at, at.Dir, err)
		return nil
	}
	defer dir.Close()
	info, err := dir.Lstat(at.Rel)
	if err != nil {
		w.visitMissing(at, at.Path, err)
		return nil
	}
	if isHiddenPath(at.Rel) || !info.IsDir() && !isLink(info.Mode()) && !IsSessionName(at.Rel) && !at.isFileRoot {
		return nil
	}
	todo := w.visitPlace(at, info, nil)
	for len(todo) > 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		d := todo[len(todo)-1]
		todo = w.listDir(dir, d, todo[:len(todo)-1])
	}
	if info.IsDir() {
		w.walkCopies(at)
	}
	return nil
}

// listDir visits the entries of directory d in the order of their names, and returns
// todo with the sub-directories added.
func (w *walker) listDir(dir *os.Root, d Place, todo []Place) []Place {
	w.onDir(d.Path)
	f, err := dir.OpenFile(d.Rel, os.O_RDONLY|safefile.Nonblocking, 0)
	if err != nil {
		w.reportUnreadable(d, err)
		return todo
	}
	entries, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		w.reportUnreadable(d, err)
	}
	known := len(todo)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		if safefile.IsTempName(e.Name()) {
			w.onTempFile(dir, filepath.Join(d.Rel, e.Name()))
		}
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() && !isLink(e.Type()) && !IsSessionName(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // removed since the directory was read
		}
		at := d
		at.Rel, at.Path = filepath.Join(d.Rel, e.Name()), filepath.Join(d.Path, e.Name())
		todo = w.visitPlace(at, info, todo)
	}
	slices.Reverse(todo[known:]) // because todo is a stack
	return todo
}

// visitPlace reports a file, or adds a directory to todo.
func (w *walker) visitPlace(at Place, info fs.FileInfo, todo []Place) []Place {
	if w.visited[at.Path] {
		return todo
	}
	w.visited[at.Path] = true
	switch mode := info.Mode(); {
	case isLink(mode):
		w.followLink(at)
	case mode.IsDir():
		return append(todo, at)
	case !mode.IsRegular():
		w.reportUnreadable(at, errors.New("it is not a regular file"))
	default:
		w.onFile(File{Path: at.Path, Root: at.root.canonicalPath(), Size: info.Size(), Mtime: info.ModTime().UnixNano(), Info: info})
	}
	return todo
}

func (w *walker) reportUnreadable(at Place, err error) {
	w.onFile(File{Path: at.Path, Root: at.root.canonicalPath(), Err: at.PathError(err)})
}
