// Package catalog knows every session of every root: what a list shows of it
// and by which key it is found. It fills in the background and follows changes.
package catalog

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"sessiontree/internal/session/store"
)

// Summary is what a list shows of a session.
type Summary struct {
	Key          string
	Format       string
	Path         string
	Root         string
	ID           string
	Cwd          string
	Name         string
	Parent       string // parent session as recorded
	FirstMessage string // first user text, cut at 200 runes
	Messages     int
	Entries      int
	Branches     int // branches to a reader, beside the one with the leaf
	Agents       int // sub-agents, which are no branches
	Labels       int
	Leaf         string
	Created      time.Time // header's, else the file's
	Modified     time.Time // newest user or assistant message, by pi's rule
	FileTime     time.Time // the file's modification time: live when younger than a minute
	Model        string
	Cost         float64
	Size         int64
	Shape        []Lane // the tree in small
	Notes        int
	// Orphaned: agents whose session is gone. The first of their files stands for all of
	// one session, and opens with them.
	Orphaned bool
	// Damage says what cannot be read of what is kept outside of the session's file. It is
	// looked at anew each time.
	Damage string
}

// Lane is one branch of a Shape: it leaves lane From at X0 and runs to X1, in
// thousandths of the session's entries. The first is the spine (From -1).
type Lane struct {
	From, Lane int8
	X0, X1     int16
}

// Unreadable is a file that cannot be listed.
type Unreadable struct {
	Path   string
	Reason string
}

// Config wires a Catalog.
type Config struct {
	Library  *store.Library
	CacheDir string // "" = no cache on disk
	// OnChange is called after the list changed, from any goroutine; it must not
	// block.
	OnChange func()
}

// Catalog is safe for concurrent use.
type Catalog struct {
	lib       *store.Library
	cacheDir  string
	notifier  notifyThrottle
	pathLocks pathLocks
	fillMu    sync.Mutex // one Fill at a time
	saveMu    sync.Mutex // one Save at a time

	mu                 sync.RWMutex // guards what follows; held for memory work only
	items              map[string]*listedSession
	unreadable         map[string]string    // reason by path
	keys               map[string]string    // path by key
	ids                map[string][]string  // paths by identity
	formerKeys         map[string]string    // identity by a key that no path has any more
	sorted             []Summary            // nil: to be made again
	savedRelated       uint64               // the state of what the library knows of files, when it was saved
	relations          map[string]*relation // what other files say of a path
	relatedVersion     uint64               // the state of what the library knows, when relations was made
	annotationsModTime time.Time            // of what is kept aside, when sorted was made
	owners             map[string]string    // path of its session, by that of an agent's file
	agentFiles         map[string]int       // how many files of agents, by path of their session
	paths              pathIndex            // the paths in items, unreadable and homes
	cwds               map[cwdGroup]string  // working directories by what some sessions record; nil: to be made again
	progress           Progress
	changes            uint64 // counts changes of items, for the cache
	cacheRead          bool   // the cache on disk was read
	otherRoots         map[string]listedSession
}

// listedSession is a session known: its summary, and what is needed to bring it up to
// date at the cost of what was added. An item is replaced, never changed.
type listedSession struct {
	Summary    Summary
	Checkpoint store.Checkpoint
	State      summaryState
	// CwdGuessed: Cwd is a guess by the file's path, because the file records none.
	CwdGuessed bool
}

// identity names a session wherever its file lies.
func (s *Summary) identity() string { return s.Format + "\x00" + s.ID }

// New makes an empty catalog.
func New(c Config) *Catalog {
	return &Catalog{
		lib: c.Library, cacheDir: c.CacheDir, notifier: notifyThrottle{notify: c.OnChange},
		items: map[string]*listedSession{}, unreadable: map[string]string{},
		keys: map[string]string{}, ids: map[string][]string{}, formerKeys: map[string]string{},
		owners: map[string]string{}, agentFiles: map[string]int{},
	}
}

// Sessions lists all summaries, newest first. The slice is shared: do not change
// it.
func (c *Catalog) Sessions() []Summary {
	stamp := c.lib.AnnotationsModTime()
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
			c.sorted = append(c.sorted, c.shownSummary(it))
		}
		c.sorted = mergeOrphans(c.sorted)
		slices.SortFunc(c.sorted, func(a, b Summary) int {
			return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
		})
	}
	return c.sorted
}

// mergeOrphans leaves one summary of the agents of a session that is gone: that of
// their first file, which counts what is in all.
func mergeOrphans(all []Summary) []Summary {
	first := map[string]int{} // by session
	out := all[:0]
	for _, s := range all {
		i, ok := first[s.Format+"\x00"+s.ID]
		switch {
		case !s.Orphaned:
			out = append(out, s)
		case !ok:
			first[s.Format+"\x00"+s.ID] = len(out)
			out = append(out, s)
		default:
			out[i] = out[i].addCounts(s)
		}
	}
	return out
}

// addCounts adds the counts of another file of the same lost session.
func (s Summary) addCounts(o Summary) Summary {
	if o.Path < s.Path {
		s, o = o, s
	}
	s.Messages, s.Entries, s.Agents, s.Cost = s.Messages+o.Messages, s.Entries+o.Entries, s.Agents+o.Agents, s.Cost+o.Cost
	s.Size, s.Notes, s.Labels = s.Size+o.Size, s.Notes+o.Notes, s.Labels+o.Labels
	if o.Modified.After(s.Modified) {
		s.Modified = o.Modified
	}
	if o.FileTime.After(s.FileTime) {
		s.FileTime = o.FileTime
	}
	return s
}

// Unreadable lists files that are no sessions or cannot be read, with reasons.
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

// FindByKey answers the summary of a key. A moved file is found again by its id.
func (c *Catalog) FindByKey(key string) (Summary, bool) {
	c.lib.AnnotationsModTime() // outside of the lock
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.cwds == nil { // seldom: once after the files changed
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

// shownSummary is the summary of a session under the name and with the labels that are
// in force: those that the explorer keeps aside are no part of its item, which
// says what the file holds.
func (c *Catalog) shownSummary(it *listedSession) Summary {
	s := it.Summary
	s.Entries -= it.State.Copied
	if s.Agents += c.agentFiles[s.Path]; s.Orphaned {
		s.Agents = max(s.Agents, 1)
	}
	if cwd := c.cwds[newCwdGroup(it)]; it.CwdGuessed && cwd != "" {
		s.Cwd = cwd
	}
	if told := c.relations[s.Path]; told != nil {
		if s.Name == "" {
			s.Name = told.title
		}
		if s.Parent == "" && told.parent != "" {
			if up := c.items[told.parent]; up != nil {
				s.Parent = up.Summary.ID
			}
		}
	}
	if aside, ok := c.lib.FindAnnotations(s.Format, s.ID); ok {
		aside.Name = aside.Name.UnlessUserTitled(s.Name, it.State.UserTitled)
		name, labeled := aside.ResolveNameAndLabels(s.Name, it.State.Labeled)
		s.Name, s.Labels = name, len(labeled)
		if s.Damage = c.lib.AsideDamage(s.Format, s.ID); s.Damage != "" {
			s.Notes++
		}
	}
	return s
}

// Progress tells how far Fill is.
type Progress struct {
	Complete       bool
	Files          int
	BytesPresent   int64 // of all sessions
	BytesScanned   int64 // of them, read
	BytesFromCache int64 // of them, known from an earlier run
}

// Progress answers the present state of Fill.
func (c *Catalog) Progress() Progress {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.progress
}

// putItem takes in a session, new or changed.
func (c *Catalog) putItem(it *listedSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	path := it.Summary.Path
	cwds, old := c.cwds, c.items[path]
	c.dropPath(path)
	if c.cwds = nil; old != nil && old.CwdGuessed == it.CwdGuessed && old.Summary.Cwd == it.Summary.Cwd {
		c.cwds = cwds // a session that only grows changes no directory
	}
	c.items[path] = it
	c.paths.addPath(path)
	c.keys[it.Summary.Key] = path
	id := it.Summary.identity()
	c.ids[id] = append(c.ids[id], path)
	delete(c.formerKeys, it.Summary.Key)
	c.sorted = nil
	c.changes++
}

// replaceCheckpoint keeps the item of a session that did not change: its mark is newer, and
// the next look at the file may be cheaper by it.
func (c *Catalog) replaceCheckpoint(old, now *listedSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if path := now.Summary.Path; c.items[path] == old {
		c.items[path] = now
	}
}

// addUnreadable takes in a file that cannot be listed. The caller holds the lock.
func (c *Catalog) addUnreadable(path, reason string) {
	c.dropPath(path)
	c.unreadable[path] = reason
	c.paths.addPath(path)
}

// dropPath forgets a path. Its key still leads to the session should it turn up at
// another path. The caller holds the lock.
func (c *Catalog) dropPath(path string) {
	c.paths.removePath(path)
	c.dropAgentFile(path)
	delete(c.unreadable, path)
	it, ok := c.items[path]
	if !ok {
		return
	}
	id := it.Summary.identity()
	c.ids[id] = slices.DeleteFunc(c.ids[id], func(p string) bool { return p == path })
	if len(c.ids[id]) == 0 {
		delete(c.ids, id)
	}
	delete(c.items, path)
	c.cwds = nil
	delete(c.keys, it.Summary.Key)
	c.formerKeys[it.Summary.Key] = id
	c.sorted = nil
	c.changes++
}

// getItem answers what is known of a path.
func (c *Catalog) getItem(path string) *listedSession {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.items[path]
}
