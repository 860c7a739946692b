package spend

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
)

// OwnedIf returns the ownership of a session that shares requests.
func OwnedIf(owns func(key uint64) bool) Ownership {
	return Ownership{owns: owns, shares: true, scope: 1, wide: 1}
}

// OfTree returns what the requests of a tree and the path to an entry cost.
func OfTree(t *session.Tree, table *prices.Table, own Ownership, viewed session.Pos) TreeSpend {
	s := ReadSheet(t, table, own)
	spent := s.Total()
	if viewed != t.Leaf() {
		spent.Path = s.PathCost(viewed)
	}
	return spent
}

// Paths returns the paths of all sessions.
func (l *Ledger) Paths() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	paths := make([]string, 0, len(l.sessions))
	for path := range l.sessions {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}
