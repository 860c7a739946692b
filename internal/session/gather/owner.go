package gather

import (
	"io"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
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

// FindOwner returns the session that the file at a place belongs to. f is the open file. A
// file whose owner is outside the roots is a session itself. The file of a sub-agent that
// another one started belongs to the session of both.
func FindOwner(set *roots.Set, at roots.Place, format *session.Format, f io.ReaderAt, cache *FileCache) Owner {
	owner := findNextOwner(set, at, format, f, cache)
	for n := 1; n < maxOwners && owner.Exists() && owner.Path != ""; n++ {
		above := findOwnerOfPath(set, owner.Path, format, cache)
		if !above.Exists() || above.Path == "" {
			break
		}
		owner = above
	}
	return owner
}

// findOwnerOfPath is findNextOwner for the file at a path. A file that cannot be read has no
// owner.
func findOwnerOfPath(set *roots.Set, path string, format *session.Format, cache *FileCache) Owner {
	at, err := set.Locate(path)
	if err != nil {
		return Owner{}
	}
	f, _, err := at.OpenFile()
	if err != nil {
		return Owner{}
	}
	defer f.Close()
	return findNextOwner(set, at, format, f, cache)
}

// findNextOwner is FindOwner without owners of owners.
func findNextOwner(set *roots.Set, at roots.Place, format *session.Format, f io.ReaderAt, cache *FileCache) (owner Owner) {
	path, graph := filepath.ToSlash(at.Path), format.Graph
	switch {
	case graph == nil, graph.IsMember != nil && !graph.IsMember(path):
		return Owner{}
	case graph.FindOwner != nil:
		owner.Path = findOwnerInDir(at, graph, cache)
	case graph.OwnerPath != nil:
		scan.WithHead(f, func(head []byte) { owner.Path = filepath.FromSlash(graph.OwnerPath(path, head)) })
	}
	if owner.Path == "" {
		return Owner{IsMember: graph.IsMember != nil}
	}
	info, err := os.Stat(owner.Path)
	owner.IsLost = err != nil || info.Size() == 0
	owner.IsMember = owner.IsLost || set.ContainsPath(owner.Path)
	return owner
}

// findOwnerInDir returns the path of the session file that the format finds in the directory
// of a member file, "" if there is none.
func findOwnerInDir(at roots.Place, graph *session.Graph, cache *FileCache) string {
	dir := filepath.Join(at.Dir, filepath.Dir(at.Rel))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return ""
	}
	defer root.Close()
	name := graph.FindOwner(newObservedFS(safefile.RegularFS{Dir: root}, dir, cache), filepath.Base(at.Rel))
	if name == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(at.Path), name)
}
