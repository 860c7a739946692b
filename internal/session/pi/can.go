package pi

import (
	"fmt"

	"sessiontree/internal/session"
)

// What is said to people about what a file cannot hold.
const (
	migrateFirst = "Migrate first: the file is in an older version of the format, which could not hold the change."
	isCurrent    = "The file is already current: there is nothing to migrate."
	titleRewrite = "oh-my-pi keeps a session's name at the start of the file, which is never rewritten."
)

// can says what a file with header h can hold. The draft of the format that named
// entries by uuid is an old version like any other: it can be migrated. Nothing is
// written to a version that is not known yet; its lines can be copied, which is
// what pi does with them.
func (d *dialect) can(h session.Header) session.Capabilities {
	if h.Version > current {
		newer := session.Ability{Reason: fmt.Sprintf("The file is in version %d of the format, which is newer than what is known here.", h.Version)}
		return session.Capabilities{Label: session.Ability{Aside: true}, Name: newer, Branch: newer, Copy: newer, Migrate: newer}
	}
	if h.Migrated {
		first := session.Ability{Reason: migrateFirst}
		return session.Capabilities{Label: session.Ability{Aside: true}, Name: first, Branch: first, Copy: first}
	}
	return session.Capabilities{
		Name:    session.Ability{Aside: d.titled},
		Migrate: session.Ability{Reason: isCurrent},
	}
}
