package catalog

import (
	"maps"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/toolkind"
)

// maxPendingEdits limits how many calls wait for their results. Calls whose session was
// abandoned never get one.
const maxPendingEdits = 64

// fileChanges are the files that the tools of a session changed. It is replaced, never changed.
type fileChanges struct {
	Files   []uint64      // hashes of their names as the calls have them, sorted
	Pending []pendingEdit // calls that may have changed others

	names map[uint64]string // of the files that are not in the catalog yet
}

// pendingEdit is a call that changes a file and has no result yet. Both are hashes.
type pendingEdit struct{ Call, File uint64 }

// addEntry returns c with what an entry changed in files. It depends only on the entries
// before it in the file, so that it gives the same for appended entries as for all of them.
func (c fileChanges) addEntry(e *session.Entry) (next fileChanges, finished bool) {
	switch e.Kind {
	case session.KindAssistant:
		calls := e.Calls()
		for i := range calls {
			c = c.addCall(&calls[i])
		}
	case session.KindToolResult:
		return c.addResult(e)
	}
	return c, false
}

// addEntries returns c with what entries changed.
func (c fileChanges) addEntries(entries []session.Entry) fileChanges {
	for i := range entries {
		c, _ = c.addEntry(&entries[i])
	}
	return c
}

func (c fileChanges) addCall(call *session.ToolCall) fileChanges {
	if call.Arg == "" || !toolkind.ChangesFiles(call.Name) {
		return c
	}
	file := hashEntryID(call.Arg)
	if _, known := c.names[file]; !known {
		names := map[uint64]string{file: strings.Clone(call.Arg)}
		maps.Copy(names, c.names)
		c.names = names
	}
	if call.Outcome == nil {
		p := append(slices.Clip(c.Pending), pendingEdit{hashEntryID(call.ID), file})
		c.Pending = p[max(0, len(p)-maxPendingEdits):]
	} else if !call.Outcome.Failed {
		c = c.addFile(file)
	}
	return c
}

// addResult adds the result of a call. finished reports whether it changed a file.
func (c fileChanges) addResult(e *session.Entry) (next fileChanges, finished bool) {
	call := hashEntryID(e.CallID())
	i := slices.IndexFunc(c.Pending, func(p pendingEdit) bool { return p.Call == call })
	if i < 0 {
		return c, false
	}
	file := c.Pending[i].File
	c.Pending = slices.Delete(slices.Clone(c.Pending), i, i+1)
	if e.HasFlag(session.FlagError) {
		return c, false
	}
	return c.addFile(file), true
}

func (c fileChanges) addFile(file uint64) fileChanges {
	if i, known := slices.BinarySearch(c.Files, file); !known {
		c.Files = slices.Insert(slices.Clone(c.Files), i, file)
	}
	return c
}

// countFileChanges adds what an entry changed in files.
func (it *listedSession) countFileChanges(e *session.Entry) {
	var finished bool
	it.State.Changes, finished = it.State.Changes.addEntry(e)
	it.Summary.FilesChanged = len(it.State.Changes.Files)
	if finished {
		it.Summary.LinesAdded += int(e.Added())
		it.Summary.LinesRemoved += int(e.Removed())
	}
}

// addFileNames moves the names of changed files to the catalog, which has each of them once. The
// caller holds the lock.
func (c *Catalog) addFileNames(changes *fileChanges) {
	maps.Copy(c.fileNames, changes.names)
	changes.names = nil
}

// usedFileNames returns the names of the files that items and sub-agents changed or are about to
// change. The caller holds the lock.
func (c *Catalog) usedFileNames(items []listedSession) map[uint64]string {
	used := map[uint64]string{}
	add := func(changes *fileChanges) {
		for _, file := range changes.Files {
			used[file] = c.fileNames[file]
		}
		for _, p := range changes.Pending {
			used[p.File] = c.fileNames[p.File]
		}
	}
	for i := range items {
		add(&items[i].State.Changes)
	}
	for _, agent := range c.agentSpend {
		add(&agent.Changes)
	}
	return used
}

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

func (c *fileChanges) has(file uint64) bool {
	_, ok := slices.BinarySearch(c.Files, file)
	return ok
}

// FileOwners returns the path of the session that each file is shown with: its own for the file
// of a session, that of its session for the file of a sub-agent.
func (c *Catalog) FileOwners() map[string]string {
	return ListFileOwners(c.Sessions(), c.AgentFiles())
}

// ListFileOwners is FileOwners for sessions and the files of their sub-agents.
func ListFileOwners(sessions []Summary, agents map[string][]string) map[string]string {
	owners := make(map[string]string, len(sessions))
	for i := range sessions {
		path := sessions[i].Path
		owners[path] = path
		for _, file := range agents[path] {
			owners[file] = path
		}
	}
	return owners
}
