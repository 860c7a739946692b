package catalog

import (
	"maps"
	"slices"
	"strings"

	"sessiontree/internal/session/filediff"
)

// ChangedFile is a file that tools of sessions changed.
type ChangedFile struct {
	Path     string
	Sessions []*Summary // newest first; not to be changed
}

// FindChangedFiles returns the files that sessions changed whose paths end with some names, or
// that have an absolute path, sorted by path. home is the directory that "~" is. Sub-agents count
// with their sessions.
func (c *Catalog) FindChangedFiles(home, suffix string) []ChangedFile {
	suffix = strings.TrimSuffix(suffix, "/")
	if suffix == "" {
		return nil
	}
	matches := func(path string) bool {
		return path == suffix || !strings.HasPrefix(suffix, "/") && strings.HasSuffix(path, "/"+suffix)
	}
	sessions := c.Sessions()
	base := suffix[strings.LastIndexByte(suffix, '/')+1:]
	files := map[string]*ChangedFile{}
	c.mu.RLock()
	defer c.mu.RUnlock()
	var named []uint64
	for file, name := range c.fileNames {
		if strings.HasSuffix(name, base) {
			named = append(named, file)
		}
	}
	agents := map[string][]string{}
	for path := range c.agentSpend {
		agents[c.owners[path]] = append(agents[c.owners[path]], path)
	}
	for i := range sessions {
		s := &sessions[i]
		it := c.items[s.Path]
		for _, file := range named {
			if it == nil || !it.State.Changes.has(file) && !slices.ContainsFunc(agents[s.Path], func(path string) bool { a := c.agentSpend[path]; return a.Changes.has(file) }) {
				continue
			}
			path := filediff.CleanPath(s.Cwd, home, c.fileNames[file])
			if !matches(path) {
				continue
			}
			if files[path] == nil {
				files[path] = &ChangedFile{Path: path}
			}
			if f := files[path]; len(f.Sessions) == 0 || f.Sessions[len(f.Sessions)-1] != s {
				f.Sessions = append(f.Sessions, s)
			}
		}
	}
	found := make([]ChangedFile, 0, len(files))
	for _, path := range slices.Sorted(maps.Keys(files)) {
		found = append(found, *files[path])
	}
	return found
}

// SearchChangedFiles returns the files that sessions changed whose paths contain a text, in any case
// of its letters: those of the newest sessions first. For "" it returns all. home is the directory
// that "~" is. Sub-agents count with their sessions.
func (c *Catalog) SearchChangedFiles(home, text string) []ChangedFile {
	text = strings.ToLower(text)
	sessions := c.Sessions()
	var found []ChangedFile
	at := map[string]int{} // indexes in found, by path
	c.mu.RLock()
	defer c.mu.RUnlock()
	agents := map[string][]uint64{} // files that sub-agents changed, by path of their session
	for path, agent := range c.agentSpend {
		agents[c.owners[path]] = append(agents[c.owners[path]], agent.Changes.Files...)
	}
	for i := range sessions {
		s := &sessions[i]
		it := c.items[s.Path]
		if it == nil {
			continue
		}
		var paths []string
		for _, file := range slices.Concat(it.State.Changes.Files, agents[s.Path]) {
			path := filediff.CleanPath(s.Cwd, home, c.fileNames[file])
			if strings.Contains(strings.ToLower(path), text) {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		for _, path := range slices.Compact(paths) {
			n, known := at[path]
			if !known {
				n, at[path] = len(found), len(found)
				found = append(found, ChangedFile{Path: path})
			}
			found[n].Sessions = append(found[n].Sessions, s)
		}
	}
	return found
}
