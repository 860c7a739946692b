package store

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

	info fs.FileInfo // nil if it cannot be read
}

// UnchangedSince reports whether the file is unchanged since a checkpoint, without
// opening it. It returns false if that is uncertain.
func (f File) UnchangedSince(m Checkpoint) bool { return f.info != nil && m.matchesFileInfo(f.info) }

// WalkFiles calls fn for every session file under every root and its sub-directories.
// It skips dot files and files not ending in .jsonl. fn must not walk.
func (l *Library) WalkFiles(ctx context.Context, fn func(File)) error {
	w := l.newWalker(ctx)
	w.onFile = fn
	return w.walkAllRoots()
}

// VisitDirs calls visit for each directory to watch, before the directory is read, and
// for roots that do not exist yet. visit must not walk.
func (l *Library) VisitDirs(ctx context.Context, visit func(dir string)) {
	w := l.newWalker(ctx)
	w.onDir = visit
	_ = w.walkAllRoots() // fails only if ctx is done
}

// VisitDirsUnder is VisitDirs for the directories at or below a path.
func (l *Library) VisitDirsUnder(ctx context.Context, path string, visit func(dir string)) {
	w := l.newWalker(ctx)
	w.onDir = visit
	_, _ = w.walkUnder(path) // outside the roots there is nothing to watch
}

// WalkUnder calls fn for the session files at or below path, which must be in a root.
// It returns the canonical paths whose files were all visited: path itself, and the
// targets of links there. fn must not walk.
func (l *Library) WalkUnder(ctx context.Context, path string, fn func(File)) ([]string, error) {
	w := l.newWalker(ctx)
	w.onFile = fn
	return w.walkUnder(path)
}

// walkUnder visits the files at or below a path, see Library.WalkUnder.
func (w *walker) walkUnder(path string) ([]string, error) {
	at, err := w.lib.locatePath(path)
	if err != nil {
		return nil, err
	}
	defer w.lib.lockLinks()()
	visited := append(w.lib.forgetLinksUnder(at.path), at.path)
	if err := w.walkPlace(at); err != nil {
		return nil, err
	}
	return visited, w.walkLinks()
}

// isSessionName reports whether a file of this name may hold a session.
func isSessionName(name string) bool {
	name = filepath.Base(name)
	return strings.HasSuffix(name, ".jsonl") && !strings.HasPrefix(name, ".")
}

// isHiddenPath reports whether a file or a directory above it is a dot file.
func isHiddenPath(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(name string) bool {
		return len(name) > 1 && name[0] == '.'
	})
}

// walker visits the roots. Targets of links become roots and are visited later.
type walker struct {
	lib        *Library
	ctx        context.Context
	links      []*root
	visited    map[string]bool // canonical paths; roots may overlap
	onFile     func(File)
	onDir      func(path string)
	onTempFile func(dir *os.Root, rel string) // temporary files, some of dead processes
}

func (l *Library) newWalker(ctx context.Context) *walker {
	nop := func(string) {}
	return &walker{lib: l, ctx: ctx, visited: map[string]bool{}, onFile: func(File) {}, onDir: nop, onTempFile: func(*os.Root, string) {}}
}

// walkAllRoots visits all roots and removes links that are gone.
func (w *walker) walkAllRoots() error {
	defer w.lib.lockLinks()()
	w.lib.mu.Lock()
	roots := slices.Clone(w.lib.roots)
	w.lib.mu.Unlock()
	for _, r := range roots {
		if err := w.walkRoot(r); err != nil {
			return err
		}
	}
	if err := w.walkLinks(); err != nil {
		return err
	}
	w.lib.mu.Lock()
	w.lib.links = w.links
	w.lib.mu.Unlock()
	return nil
}

// walkRoot visits one root. A missing root has no files.
func (w *walker) walkRoot(r *root) error {
	err := r.resolveRoot()
	dir, only := r.canonicalDir()
	if err != nil {
		w.onDir(dir)
		if !errors.Is(err, fs.ErrNotExist) {
			w.onFile(File{Path: r.configured, Root: r.configured, Err: err})
		}
		return nil
	}
	at := place{root: r, dir: dir, rel: ".", path: dir}
	if only != "" {
		w.onDir(dir)
		at.rel, at.path, at.isFileRoot = only, filepath.Join(dir, only), true
	}
	return w.walkPlace(at)
}

// walkPlace visits the files at or below a place, directory by directory.
func (w *walker) walkPlace(at place) error {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.onFile(File{Path: at.dir, Root: at.root.canonicalPath(), Err: at.pathError(err)})
		}
		return nil
	}
	defer dir.Close()
	info, err := dir.Lstat(at.rel)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.onFile(File{Path: at.path, Root: at.root.canonicalPath(), Err: at.pathError(err)})
		}
		return nil
	}
	if isHiddenPath(at.rel) || !info.IsDir() && !isLink(info.Mode()) && !isSessionName(at.rel) && !at.isFileRoot {
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
	return nil
}

// listDir visits the entries of directory d in the order of their names, and returns
// todo with the sub-directories added.
func (w *walker) listDir(dir *os.Root, d place, todo []place) []place {
	w.onDir(d.path)
	f, err := dir.OpenFile(d.rel, os.O_RDONLY|safefile.Nonblocking, 0)
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
			w.onTempFile(dir, filepath.Join(d.rel, e.Name()))
		}
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() && !isLink(e.Type()) && !isSessionName(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // removed since the directory was read
		}
		at := d
		at.rel, at.path = filepath.Join(d.rel, e.Name()), filepath.Join(d.path, e.Name())
		todo = w.visitPlace(at, info, todo)
	}
	slices.Reverse(todo[known:]) // because todo is a stack
	return todo
}

// visitPlace reports a file, or adds a directory to todo.
func (w *walker) visitPlace(at place, info fs.FileInfo, todo []place) []place {
	if w.visited[at.path] {
		return todo
	}
	w.visited[at.path] = true
	switch mode := info.Mode(); {
	case isLink(mode):
		w.followLink(at)
	case mode.IsDir():
		return append(todo, at)
	case !mode.IsRegular():
		w.reportUnreadable(at, errors.New("it is not a regular file"))
	default:
		w.onFile(File{Path: at.path, Root: at.root.canonicalPath(), Size: info.Size(), Mtime: info.ModTime().UnixNano(), info: info})
	}
	return todo
}

func (w *walker) reportUnreadable(at place, err error) {
	w.onFile(File{Path: at.path, Root: at.root.canonicalPath(), Err: at.pathError(err)})
}
