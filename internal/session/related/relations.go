package related

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"sessiontree/internal/session"
)

// RelatesToOther reports whether entries added to one of the files own relate it to
// another session file of the directory.
func (k *Index) RelatesToOther(dir string, own []string, added session.Related) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	known := k.dirs[dir]
	if known == nil {
		return false
	}
	for name, f := range known.files {
		if !slices.Contains(own, name) && AreRelated(&added, &f.Related) {
			return true
		}
	}
	return false
}

// AreRelated reports whether two files are related: one holds an entry that the other
// holds or references.
func AreRelated(a, b *session.Related) bool {
	return intersectSorted(a.Held, b.Held) || intersectSorted(a.Held, b.Refs) || intersectSorted(a.Refs, b.Held)
}

// intersectSorted reports whether two sorted lists of hashes have an element in common.
// It looks up the elements of the shorter list in the longer one.
func intersectSorted(a, b []uint64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, h := range a {
		i, found := slices.BinarySearch(b, h)
		if found {
			return true
		}
		b = b[i:]
	}
	return false
}

// IsRelated reports whether the file at path is related to another one of its directory.
func (k *Index) IsRelated(path string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	dir := k.dirs[filepath.Dir(path)]
	if dir == nil {
		return false
	}
	if dir.connected == nil {
		dir.connected = dir.findConnected()
	}
	return dir.connected[filepath.Base(path)]
}

// findConnected returns the files that AreRelated is true for with another one. It sorts all
// ids instead of comparing each pair of files.
func (d *dirIndex) findConnected() map[string]bool {
	type mention struct {
		id     uint64
		file   int32
		isHeld bool
	}
	var mentions []mention
	names := make([]string, 0, len(d.files))
	for name, f := range d.files {
		for _, id := range f.Related.Held {
			mentions = append(mentions, mention{id, int32(len(names)), true})
		}
		for _, id := range f.Related.Refs {
			mentions = append(mentions, mention{id, int32(len(names)), false})
		}
		names = append(names, name)
	}
	slices.SortFunc(mentions, func(a, b mention) int { return cmp.Compare(a.id, b.id) })
	connected := map[string]bool{}
	for len(mentions) > 0 {
		n, first := 1, mentions[0]
		isHeld, isShared := first.isHeld, false
		for ; n < len(mentions) && mentions[n].id == first.id; n++ {
			isHeld, isShared = isHeld || mentions[n].isHeld, isShared || mentions[n].file != first.file
		}
		for _, m := range mentions[:n] {
			if isHeld && isShared {
				connected[names[m.file]] = true
			}
		}
		mentions = mentions[n:]
	}
	return connected
}

// ConnectedFiles returns the files related to the one called first, directly or through
// others. first is the first element; the others are sorted by name.
func ConnectedFiles(first string, names []string, files []*session.Related) []string {
	out, seen := []string{first}, make([]bool, len(names))
	todo := []int{slices.Index(names, first)}
	seen[todo[0]] = true
	for ; len(todo) > 0; todo = todo[1:] {
		at := files[todo[0]]
		for i, other := range files {
			if at != nil && other != nil && !seen[i] && AreRelated(at, other) {
				seen[i] = true
				out, todo = append(out, names[i]), append(todo, i)
			}
		}
	}
	slices.Sort(out[1:])
	return out
}

// Relation is what other files record about a session.
type Relation struct {
	Title  string // the title in a summary of one of its entries
	Parent string // path of the file that the session continues
}

// FindRelations returns, by path, what the files of a directory record about each other.
func FindRelations(dir string, files map[string]session.Related) map[string]*Relation {
	names := slices.Sorted(maps.Keys(files)) // so that of several the same one counts each time
	holder := func(id uint64) string {
		for _, name := range names {
			if _, ok := slices.BinarySearch(files[name].Held, id); ok {
				return filepath.Join(dir, name)
			}
		}
		return ""
	}
	all := map[string]*Relation{}
	of := func(path string) *Relation {
		if all[path] == nil {
			all[path] = &Relation{}
		}
		return all[path]
	}
	for _, name := range names {
		for _, s := range files[name].Titles {
			if at := holder(s.Entry); at != "" {
				of(at).Title = s.Title
			}
		}
		path := filepath.Join(dir, name)
		for _, id := range files[name].Refs {
			if at := holder(id); at != "" {
				of(path).Parent = at
				break
			}
		}
	}
	return all
}
