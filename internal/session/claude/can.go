package claude

import "sessiontree/internal/session"

// What is said to people about what is not done to Claude Code's files.
const (
	ownLeaf   = "Claude Code chooses its own leaf. Branch to a new file instead."
	noVersion = "Claude Code's files have no older version to migrate from."
)

// can says what a file can hold: a name, as Claude Code writes it. The rest of it is
// the agent's, so labels are kept aside and only new files are made.
func can(session.Header) session.Capabilities {
	return session.Capabilities{
		Label:  session.Ability{Aside: true},
		Branch: session.Ability{Reason: ownLeaf}, Copy: session.Ability{Reason: ownLeaf},
		Migrate: session.Ability{Reason: noVersion},
	}
}
