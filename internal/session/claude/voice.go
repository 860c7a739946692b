package claude

import "strings"

// voice says what a line in the user's name is: a typed prompt, or one of the many
// things that Claude Code writes so.
type voice uint8

const (
	voicePrompt      voice = iota
	voiceSummary           // stands for the conversation before a compaction
	voiceBash              // "!ls"
	voiceCommand           // "/compact"
	voiceOutput            // of either
	voiceTask              // what a task in the background came to
	voiceTeammate          // messages of other agents of the team
	voiceCaveat            // tells the model what comes next is not for it
	voiceSkill             // a skill's own text
	voiceNote              // anything else that was not typed
	voiceInterrupted       // the user stopped the agent
)

// continued begins the text that stands for the conversation before a
// compaction.
const continued = "This session is being continued from a previous conversation that ran out of context"

// openings are how texts begin that were not typed.
var openings = []struct {
	text  string
	voice voice
}{
	{continued, voiceSummary},
	{"<bash-input>", voiceBash},
	{"<bash-stdout>", voiceOutput},
	{"<bash-stderr>", voiceOutput},
	{"<local-command-stdout>", voiceOutput},
	{"<local-command-stderr>", voiceOutput},
	{"<command-name>", voiceCommand},
	{"<command-message>", voiceCommand},
	{"<task-notification>", voiceTask},
	{"<teammate-message", voiceTeammate},
	{"<local-command-caveat>", voiceCaveat},
	{"Caveat: The messages below", voiceCaveat},
	{"[Request interrupted by user", voiceInterrupted},
}

// voiceOf tells by how a text begins and what its line says of itself.
func voiceOf(text string, meta, skill, summarized bool) voice {
	if summarized {
		return voiceSummary
	}
	for _, o := range openings {
		if strings.HasPrefix(text, o.text) {
			return o.voice
		}
	}
	switch {
	case skill:
		return voiceSkill
	case meta:
		return voiceNote
	}
	return voicePrompt
}

// teammate is a message of another agent of the team.
type teammate struct{ who, colour, summary, text string }

// teammates reads the messages that one line holds.
func teammates(text string) (list []teammate) {
	for {
		_, rest, ok := strings.Cut(text, "<teammate-message ")
		if !ok {
			return list
		}
		attrs, rest, _ := strings.Cut(rest, ">")
		in, after, _ := strings.Cut(rest, "</teammate-message>")
		list = append(list, teammate{attr(attrs, "teammate_id"), attr(attrs, "color"), attr(attrs, "summary"), strings.TrimSpace(in)})
		text = after
	}
}

// attr is the value of an attribute, "" when it is not there.
func attr(attrs, name string) string {
	_, rest, ok := strings.Cut(" "+attrs, " "+name+`="`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// task is what a notification tells of a task in the background.
type task struct {
	id, status, summary, result string
	tokens, ms                  int64
}

func readTask(text string) task {
	usage := inside(text, "usage")
	return task{
		id: inside(text, "task-id"), status: inside(text, "status"), summary: inside(text, "summary"), result: inside(text, "result"),
		tokens: counted(usage, "total_tokens"), ms: counted(usage, "duration_ms"),
	}
}

// counted reads "name: 12" or "<name>12</name>", 0 when neither is there.
func counted(text, name string) (n int64) {
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
