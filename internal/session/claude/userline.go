package claude

import "strings"

// userLine is the kind of a line of role user: a typed prompt, or one of the many texts that Claude
// Code writes with that role.
type userLine uint8

const (
	userLinePrompt      userLine = iota
	userLineSummary              // replaces the conversation before a compaction
	userLineBash                 // "!ls"
	userLineCommand              // "/compact"
	userLineOutput               // output of either
	userLineTask                 // result of a background task
	userLineTeammate             // messages from other agents of the team
	userLineCaveat               // tells the model to ignore what follows
	userLineSkill                // a skill's own text
	userLineNote                 // any other text that was not typed
	userLineInterrupted          // the user stopped the agent
)

// summaryOpening begins the text that replaces the conversation before a compaction.
const summaryOpening = "This session is being continued from a previous conversation that ran out of context"

// userLineOpenings begin texts that were not typed.
var userLineOpenings = []struct {
	text  string
	voice userLine
}{
	{summaryOpening, userLineSummary},
	{"<bash-input>", userLineBash},
	{"<bash-stdout>", userLineOutput},
	{"<bash-stderr>", userLineOutput},
	{"<local-command-stdout>", userLineOutput},
	{"<local-command-stderr>", userLineOutput},
	{"<command-name>", userLineCommand},
	{"<command-message>", userLineCommand},
	{"<task-notification>", userLineTask},
	{"<teammate-message", userLineTeammate},
	{"<local-command-caveat>", userLineCaveat},
	{"Caveat: The messages below", userLineCaveat},
	{"[Request interrupted by user", userLineInterrupted},
}

// classifyUserLine returns the kind of a user line by the beginning of its text and the flags of
// the line.
func classifyUserLine(text string, meta, skill, summarized bool) userLine {
	if summarized {
		return userLineSummary
	}
	for _, o := range userLineOpenings {
		if strings.HasPrefix(text, o.text) {
			return o.voice
		}
	}
	switch {
	case skill:
		return userLineSkill
	case meta:
		return userLineNote
	}
	return userLinePrompt
}

// teammateMessage is a message from another agent of the team.
type teammateMessage struct{ who, color, summary, text string }

// parseTeammates parses the team messages in a text.
func parseTeammates(text string) (list []teammateMessage) {
	for {
		_, rest, ok := strings.Cut(text, "<teammate-message ")
		if !ok {
			return list
		}
		attrs, rest, _ := strings.Cut(rest, ">")
		in, after, _ := strings.Cut(rest, "</teammate-message>")
		list = append(list, teammateMessage{tagAttribute(attrs, "teammate_id"), tagAttribute(attrs, "color"), tagAttribute(attrs, "summary"), strings.TrimSpace(in)})
		text = after
	}
}

// tagAttribute returns the value of an attribute, "" if it is missing.
func tagAttribute(attrs, name string) string {
	_, rest, ok := strings.Cut(" "+attrs, " "+name+`="`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// taskNotification is a notification about a background task.
type taskNotification struct {
	id, status, summary, result string
	tokens, ms                  int64
}

func parseTaskNotification(text string) taskNotification {
	usage := textInTag(text, "usage")
	return taskNotification{
		id: textInTag(text, "task-id"), status: textInTag(text, "status"), summary: textInTag(text, "summary"), result: textInTag(text, "result"),
		tokens: parseLabeledCount(usage, "total_tokens"), ms: parseLabeledCount(usage, "duration_ms"),
	}
}

// parseLabeledCount parses "name: 12" or "<name>12</name>". It returns 0 if neither is present.
func parseLabeledCount(text, name string) (n int64) {
	_, rest, ok := strings.Cut(text, name)
	if !ok {
		return 0
	}
	for _, r := range strings.TrimLeft(rest, ":> ") {
		if r < '0' || r > '9' || n > 1<<40 {
			break
		}
		n = n*10 + int64(r-'0')
	}
	return n
}
