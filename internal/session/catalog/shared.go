package catalog

import (
	"maps"
	"slices"
	"sync"

	"sessiontree/internal/session/related"
	"sessiontree/internal/session/spill"
)

// Shared has what catalogs have read of files, so that another one that lists the same files does
// not read them again. A catalog takes from it only files that its own library has. It is safe for
// concurrent use.
type Shared struct {
	dir    string // where it is stored, "" = nowhere
	saveMu sync.Mutex

	mu      sync.Mutex
	files   map[string]sharedFile // by path
	names   map[uint64]string     // of changed files, by hash
	changed bool                  // since it was read or stored
	removed bool                  // a file that is stored
}

// sharedFile is what was read of one file: of a session, or of an agent.
type sharedFile struct {
	item    *listedSession
	agent   agentSpend
	related *related.File // nil: its format relates no sessions
}

// OpenShared reads what an earlier run stored in a directory. Without a directory nothing is stored.
func OpenShared(dir string) *Shared {
	s := &Shared{dir: dir, files: map[string]sharedFile{}, names: map[uint64]string{}}
	if dir == "" {
		return s
	}
	k := readCacheFile(dir, !canMoveData)
	if k == nil {
		return s
	}
	for path, agent := range k.AgentSpend {
		s.files[path] = sharedFile{agent: agent}
	}
	for _, it := range k.Items {
		f := sharedFile{item: it}
		if r, ok := k.Related[it.Summary.Path]; ok {
			f.related = &r
		}
		s.files[it.Summary.Path] = f
	}
	maps.Copy(s.names, k.FileNames)
	return s
}

// putItem stores a session, with the names of files that it changed. Whether a file of an agent has
// lost its session depends on the catalog.
func (s *Shared) putItem(it *listedSession, related *related.File, names map[uint64]string) {
	if s != nil && !it.Summary.Orphaned {
		s.put(it.Summary.Path, sharedFile{item: it, related: related}, names)
	}
}

// putAgent stores the file of an agent, with the names of files that it changed.
func (s *Shared) putAgent(path string, agent agentSpend, names map[uint64]string) {
	if s != nil {
		s.put(path, sharedFile{agent: agent}, names)
	}
}

func (s *Shared) put(path string, f sharedFile, names map[uint64]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.item != nil && s.files[path].item == f.item {
		return
	}
	maps.Copy(s.names, names)
	s.files[path], s.changed = f, true
}

// takeShared lists a session as another catalog has read it, and returns it, nil if none has. Its
// file may have changed since.
func (c *Catalog) takeShared(path string) *listedSession {
	f := c.shared.find(path)
	if f.item == nil || f.item.State.IsArranged && f.related == nil {
		return nil
	}
	if f.related != nil {
		c.lib.Related().StoreFile(path, *f.related)
	}
	c.putItem(f.item)
	c.addSharedNames(&f.item.State.Changes)
	return f.item
}

// findSharedAgent returns the file of an agent as another catalog has read it.
func (c *Catalog) findSharedAgent(path string) agentSpend {
	agent := c.shared.find(path).agent
	c.addSharedNames(&agent.Changes)
	return agent
}

// addSharedNames adds the names of changed files that another catalog has read.
func (c *Catalog) addSharedNames(changes *fileChanges) {
	if c.shared == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shared.mu.Lock()
	defer c.shared.mu.Unlock()
	changes.eachFile(func(file uint64) {
		if name, ok := c.shared.names[file]; ok { // else the other session was removed meanwhile
			c.fileNames[file] = name
		}
	})
}

// findRelated returns what an index has of a file that is to be stored, nil if nothing.
func (s *Shared) findRelated(index *related.Index, path string) *related.File {
	if s == nil {
		return nil
	}
	if f, ok := index.FindFile(path); ok {
		return &f
	}
	return nil
}

// moveItem returns a session whose data is moved, as another catalog has done it before, if so.
func (s *Shared) moveItem(it *listedSession, to spill.Store) (*listedSession, error) {
	f := s.find(it.Summary.Path)
	if next := f.item; next != nil && next != it && !next.hasMovableData() && next.isSameFile(it) {
		return next, nil
	}
	next := *it
	if err := next.moveData(to); err != nil {
		return nil, err
	}
	if f.item == it {
		s.putItem(&next, f.related, nil)
	}
	return &next, nil
}

// find returns what was read of a file.
func (s *Shared) find(path string) sharedFile {
	if s == nil {
		return sharedFile{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[path]
}

// Remove removes files, also from the disk.
func (s *Shared) Remove(paths ...string) error {
	s.mu.Lock()
	for _, path := range paths {
		if _, ok := s.files[path]; ok {
			delete(s.files, path)
			s.removed, s.changed = true, true
		}
	}
	save := s.removed
	s.mu.Unlock()
	if !save {
		return nil
	}
	return s.Save()
}

// RemoveDeleted removes the files that do not exist any more, also from the disk.
func (s *Shared) RemoveDeleted(exists func(path string) bool) error {
	s.mu.Lock()
	paths := slices.Collect(maps.Keys(s.files))
	s.mu.Unlock()
	return s.Remove(slices.DeleteFunc(paths, exists)...)
}

// Save stores what has changed for the next run.
func (s *Shared) Save() error {
	s.saveMu.Lock()
	defer s.saveMu.Unlock()
	s.mu.Lock()
	if s.dir == "" || !s.changed {
		s.mu.Unlock()
		return nil
	}
	removed := s.removed
	s.changed, s.removed = false, false
	k := s.content()
	s.mu.Unlock()
	err := writeCacheFile(s.dir, k)
	if err != nil {
		s.mu.Lock()
		s.changed, s.removed = true, s.removed || removed
		s.mu.Unlock()
	}
	return err
}

// content returns what is stored. The caller holds the lock.
func (s *Shared) content() *cacheContent {
	k := &cacheContent{cacheFacts: cacheFacts{Related: map[string]related.File{}, AgentSpend: map[string]agentSpend{}, FileNames: map[uint64]string{}}}
	keepName := func(file uint64) { k.FileNames[file] = s.names[file] }
	for path, f := range s.files {
		if f.item == nil {
			k.AgentSpend[path] = f.agent
			f.agent.Changes.eachFile(keepName)
			continue
		}
		k.Items = append(k.Items, f.item)
		f.item.State.Changes.eachFile(keepName)
		if f.related != nil {
			k.Related[path] = *f.related
		}
	}
	s.names = maps.Clone(k.FileNames)
	return k
}
