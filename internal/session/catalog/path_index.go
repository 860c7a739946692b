package catalog

import "path/filepath"

// pathIndex finds the paths below a directory without a scan of all paths. For each
// directory it has the names of held paths and of directories that lead to one.
type pathIndex struct {
	names map[string]map[string]bool // true: the path itself is held
	// visited counts the paths that pathsBelow has visited, for tests.
	visited int
}

// addPath adds a path.
func (x *pathIndex) addPath(path string) {
	if x.names == nil {
		x.names = map[string]map[string]bool{}
	}
	for held := true; ; held = false {
		dir, name := filepath.Dir(path), filepath.Base(path)
		if dir == path {
			return
		}
		names := x.names[dir]
		if names == nil {
			names = map[string]bool{}
			x.names[dir] = names
		}
		_, there := names[name]
		names[name] = names[name] || held
		if there {
			return // so its ancestors are held too
		}
		path = dir
	}
}

// removePath removes a path, and directories that become empty.
func (x *pathIndex) removePath(path string) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	if !x.names[dir][name] {
		return
	}
	x.names[dir][name] = false
	for len(x.names[path]) == 0 && dir != path {
		delete(x.names, path)
		if delete(x.names[dir], name); len(x.names[dir]) > 0 {
			return
		}
		path = dir
		dir, name = filepath.Dir(path), filepath.Base(path)
		if x.names[dir][name] {
			return
		}
	}
}

// pathsBelow returns the paths at or below one of tops.
func (x *pathIndex) pathsBelow(tops []string) (paths []string) {
	todo := append([]string(nil), tops...)
	for len(todo) > 0 {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		x.visited++
		if x.names[filepath.Dir(path)][filepath.Base(path)] {
			paths = append(paths, path)
		}
		for name := range x.names[path] {
			todo = append(todo, filepath.Join(path, name))
		}
	}
	return paths
}
