package usertext

import "strings"

// Kind is the kind of a line of role user: a typed prompt, or one of the many texts that Claude
// Code writes with that role.
type Kind uint8

// The kinds of user lines.
const (
	Prompt      Kind = iota
	Summary          // replaces the conversation before a compaction
	Bash             // "!ls"
	Command          // "/compact"
	Output           // output of either
	Task             // result of a background task
	Teammate         // messages from other agents of the team
	Caveat           // tells the model to ignore what follows
	Skill            // a skill's own text
	Note             // any other text that was not typed
	Interrupted      // the user stopped the agent
)

// openings begin texts that were not typed.
var openings = []struct {
	text string
	kind Kind
}{
	{"This session is being continued from a previous conversation that ran out of context", Summary},
	{"<bash-input>", Bash},
	{"<bash-stdout>", Output},
	{"<bash-stderr>", Output},
	{"<local-command-stdout>", Output},
	{"<local-command-stderr>", Output},
	{"<command-name>", Command},
	{"<command-message>", Command},
	{"<task-notification>", Task},
	{"<teammate-message", Teammate},
	{"<local-command-caveat>", Caveat},
	{"Caveat: The messages below", Caveat},
	{"[Request interrupted by user", Interrupted},
}

// Classify returns the kind of a user line by the beginning of its text and the flags of
// the line.
func Classify(text string, meta, skill, summarized bool) Kind {
	if summarized {
		return Summary
	}
	for _, o := range openings {
		if strings.HasPrefix(text, o.text) {
			return o.kind
		}
	}
	switch {
	case skill:
		return Skill
	case meta:
		return Note
	}
	return Prompt
}
