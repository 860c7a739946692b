package claude

import "sessiontree/internal/session"

// What is said to people about what is not done to Claude Code's files.
const (
	leafIsChosenByAgent = "Claude Code decides where to resume. Branch to a new file instead."
	noOlderVersion      = "Claude Code's files have no older version to migrate from."
)

// fileCapabilities says what a file can hold: a name, as Claude Code writes it. The rest of it is
// the agent's, so labels are kept aside and only new files are made.
func fileCapabilities(session.Header) session.Capabilities {
	return session.Capabilities{
		Label:  session.Ability{InSidecar: true},
		Branch: session.Ability{Reason: leafIsChosenByAgent}, Copy: session.Ability{Reason: leafIsChosenByAgent},
		Migrate: session.Ability{Reason: noOlderVersion},
	}
}
