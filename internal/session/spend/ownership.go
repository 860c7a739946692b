package spend

import "sessiontree/internal/session"

// Ownership tells which requests belong to a session. The zero value: all do.
type Ownership struct {
	owns   func(key uint64) bool // nil: all
	shares bool                  // other sessions record some of its requests
	// scope identifies what owns returns. It is 0 if owns is nil, and increases with changes of
	// shared requests; wide increases with all changes.
	scope, wide uint64
}

// Ownership returns which requests belong to the session whose file has a path.
func (l *Ledger) Ownership(path string) Ownership {
	l.lockMerged()
	defer l.mu.Unlock()
	own := Ownership{scope: 1 + l.sharedChanges, wide: 1 + l.changes}
	for _, n := range l.sessions[path] {
		own.shares = own.shares || l.sources[n].shares
	}
	own.owns = func(key uint64) bool {
		l.lockMerged()
		defer l.mu.Unlock()
		if _, known := l.holders.get(key); !known { // recorded just now
			return true
		}
		return l.sources[l.owner(key)].Session == path
	}
	return own
}

// ofTree returns the ownership for the requests of a tree. It is the zero value where all
// belong to the session.
func (o Ownership) ofTree(t *session.Tree) Ownership {
	switch {
	case o.owns == nil:
	case len(t.SessionIDs()) > 1: // the tree has files of other sessions
		o.scope = o.wide<<1 | 1
		return o
	case o.shares:
		o.scope <<= 1
		return o
	}
	return Ownership{}
}

func (o Ownership) has(key uint64) bool { return o.owns == nil || o.owns(key) }
