package catalog

import (
	"maps"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/toolkind"
)

// maxPendingEdits limits how many calls wait for their results. Calls whose session was
// abandoned never get one.
const maxPendingEdits = 64

// maxFileNameBytes limits the name of a file. Calls with longer names are ignored: no system has
// such files.
const maxFileNameBytes = 4 << 10

// fileChanges are the files that the tools of a session changed. Files and Pending are replaced,
// never changed, so that copies can share them.
type fileChanges struct {
	Files   []uint64      // hashes of their names as the calls have them, sorted
	Pending []pendingEdit // calls that may have changed others

	added map[uint64]bool   // files that are not in Files yet: see finish
	names map[uint64]string // of the files that are not in the catalog yet
}

// pendingEdit is a call that changes a file and has no result yet. Both are hashes.
type pendingEdit struct{ Call, File uint64 }

// clone returns a copy that can be added to. It is made once for all entries that are added.
func (c *fileChanges) clone() fileChanges {
	return fileChanges{c.Files, c.Pending, maps.Clone(c.added), maps.Clone(c.names)}
}

// addEntry adds what an entry changed in files. It depends only on the entries before it in the
// file, so that it gives the same for appended entries as for all of them. finished reports whether
// the entry is the result of a call that changed a file.
func (c *fileChanges) addEntry(e *session.Entry) (finished bool) {
	switch e.Kind {
	case session.KindAssistant:
		calls := e.Calls()
		for i := range calls {
			c.addCall(&calls[i])
		}
	case session.KindToolResult:
		return c.addResult(e)
	}
	return false
}

// extend returns c with what entries changed.
func (c *fileChanges) extend(entries []session.Entry) fileChanges {
	next := c.clone()
	for i := range entries {
		next.addEntry(&entries[i])
	}
	next.finish()
	return next
}

func (c *fileChanges) addCall(call *session.ToolCall) {
	if call.Arg == "" || len(call.Arg) > maxFileNameBytes || !toolkind.ChangesFiles(call.Name) {
		return
	}
	file := session.HashParts(call.Arg)
	if _, known := c.names[file]; !known {
		if c.names == nil {
			c.names = map[uint64]string{}
		}
		c.names[file] = strings.Clone(call.Arg)
	}
	if call.Outcome == nil {
		p := append(slices.Clip(c.Pending), pendingEdit{session.HashParts(call.ID), file})
		c.Pending = p[max(0, len(p)-maxPendingEdits):]
	} else if !call.Outcome.Failed {
		c.addFile(file)
	}
}

// addResult adds the result of a call. finished reports whether it changed a file.
func (c *fileChanges) addResult(e *session.Entry) (finished bool) {
	call := session.HashParts(e.CallID())
	i := slices.IndexFunc(c.Pending, func(p pendingEdit) bool { return p.Call == call })
	if i < 0 {
		return false
	}
	file := c.Pending[i].File
	c.Pending = slices.Delete(slices.Clone(c.Pending), i, i+1)
	if e.HasFlag(session.FlagError) {
		return false
	}
	c.addFile(file)
	return true
}

func (c *fileChanges) addFile(file uint64) {
	if c.has(file) {
		return
	}
	if c.added == nil {
		c.added = map[uint64]bool{}
	}
	c.added[file] = true
}

func (c *fileChanges) has(file uint64) bool {
	_, ok := slices.BinarySearch(c.Files, file)
	return ok || c.added[file]
}

// finish adds the added files to Files, all at once: to insert each of them would move the others
// each time.
func (c *fileChanges) finish() {
	if len(c.added) > 0 {
		files := slices.AppendSeq(slices.Grow(slices.Clip(c.Files), len(c.added)), maps.Keys(c.added))
		slices.Sort(files)
		c.Files = files
	}
	c.added = nil
}

// countFileChanges adds what an entry changed in files.
func (it *listedSession) countFileChanges(e *session.Entry) {
	if it.State.Changes.addEntry(e) {
		it.Summary.LinesAdded += int(e.Added())
		it.Summary.LinesRemoved += int(e.Removed())
	}
}

// addFileNames moves the names of changed files to the catalog, which has each of them once, and
// returns them. The caller holds the lock.
func (c *Catalog) addFileNames(changes *fileChanges) (names map[uint64]string) {
	names = changes.names
	if names != nil { // else another catalog may have the changes, too
		maps.Copy(c.fileNames, names)
		changes.names = nil
	}
	return names
}

// eachFile calls fn for each file that is or may be changed.
func (c *fileChanges) eachFile(fn func(file uint64)) {
	for _, file := range c.Files {
		fn(file)
	}
	for _, p := range c.Pending {
		fn(p.File)
	}
}

// dropUnusedFileNames forgets the names of files that no session and no sub-agent changed or is
// about to change, and returns a copy of the others. The caller holds the lock.
func (c *Catalog) dropUnusedFileNames() map[uint64]string {
	used := map[uint64]string{}
	add := func(file uint64) { used[file] = c.fileNames[file] }
	for _, it := range c.items {
		it.State.Changes.eachFile(add)
	}
	for _, it := range c.otherRoots {
		it.State.Changes.eachFile(add)
	}
	for _, agent := range c.agentSpend {
		agent.Changes.eachFile(add)
	}
	c.fileNames = used
	return maps.Clone(used)
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
