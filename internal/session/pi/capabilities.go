package pi

import (
	"fmt"

	"sessiontree/internal/session"
)

// Reasons why a file cannot hold a change.
const (
	migrateFirst   = "Migrate first: the older version of this file cannot hold the change."
	alreadyCurrent = "The file is already current: there is nothing to migrate."
	noTitleSlot    = "oh-my-pi keeps the name of this session in the header of the file, which is never rewritten."
)

// newerVersionText says that the version of a file is newer than known.
func newerVersionText(h *session.Header) string {
	return fmt.Sprintf("This file has version %d of the format, which is newer than this program knows (%d). It is shown as well as possible and not changed.", h.Version, currentVersion)
}

// capabilities returns what files with header h can hold. The draft of the format, which named
// entries by uuid, counts as an old version that can be migrated. A file of an unknown newer
// version is not written to, and its lines are not copied into new files for the agent, because
// their meaning is unknown.
func (d *dialect) capabilities(h session.Header) session.Capabilities {
	if h.IsNewerVersion {
		newer, sidecar := session.Ability{Reason: newerVersionText(&h)}, session.Ability{InSidecar: true}
		return session.Capabilities{Label: sidecar, Name: sidecar, Branch: newer, Copy: newer, Fork: newer, Migrate: newer}
	}
	if h.Migrated {
		first := session.Ability{Reason: migrateFirst}
		return session.Capabilities{Label: session.Ability{InSidecar: true}, Name: first, Branch: first, Copy: first}
	}
	return session.Capabilities{
		Name:    session.Ability{InSidecar: d.titleInHeader && !h.HasTitleSlot},
		Migrate: session.Ability{Reason: alreadyCurrent},
	}
}
