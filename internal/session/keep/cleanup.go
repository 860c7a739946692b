package keep

import (
	"path/filepath"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// cleanUpTTL is how long a rule is used before its settings file is read again.
const cleanUpTTL = 10 * time.Second

// maxAgentSettings is how many bytes of an agent's settings are read.
const maxAgentSettings = 1 << 20

// CleanUp is a rule by which an agent deletes its session files in a root.
type CleanUp struct {
	Format string // of the sessions
	Agent  string // for people
	After  time.Duration
}

// cleanUpCache is the rules of all roots.
type cleanUpCache struct {
	mu     sync.Mutex
	read   time.Time
	byRoot map[string][]CleanUp
}

// cleanUpsFor returns the rules for a path.
func (k *Keeper) cleanUpsFor(path string) []CleanUp {
	for _, root := range k.roots.Paths() {
		if _, ok := roots.RelativeTo(root, path); ok {
			return k.cleanUpsOf(root)
		}
	}
	if at, err := k.roots.Locate(path); err == nil { // the root is a link
		return k.cleanUpsOf(at.Dir)
	}
	return nil
}

// cleanUpsOf returns the rules of a root.
func (k *Keeper) cleanUpsOf(root string) []CleanUp {
	c := &k.cleanUps
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := k.now(); c.byRoot == nil || now.Sub(c.read) > cleanUpTTL || now.Before(c.read) {
		c.byRoot, c.read = map[string][]CleanUp{}, now
	}
	rules, ok := c.byRoot[root]
	if !ok {
		rules = readCleanUps(root, k.formats)
		c.byRoot[root] = rules
	}
	return rules
}

// readCleanUps reads the rules of a root from the settings of agents next to it.
func readCleanUps(root string, formats []*session.Format) (rules []CleanUp) {
	for _, f := range formats {
		if f.CleanUp == nil || filepath.Base(root) != f.CleanUp.DirName {
			continue
		}
		dir := filepath.Dir(root)
		text, err := safefile.ReadRegular(filepath.Join(dir, f.CleanUp.SettingsName), maxAgentSettings)
		if err != nil && filepath.Base(dir) != f.CleanUp.HomeName {
			continue // any other directory with that name
		}
		if days, ok := f.CleanUp.Days(text); ok {
			rules = append(rules, CleanUp{Format: f.Name, Agent: f.Title, After: time.Duration(days) * 24 * time.Hour})
		}
	}
	return rules
}
