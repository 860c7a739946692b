package view

import (
	"sessiontree/internal/session"
)

// EndLineAbility returns whether a line end can be added: to files that can be branched,
// and to files of an old version, which could not be migrated otherwise.
func EndLineAbility(can session.Capabilities) session.Ability {
	if can.Migrate.IsPossible() {
		return session.Ability{}
	}
	return can.Branch
}
