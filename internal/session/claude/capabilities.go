package claude

import "sessiontree/internal/session"

// Reasons why Claude Code's files cannot be changed.
const (
	leafIsChosenByAgent = "Claude Code decides where to resume. Branch to a new file instead."
	noOlderVersion      = "Claude Code's files have no older version to migrate from."
)

// fileCapabilities returns what a file can hold: a name, as Claude Code writes it. The agent owns
// everything else, so labels are kept in a sidecar and changes make new files.
func fileCapabilities(session.Header) session.Capabilities {
	return session.Capabilities{
		Label:  session.Ability{InSidecar: true},
		Branch: session.Ability{Reason: leafIsChosenByAgent}, Copy: session.Ability{Reason: leafIsChosenByAgent},
		Migrate: session.Ability{Reason: noOlderVersion},
	}
}
