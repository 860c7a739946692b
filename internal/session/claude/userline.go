package claude

import "strings"

// userLine says what a line in the user's name is: a typed prompt, or one of the many
// things that Claude Code writes so.
type userLine uint8

const (
	userLinePrompt      userLine = iota
	userLineSummary              // stands for the conversation before a compaction
	userLineBash                 // "!ls"
	userLineCommand              // "/compact"
	userLineOutput               // of either
	userLineTask                 // what a task in the background came to
	userLineTeammate             // messages of other agents of the team
	userLineCaveat               // tells the model what comes next is not for it
	userLineSkill                // a skill's own text
	userLineNote                 // anything else that was not typed
	userLineInterrupted          // the user stopped the agent
)

// summaryOpening begins the text that stands for the conversation before a
// compaction.
const summaryOpening = "This session is being continued from a previous conversation that ran out of context"

// userLineOpenings are how texts begin that were not typed.
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

// classifyUserLine tells by how a text begins and what its line says of itself.
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

// teammateMessage is a message of another agent of the team.
type teammateMessage struct{ who, colour, summary, text string }

// parseTeammates reads the messages that one line holds.
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

// tagAttribute is the value of an attribute, "" when it is not there.
func tagAttribute(attrs, name string) string {
	_, rest, ok := strings.Cut(" "+attrs, " "+name+`="`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// taskNotification is what a notification tells of a task in the background.
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

// parseLabeledCount reads "name: 12" or "<name>12</name>", 0 when neither is there.
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
