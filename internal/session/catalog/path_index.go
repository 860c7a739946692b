package catalog

import "path/filepath"

// pathIndex holds paths, so that those below a directory are found without a look
// at all others: for each directory the names in it that are held, or lie on the
// way to one that is.
type pathIndex struct {
	names map[string]map[string]bool // true: held itself
	// visited counts the paths that below has looked at, for tests.
	visited int
}

// addPath takes in a path.
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
			return // and so is the way to it
		}
		path = dir
	}
}

// removePath drops a path, and the directories in which nothing is left.
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

// pathsBelow lists the paths that are one of tops or lie below one.
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
