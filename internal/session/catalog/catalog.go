// Package catalog lists the sessions of all roots, with a summary and a key of each. It is
// filled in the background, from its cache where files are unchanged, and follows changes.
// The cost of a changed path depends on the files at and below it, not on the length of
// the list.
package catalog

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"sessiontree/internal/session/pathlock"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/related"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/spill"
	"sessiontree/internal/session/store"
)

// Config configures a Catalog.
type Config struct {
	Library  *store.Library
	CacheDir string        // where the list is stored; "" = nowhere
	SpillDir string        // where data of sessions that rest is moved to; "" = CacheDir
	Shared   *Shared       // what other catalogs have read, nil = nothing
	Prices   *prices.Table // nil = the embedded ones
	// OnRestored, if set, is called by the first Fill when it has restored what an earlier run stored,
	// before it reads files.
	OnRestored func()
	// OnChange is called after the list changed, from any goroutine; it must not block.
	OnChange func()
}

// Catalog is the list of sessions. It is safe for concurrent use.
type Catalog struct {
	lib            *store.Library
	cacheDir       string
	onRestored     func()
	shared         *Shared
	notifier       notifyThrottle
	pathLocks      pathlock.Locks // held while a file is listed
	fillMu, saveMu sync.Mutex     // one Fill and one Save at a time

	mu                 sync.RWMutex // guards the following fields; held for memory access only
	items              map[string]*listedSession
	unreadable         map[string]string                       // reason by path
	keys               map[string]string                       // path by key
	ids                map[string][]string                     // paths by identity
	formerKeys         map[string]string                       // identity by a key that no path has any more
	sorted             []Summary                               // nil: to be made again
	savedRelated       uint64                                  // the version of the index of related files when it was saved
	relations          map[string]map[string]*related.Relation // what other files record about a path, by directory and path
	relatedVersion     uint64                                  // state of the index when relations was made
	annotationsModTime time.Time                               // of the annotations, when sorted was made
	owners             map[string]string                       // path of its session, by that of an agent's file
	agentFiles         map[string]int                          // how many files of agents, by path of their session
	agentWrote         map[string]int64                        // when sub-agents last wrote, in ns, by path of their session
	paths              pathIndex                               // the paths in items, unreadable and homes
	cwds               map[cwdGroup]string                     // working directories by what some sessions record; nil: to be made again
	progress           Progress
	changes            uint64 // number of changes of items, for the cache
	cacheRead          bool   // the cache on disk was read
	otherRoots         map[string]listedSession
	agentSpend         map[string]agentSpend // of the files of agents
	ledger             *spend.Ledger
	moved              *spill.File       // nil: everything stays in memory
	fileNames          map[uint64]string // of the files that tools changed, by hash
}

// New returns an empty catalog.
func New(c Config) *Catalog {
	if c.Prices == nil {
		c.Prices = prices.Default()
	}
	var moved *spill.File
	if dir := cmp.Or(c.SpillDir, c.CacheDir); dir != "" && canMoveData {
		moved = spill.New(dir)
	}
	return &Catalog{
		moved: moved, ledger: spend.NewLedger(c.Prices), agentSpend: map[string]agentSpend{}, fileNames: map[uint64]string{},
		lib: c.Library, cacheDir: c.CacheDir, onRestored: c.OnRestored, shared: c.Shared, notifier: notifyThrottle{notify: c.OnChange},
		items: map[string]*listedSession{}, unreadable: map[string]string{},
		keys: map[string]string{}, ids: map[string][]string{}, formerKeys: map[string]string{},
		owners: map[string]string{}, agentFiles: map[string]int{}, agentWrote: map[string]int64{},
	}
}

// Sessions returns all summaries, newest first. The slice is shared and must not be
// changed.
func (c *Catalog) Sessions() []Summary {
	stamp := c.lib.Sidecars().ModTime()
	c.updateRelations()
	c.mu.RLock()
	sorted := c.sorted
	if !stamp.Equal(c.annotationsModTime) {
		sorted = nil
	}
	c.mu.RUnlock()
	if sorted != nil {
		return sorted
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sorted == nil || !stamp.Equal(c.annotationsModTime) {
		c.annotationsModTime = stamp
		c.inferCwds()
		c.sorted = make([]Summary, 0, len(c.items))
		for _, it := range c.items {
			s := c.shownSummary(it)
			s.Cost = c.ledger.Brief(s.Path).Cost
			c.sorted = append(c.sorted, s)
		}
		c.sorted = mergeOrphans(c.sorted)
		slices.SortFunc(c.sorted, func(a, b Summary) int {
			return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
		})
	}
	return c.sorted
}

// Unreadable returns the files that are not sessions or cannot be read, with reasons.
func (c *Catalog) Unreadable() []Unreadable {
	c.mu.RLock()
	defer c.mu.RUnlock()
	list := make([]Unreadable, 0, len(c.unreadable))
	for path, reason := range c.unreadable {
		list = append(list, Unreadable{Path: path, Reason: reason})
	}
	slices.SortFunc(list, func(a, b Unreadable) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

// FindByKey returns the summary of a key, without its cost: summing the requests of a large
// session would delay its page. A moved file is found by its session id.
func (c *Catalog) FindByKey(key string) (Summary, bool) {
	c.lib.Sidecars().ModTime() // without holding the lock
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.cwds == nil { // rare: once after the files changed
		c.mu.RUnlock()
		c.mu.Lock()
		c.inferCwds()
		c.mu.Unlock()
		c.mu.RLock()
	}
	if path, ok := c.keys[key]; ok {
		return c.shownSummary(c.items[path]), true
	}
	var newest *listedSession
	for _, path := range c.ids[c.formerKeys[key]] {
		if it := c.items[path]; newest == nil || it.Summary.Modified.After(newest.Summary.Modified) {
			newest = it
		}
	}
	if newest == nil {
		return Summary{}, false
	}
	return c.shownSummary(newest), true
}

// Has reports whether a file is listed: as a session, or as one of a sub-agent.
func (c *Catalog) Has(path string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.items[path] != nil || c.owners[path] != ""
}

// FindByPath returns the summary, without its cost, of the session that a file belongs to.
func (c *Catalog) FindByPath(path string) (Summary, bool) {
	c.Sessions() // infers working directories
	c.mu.RLock()
	defer c.mu.RUnlock()
	it := c.items[path]
	if it == nil {
		it = c.items[c.owners[path]]
	}
	if it == nil {
		return Summary{}, false
	}
	return c.shownSummary(it), true
}

// shownSummary returns the summary of a session with its annotations, relations and
// sub-agents, which are not part of the item, but without its cost.
func (c *Catalog) shownSummary(it *listedSession) Summary {
	s := it.Summary
	s.Entries -= it.State.Copied
	s.AgentWrote = c.lib.AgentWrote(s.Path, &it.Checkpoint)
	if at := c.agentWrote[s.Path]; at > 0 {
		s.SubAgentWrote = time.Unix(0, at)
	}
	if s.Agents += c.agentFiles[s.Path]; s.Orphaned {
		s.Agents = max(s.Agents, 1)
	}
	if cwd := c.cwds[newCwdGroup(it)]; it.CwdGuessed && cwd != "" {
		s.Cwd = cwd
	}
	if rel := c.relations[filepath.Dir(s.Path)][s.Path]; rel != nil {
		if s.Name == "" {
			s.Name = rel.Title
		}
		if s.Parent == "" && rel.Parent != "" {
			if up := c.items[rel.Parent]; up != nil {
				s.Parent = up.Summary.ID
			}
		}
	}
	if aside, ok := c.lib.Sidecars().Find(s.Format, s.ID, s.Path); ok {
		aside.Name = aside.Name.UnlessUserTitled(s.Name, it.State.UserTitled)
		name, labels := aside.ResolveNameAndLabels(s.Name, it.State.Labels)
		s.Name, s.Labels, s.LabelTexts = name, len(labels), sortedTexts(maps.Values(labels))
		if s.Damage = c.lib.Sidecars().Damage(s.Format, s.ID, s.Path); s.Damage != "" {
			s.Notes++
		}
	}
	return s
}

// Progress is the progress of Fill.
type Progress struct {
	Complete       bool
	Files          int
	BytesPresent   int64 // of all sessions
	BytesScanned   int64 // read in this run
	BytesFromCache int64 // known from an earlier run
}

// Progress returns the progress of Fill.
func (c *Catalog) Progress() Progress {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.progress
}

// AgentFiles returns the files of sub-agents by the path of their session, sorted.
func (c *Catalog) AgentFiles() map[string][]string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	files := map[string][]string{}
	for path, home := range c.owners {
		files[home] = append(files[home], path)
	}
	for _, paths := range files {
		slices.Sort(paths)
	}
	return files
}
