package gather

import (
	"io"
	"path/filepath"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// maxOwners limits how far owners of owners are looked for.
const maxOwners = 32

// Owner tells whether a file belongs to the session of another file.
type Owner struct {
	IsMember bool
	IsLost   bool   // the file of the session is gone
	Path     string // of the file of the session, "" if unknown
}

// Exists reports whether the file is part of a session whose file is not gone.
func (o Owner) Exists() bool { return o.IsMember && !o.IsLost }

// OwnerFinder finds the sessions that files belong to. It reads a directory once, so it is
// for one pass over files: later changes are not seen. It is safe for concurrent use.
type OwnerFinder struct {
	set   *roots.Set
	cache *FileCache

	mu   sync.Mutex
	dirs map[string]map[string]string // directory -> name of a member file -> of its session's file
}

// NewOwnerFinder returns an OwnerFinder for files below the roots.
func NewOwnerFinder(set *roots.Set, cache *FileCache) *OwnerFinder {
	return &OwnerFinder{set: set, cache: cache, dirs: map[string]map[string]string{}}
}

// FindOwner returns the session that the file at a place belongs to. f is the open file. A
// file whose owner is outside the roots is a session itself. The file of a sub-agent that
// another one started belongs to the session of both.
func (o *OwnerFinder) FindOwner(at roots.Place, format *session.Format, f io.ReaderAt) Owner {
	owner := o.findNextOwner(at, format, f)
	for n := 1; n < maxOwners && owner.Exists() && owner.Path != ""; n++ {
		above := o.findOwnerOfPath(owner.Path, format)
		if !above.Exists() || above.Path == "" {
			break
		}
		owner = above
	}
	return owner
}

// findOwnerOfPath is findNextOwner for the file at a path. A file that cannot be read has no
// owner.
func (o *OwnerFinder) findOwnerOfPath(path string, format *session.Format) Owner {
	at, err := o.set.Locate(path)
	if err != nil {
		return Owner{}
	}
	f, _, err := at.OpenFile()
	if err != nil {
		return Owner{}
	}
	defer f.Close()
	return o.findNextOwner(at, format, f)
}

// findNextOwner is FindOwner without owners of owners.
func (o *OwnerFinder) findNextOwner(at roots.Place, format *session.Format, f io.ReaderAt) (owner Owner) {
	path, graph := filepath.ToSlash(at.Path), format.Graph
	switch {
	case graph == nil, graph.IsMember != nil && !graph.IsMember(path):
		return Owner{}
	case graph.FindOwners != nil:
		owner.Path = o.findOwnerInDir(at, graph)
	case graph.OwnerPath != nil:
		scan.WithHead(f, func(head []byte) { owner.Path = filepath.FromSlash(graph.OwnerPath(path, head)) })
	}
	if owner.Path == "" {
		return Owner{IsMember: graph.IsMember != nil}
	}
	info, err := o.set.StatPath(owner.Path)
	owner.IsLost = err != nil || info.Size() == 0
	owner.IsMember = owner.IsLost || o.set.ContainsPath(owner.Path)
	return owner
}

// findOwnerInDir returns the path of the session file that the format finds in the directory
// of a member file, "" if there is none.
func (o *OwnerFinder) findOwnerInDir(at roots.Place, graph *session.Graph) string {
	dir := filepath.Join(at.Dir, filepath.Dir(at.Rel))
	o.mu.Lock()
	defer o.mu.Unlock()
	owners, ok := o.dirs[dir]
	if !ok {
		owners = o.findOwnersInDir(dir, graph)
		o.dirs[dir] = owners
	}
	name := owners[filepath.Base(at.Rel)]
	if name == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(at.Path), name)
}

// findOwnersInDir returns the owners of all member files in a directory by name.
func (o *OwnerFinder) findOwnersInDir(path string, graph *session.Graph) map[string]string {
	dir, err := o.set.OpenDir(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	return graph.FindOwners(newObservedFS(dir, path, o.cache))
}
